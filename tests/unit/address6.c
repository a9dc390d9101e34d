/* What may be typed as an IPv6 address and gateway. */
#include "helpers/lib/address6.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

struct entry {
        const char *text;
        enum address6_fault fault;
        const char *result;
};

static const struct entry addresses[] = {
        {"fd12:3456::10/64", ADDRESS6_GOOD, "fd12:3456::10/64"},
        {"  FD12:3456:0:0:0:0:0:10/64 ", ADDRESS6_GOOD, "fd12:3456::10/64"},
        {"2001:db8::1/48", ADDRESS6_GOOD, "2001:db8::1/48"},
        {"2001:db8::1/128", ADDRESS6_GOOD, "2001:db8::1/128"},
        {NULL, ADDRESS6_EMPTY, NULL},
        {" ", ADDRESS6_EMPTY, NULL},
        {"192.168.1.10/24", ADDRESS6_FORM, NULL},
        {"fd12/64", ADDRESS6_FORM, NULL},
        {"fd12::1::2/64", ADDRESS6_FORM, NULL},
        {"fd12::12345/64", ADDRESS6_FORM, NULL},
        {"fd12::g/64", ADDRESS6_FORM, NULL},
        {"fd12:: 1/64", ADDRESS6_FORM, NULL},
        {"fd12::1\n/64", ADDRESS6_FORM, NULL},
        {"/64", ADDRESS6_FORM, NULL},
        {"fd12::1", ADDRESS6_NO_PREFIX, NULL},
        {"fd12::1/", ADDRESS6_NO_PREFIX, NULL},
        {"fd12::1/0", ADDRESS6_PREFIX, NULL},
        {"fd12::1/129", ADDRESS6_PREFIX, NULL},
        {"fd12::1/064", ADDRESS6_PREFIX, NULL},
        {"fd12::1/64 x", ADDRESS6_PREFIX, NULL},
        {"fd12::1/4294967360", ADDRESS6_PREFIX, NULL},
        {"fe80::1/64", ADDRESS6_LINK_LOCAL, NULL},
        {"fe80::1%eth0/64", ADDRESS6_WITH_PORT, NULL},
        {"::/64", ADDRESS6_KIND, NULL},
        {"::1/128", ADDRESS6_KIND, NULL},
        {"ff02::1/64", ADDRESS6_KIND, NULL},
        {"::ffff:192.168.1.10/64", ADDRESS6_KIND, NULL},
        {"::192.168.1.10/64", ADDRESS6_KIND, NULL},
};

static const struct entry gateways[] = { /* of fd12:3456::10/60 */
        {"", ADDRESS6_GOOD, "::"},
        {"fe80::1", ADDRESS6_GOOD, "fe80::1"},
        {"fd12:3456:0:f::1", ADDRESS6_GOOD, "fd12:3456:0:f::1"},
        {"fd12:3456:0:10::1", GATEWAY6_OUTSIDE, NULL},
        {"fd12:3456::0010", GATEWAY6_SELF, NULL},
        {"fe80::1/64", ADDRESS6_WITH_PREFIX, NULL},
        {"fe80::1%2", ADDRESS6_WITH_PORT, NULL},
        {"192.168.1.1", ADDRESS6_FORM, NULL},
        {"ff02::2", ADDRESS6_KIND, NULL},
};

static void check(const struct entry *e, int r, enum address6_fault fault, const struct address6 *a)
{
        print_message("%s\n", e->text ? e->text : "(null)");
        assert_int_equal(r, e->fault == ADDRESS6_GOOD ? 0 : -EINVAL);
        assert_int_equal(fault, e->fault);
        assert_true((*address6_fault_text(fault) == '\0') == (fault == ADDRESS6_GOOD));
        if (r < 0)
                return;
        _cleanup_free_ char *text = address6_text(a);
        assert_string_equal(text, e->result);
}

static void test_addresses(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(addresses); i++) {
                enum address6_fault fault = ADDRESS6_GOOD;
                struct address6 a;
                int r = address6_check(addresses[i].text, &a, &fault);
                check(&addresses[i], r, fault, &a);
        }
}

static void test_gateways(void **state _unused_)
{
        struct address6 own, a;

        assert_int_equal(address6_check("fd12:3456::10/60", &own, NULL), 0);
        for (size_t i = 0; i < ELEMENTSOF(gateways); i++) {
                enum address6_fault fault = ADDRESS6_GOOD;
                int r = gateway6_check(gateways[i].text, &own, &a, &fault);
                check(&gateways[i], r, fault, &a);
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_addresses),
                cmocka_unit_test(test_gateways),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
