/* What may be typed as an address, a gateway, DNS servers and a name. */
#include "helpers/lib/address.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

struct entry {
        const char *text;
        enum address_fault fault;
        const char *result;
};

static const struct entry addresses[] = {
        {"192.168.1.10/24", ADDRESS_GOOD, "192.168.1.10/24"},
        {"  192.168.1.10/24\t", ADDRESS_GOOD, "192.168.1.10/24"},
        {"10.0.0.1/8", ADDRESS_GOOD, "10.0.0.1/8"},
        {"172.16.0.255/16", ADDRESS_GOOD, "172.16.0.255/16"},
        {"1.0.0.1/1", ADDRESS_PREFIX, NULL},
        {"10.0.0.1/7", ADDRESS_PREFIX, NULL},
        {"10.0.0.1/254.0.0.0", ADDRESS_PREFIX, NULL},
        {"10.0.0.1/9", ADDRESS_GOOD, "10.0.0.1/9"},
        {"192.168.1.5/30", ADDRESS_GOOD, "192.168.1.5/30"},
        {"223.255.255.254/24", ADDRESS_GOOD, "223.255.255.254/24"},
        {"192.168.1.10/255.255.255.0", ADDRESS_GOOD, "192.168.1.10/24"},
        {"10.1.2.3/255.0.0.0", ADDRESS_GOOD, "10.1.2.3/8"},
        {NULL, ADDRESS_EMPTY, NULL},
        {"", ADDRESS_EMPTY, NULL},
        {"   ", ADDRESS_EMPTY, NULL},
        {"1", ADDRESS_UNFINISHED, NULL},
        {"192.168", ADDRESS_UNFINISHED, NULL},
        {"192.168.", ADDRESS_UNFINISHED, NULL},
        {"1.2.3/24", ADDRESS_UNFINISHED, NULL},
        {"1.2.3.4.5/24", ADDRESS_FORM, NULL},
        {"1.2.3.4./24", ADDRESS_FORM, NULL},
        {"1..2.3/24", ADDRESS_FORM, NULL},
        {".1.2.3/24", ADDRESS_FORM, NULL},
        {"192.168.1.301/24", ADDRESS_NUMBER, NULL},
        {"192.168.1.256/24", ADDRESS_NUMBER, NULL},
        {"4294967296.1.1.1/24", ADDRESS_NUMBER, NULL},
        {"192.168.1.99999999999999999999/24", ADDRESS_NUMBER, NULL},
        {"010.0.0.1/8", ADDRESS_LEADING_ZERO, NULL},
        {"192.168.001.001/24", ADDRESS_LEADING_ZERO, NULL},
        {"192.168.1.00/24", ADDRESS_LEADING_ZERO, NULL},
        {"0x0a.0.0.1/8", ADDRESS_CHARACTER, NULL},
        {"192.168.1.-1/24", ADDRESS_CHARACTER, NULL},
        {"+1.2.3.4/24", ADDRESS_CHARACTER, NULL},
        {"192.168.1. 10/24", ADDRESS_CHARACTER, NULL},
        {"nas.local/24", ADDRESS_CHARACTER, NULL},
        {"fe80::1/64", ADDRESS_CHARACTER, NULL},
        {"192.168.1.10;reboot/24", ADDRESS_CHARACTER, NULL},
        {"192.168.1.10\n/24", ADDRESS_CHARACTER, NULL},
        {"\xd9\xa1\xd9\xa9\xd9\xa2.168.1.10/24", ADDRESS_CHARACTER, NULL},
        {"\xef\xbc\x91\xef\xbc\x99\xef\xbc\x92.168.1.10/24", ADDRESS_CHARACTER, NULL},
        {"192.168.1.10", ADDRESS_NO_PREFIX, NULL},
        {"192.168.1.10/", ADDRESS_NO_PREFIX, NULL},
        {"192.168.1.10/0", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/31", ADDRESS_PREFIX_SMALL, NULL},
        {"192.168.1.10/32", ADDRESS_PREFIX_SMALL, NULL},
        {"192.168.1.10/33", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/024", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/24x", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/2 4", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/24/24", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/-1", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/4294967320", ADDRESS_PREFIX, NULL},
        {"192.168.1.10/255.0.255.0", ADDRESS_MASK, NULL},
        {"192.168.1.10/0.0.0.255", ADDRESS_MASK, NULL},
        {"192.168.1.10/255.255", ADDRESS_MASK, NULL},
        {"192.168.1.10/255.255.255.255", ADDRESS_PREFIX_SMALL, NULL},
        {"192.168.1.10/0.0.0.0", ADDRESS_PREFIX, NULL},
        {"0.0.0.0/24", ADDRESS_THIS_NETWORK, NULL},
        {"0.1.2.3/24", ADDRESS_THIS_NETWORK, NULL},
        {"127.0.0.1/8", ADDRESS_LOOPBACK, NULL},
        {"127.0.1.1/24", ADDRESS_LOOPBACK, NULL},
        {"169.254.3.4/16", ADDRESS_GOOD, "169.254.3.4/16"}, /* warned of, see choices */
        {"169.254.255.255/16", ADDRESS_IS_BROADCAST, NULL},
        /* from openbmc#2520 and validator.js#534: parsers that read an octet as octal, or took a prefix for a number */
        {"192.168.010.20/24", ADDRESS_LEADING_ZERO, NULL},
        {"192.168.08.20/24", ADDRESS_LEADING_ZERO, NULL},
        {"192.168.1.20/", ADDRESS_NO_PREFIX, NULL},
        {"192.168.1.20/24.", ADDRESS_MASK, NULL},
        {"192.168.1.20/ 24", ADDRESS_PREFIX, NULL},
        {"192.168.1.20 /24", ADDRESS_CHARACTER, NULL},
        {"3232235786/24", ADDRESS_NUMBER, NULL},
        {"192.168.266/24", ADDRESS_NUMBER, NULL},
        {"192,168,1,20/24", ADDRESS_CHARACTER, NULL},
        {"\xe0\xa5\xa7.2.3.4/24", ADDRESS_CHARACTER, NULL},     /* Devanagari 1 */
        {"192.168.1.2\xc2\xb2/24", ADDRESS_CHARACTER, NULL},     /* superscript 2 */
        {"192.168.1.20/\xef\xbc\x92\xef\xbc\x94", ADDRESS_PREFIX, NULL}, /* fullwidth 24 */
        {"192\xe3\x80\x82" "168.1.20/24", ADDRESS_CHARACTER, NULL}, /* ideographic full stop */
        {"\xe2\x80\x8b" "192.168.1.20/24", ADDRESS_CHARACTER, NULL}, /* zero width space */
        {"192.168.1.20/24\xc2\xa0", ADDRESS_PREFIX, NULL},       /* no-break space */
        {"169.253.3.4/16", ADDRESS_GOOD, "169.253.3.4/16"},
        {"224.0.0.1/24", ADDRESS_MULTICAST, NULL},
        {"239.1.1.1/24", ADDRESS_MULTICAST, NULL},
        {"240.0.0.1/24", ADDRESS_RESERVED, NULL},
        {"255.255.255.255/24", ADDRESS_RESERVED, NULL},
        {"192.168.1.0/24", ADDRESS_IS_NETWORK, NULL},
        {"192.168.1.4/30", ADDRESS_IS_NETWORK, NULL},
        {"192.168.1.255/24", ADDRESS_IS_BROADCAST, NULL},
        {"192.168.1.7/30", ADDRESS_IS_BROADCAST, NULL},
        {"10.255.255.255/8", ADDRESS_IS_BROADCAST, NULL},
};

/* For a NAS with 192.168.1.10/24. */
static const struct entry gateways[] = {
        {"192.168.1.1", ADDRESS_GOOD, "192.168.1.1"},
        {" 192.168.1.254 ", ADDRESS_GOOD, "192.168.1.254"},
        {"", ADDRESS_GOOD, "0.0.0.0"},
        {NULL, ADDRESS_GOOD, "0.0.0.0"},
        {" ", ADDRESS_GOOD, "0.0.0.0"},
        {"192.168.1.0", ADDRESS_IS_NETWORK, NULL},
        {"192.168.1.255", ADDRESS_IS_BROADCAST, NULL},
        {"192.168.1.10", GATEWAY_SELF, NULL},
        {"192.168.2.1", GATEWAY_OUTSIDE, NULL},
        {"192.168.1", ADDRESS_UNFINISHED, NULL},
        {"192.168.1.1/24", ADDRESS_WITH_PREFIX, NULL},
        {"192.168.1.01", ADDRESS_LEADING_ZERO, NULL},
        {"224.0.0.1", ADDRESS_MULTICAST, NULL},
        {"127.0.0.1", ADDRESS_LOOPBACK, NULL},
        {"0.0.0.0", ADDRESS_THIS_NETWORK, NULL},
        {"192.168.1.1 192.168.1.2", ADDRESS_CHARACTER, NULL},
        {"192.168.1.1,192.168.1.2", ADDRESS_CHARACTER, NULL},
        {"169.254.1.1", GATEWAY_OUTSIDE, NULL},
        {"240.0.0.1", ADDRESS_RESERVED, NULL},
        {"255.255.255.255", ADDRESS_RESERVED, NULL},
        {"192.168.1.301", ADDRESS_NUMBER, NULL},
        {"192.168.1.1.", ADDRESS_FORM, NULL},
        {"\xef\xbc\x91.2.3.4", ADDRESS_CHARACTER, NULL},
        {"192.168.1.1\xc2\xa0", ADDRESS_CHARACTER, NULL}, /* a no-break space is not seen */
        {"router", ADDRESS_CHARACTER, NULL},
};

/* The NAS's address and a gateway, and the one to propose. */
static const struct {
        const char *own, *gateway;
        enum address_fault fault;
        const char *proposal;
} pairs[] = {
        {"192.168.2.20/24", "192.168.1.1", GATEWAY_OUTSIDE, "192.168.2.1"},
        {"192.168.1.10/23", "192.168.0.1", ADDRESS_GOOD, "192.168.0.1"},
        {"192.168.1.10/25", "192.168.1.129", GATEWAY_OUTSIDE, "192.168.1.1"},
        {"192.168.1.200/25", "192.168.1.127", GATEWAY_OUTSIDE, "192.168.1.129"},
        {"192.168.1.200/25", "192.168.1.128", ADDRESS_IS_NETWORK, "192.168.1.129"},
        {"192.168.1.10/25", "192.168.1.127", ADDRESS_IS_BROADCAST, "192.168.1.1"},
        {"10.0.0.5/8", "10.255.255.254", ADDRESS_GOOD, "10.0.0.1"},
        {"10.0.0.5/8", "10.255.255.255", ADDRESS_IS_BROADCAST, "10.0.0.1"},
        {"10.0.0.5/8", "11.0.0.1", GATEWAY_OUTSIDE, "10.0.0.1"},
        {"192.168.1.1/24", "192.168.1.1", GATEWAY_SELF, "192.168.1.2"},
        {"192.168.1.5/30", "192.168.1.6", ADDRESS_GOOD, "192.168.1.6"},
        {"192.168.1.6/30", "192.168.1.5", ADDRESS_GOOD, "192.168.1.5"},
        {"172.16.3.4/16", "172.16.0.0", ADDRESS_IS_NETWORK, "172.16.0.1"},
        /* esphome#719: the address was moved to another network and the gateway stayed behind */
        {"192.168.2.1/24", "192.168.1.1", GATEWAY_OUTSIDE, "192.168.2.2"},
        {"192.168.1.20/24", "169.254.1.1", GATEWAY_OUTSIDE, "192.168.1.1"},
        {"169.254.3.4/16", "169.254.0.1", ADDRESS_GOOD, "169.254.0.1"},
};

static const struct entry servers[] = {
        {"", ADDRESS_GOOD, ""},
        {NULL, ADDRESS_GOOD, ""},
        {"192.168.1.1", ADDRESS_GOOD, "192.168.1.1"},
        {"192.168.1.1,9.9.9.9", ADDRESS_GOOD, "192.168.1.1 9.9.9.9"},
        {" 192.168.1.1, 9.9.9.9  1.1.1.1 ", ADDRESS_GOOD, "192.168.1.1 9.9.9.9 1.1.1.1"},
        {"1.1.1.1,2.2.2.2,3.3.3.3,4.4.4.4", DNS_MANY, NULL},
        {"1.1.1.1,1.1.1.1", DNS_TWICE, NULL},
        {"192.168.1.10", DNS_SELF, NULL},
        {"192.168.1.255", ADDRESS_IS_BROADCAST, NULL},
        {"192.168.1.0", ADDRESS_IS_NETWORK, NULL},
        {"192.168.2.255", ADDRESS_GOOD, "192.168.2.255"}, /* whose network's size nobody knows */
        {"0.0.0.0", ADDRESS_THIS_NETWORK, NULL},
        {"1.1.1.1/32", ADDRESS_WITH_PREFIX, NULL},
        {"1.1.1.1,01.1.1.1", ADDRESS_LEADING_ZERO, NULL},
        {"9.9.9.9,224.0.0.251", ADDRESS_MULTICAST, NULL},
        {"1.1.1.1,,2.2.2.2", ADDRESS_GOOD, "1.1.1.1 2.2.2.2"},
        {"1.1.1.1;2.2.2.2", ADDRESS_CHARACTER, NULL},
        {"127.0.0.53", ADDRESS_LOOPBACK, NULL},
        {"169.254.1.1", ADDRESS_LINK_LOCAL, NULL},
        {"9.9.9.9,dns.example", ADDRESS_CHARACTER, NULL},
        {"9.9.9.9\nsearch evil", ADDRESS_CHARACTER, NULL},
        {"2001:db8::1", ADDRESS_CHARACTER, NULL},
        {"9.9.9", ADDRESS_UNFINISHED, NULL},
};

static const struct entry names[] = {
        {"nas", ADDRESS_GOOD, NULL},
        {"NAS", ADDRESS_GOOD, NULL},
        {"a", ADDRESS_GOOD, NULL},
        {"my-nas-2", ADDRESS_GOOD, NULL},
        {"7up", ADDRESS_GOOD, NULL},
        {"a23456789012345", ADDRESS_GOOD, NULL},
        {"a234567890123456", HOSTNAME_LONG, NULL},
        {"", HOSTNAME_EMPTY, NULL},
        {NULL, HOSTNAME_EMPTY, NULL},
        {"nas.example.org", HOSTNAME_DOT, NULL},
        {"-nas", HOSTNAME_DASH, NULL},
        {"nas-", HOSTNAME_DASH, NULL},
        {"-", HOSTNAME_DASH, NULL},
        {"1234", HOSTNAME_DIGITS, NULL},
        {"12-34", HOSTNAME_DIGITS, NULL},
        {"my nas", HOSTNAME_CHARACTER, NULL},
        {"my_nas", HOSTNAME_CHARACTER, NULL},
        {"n\xc3\xa4s", HOSTNAME_CHARACTER, NULL},
        {"nas\n127.0.0.1", HOSTNAME_CHARACTER, NULL},
        {"nas'", HOSTNAME_CHARACTER, NULL},
        {"localhost", HOSTNAME_RESERVED, NULL},
        {"LocalHost", HOSTNAME_RESERVED, NULL},
        {" nas ", ADDRESS_GOOD, NULL},
        {"nas.", HOSTNAME_DOT, NULL},
        {".", HOSTNAME_DOT, NULL},
        {"a--b", ADDRESS_GOOD, NULL},
        {"nas:445", HOSTNAME_CHARACTER, NULL},
        {"\\\\nas", HOSTNAME_CHARACTER, NULL},
        {"nas\xcc\x88", HOSTNAME_CHARACTER, NULL},
};

static const struct entry domains[] = {
        {"", ADDRESS_GOOD, NULL},
        {NULL, ADDRESS_GOOD, NULL},
        {"lan", ADDRESS_GOOD, NULL},
        {" home.arpa ", ADDRESS_GOOD, NULL},
        {"fritz.box", ADDRESS_GOOD, NULL},
        {"a-1.example.org", ADDRESS_GOOD, NULL},
        {"1.2", ADDRESS_GOOD, NULL},
        {".lan", DOMAIN_FORM, NULL},
        {"lan.", DOMAIN_FORM, NULL},
        {"a..b", DOMAIN_FORM, NULL},
        {"-lan", DOMAIN_FORM, NULL},
        {"lan-.org", DOMAIN_FORM, NULL},
        {"my lan", DOMAIN_FORM, NULL},
        {"my_lan", DOMAIN_FORM, NULL},
        {"lan\nnameserver 6.6.6.6", DOMAIN_FORM, NULL},
        {"lan]", DOMAIN_FORM, NULL},
        {"b\xc3\xbcro", DOMAIN_FORM, NULL},
        {"a23456789012345678901234567890123456789012345678901234567890123", ADDRESS_GOOD, NULL},
        {"a234567890123456789012345678901234567890123456789012345678901234", DOMAIN_FORM, NULL},
};

/* What a computer is called, and what it will be called. */
static const struct {
        const char *text, *proposal;
} proposals[] = {
        {"nas", "nas"},
        {"NAS-2", "NAS-2"},
        {"nas.example.org", "nas"},
        {"my_file_server", "my-file-server"},
        {"proliant-microserver-gen8", "proliant-micros"},
        {"fileserver-12345-x", "fileserver-1234"},
        {"abcdefghijklmn-opq", "abcdefghijklmn"},
        {"-nas-", "nas"},
        {"b\xc3\xbcro", "b-ro"},
        {"12345", NULL},
        {"localhost", NULL},
        {"", NULL},
        {"...", NULL},
        {"_", NULL},
};

static const struct address own = {.ip = 0xc0a8010a, .prefix = 24};

static void expect(const struct entry *e, int r, enum address_fault fault, const char *result)
{
        if (r != (e->fault ? -EINVAL : 0) || fault != e->fault)
                fail_msg("'%s': %d, fault %d '%s', expected %d", e->text ? e->text : "(null)", r, (int)fault,
                         address_fault_text(fault), (int)e->fault);
        if (!e->fault && e->result && !streq(result, e->result))
                fail_msg("'%s' became '%s', expected '%s'", e->text ? e->text : "(null)", result, e->result);
}

static void test_addresses(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(addresses); i++) {
                struct address a = {.ip = 7, .prefix = 7};
                enum address_fault fault = ADDRESS_GOOD;
                int r = address_check(addresses[i].text, &a, &fault);
                _cleanup_free_ char *result = address_text(&a);
                expect(&addresses[i], r, fault, result);
                if (r < 0)
                        assert_true(a.ip == 7 && a.prefix == 7);
        }
}

static void test_gateways(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(gateways); i++) {
                struct address a = {.ip = 7};
                enum address_fault fault = ADDRESS_GOOD;
                int r = gateway_check(gateways[i].text, &own, &a, &fault);
                _cleanup_free_ char *result = address_text(&a);
                expect(&gateways[i], r, fault, result);
                if (r < 0)
                        assert_true(a.ip == 7);
        }
}

static void test_pairs(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(pairs); i++) {
                struct address nas = {0}, gateway = {0};
                enum address_fault fault = ADDRESS_GOOD;
                assert_int_equal(address_check(pairs[i].own, &nas, NULL), 0);
                int r = gateway_check(pairs[i].gateway, &nas, &gateway, &fault);
                struct address proposal = address_propose_gateway(&nas);
                _cleanup_free_ char *text = address_text(&proposal);
                if (r != (pairs[i].fault ? -EINVAL : 0) || fault != pairs[i].fault || !streq(text, pairs[i].proposal))
                        fail_msg("%s and %s: %d, fault %d, proposal %s", pairs[i].own, pairs[i].gateway, r, (int)fault,
                                 text);
        }
}

static void test_servers(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(servers); i++) {
                struct address a[DNS_MAX];
                _cleanup_strv_ char **list = NULL;
                enum address_fault fault = ADDRESS_GOOD;
                size_t n = 0;
                int r = dns_check(servers[i].text, &own, a, &n, &fault);
                for (size_t k = 0; k < n; k++)
                        strv_take(&list, address_text(&a[k]));
                _cleanup_free_ char *result = strv_join(list, " ");
                expect(&servers[i], r, fault, result);
        }
}

static void test_names(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                enum address_fault fault = ADDRESS_GOOD;
                int r = hostname_check(names[i].text, &fault);
                expect(&names[i], r, fault, NULL);
        }
}

static void test_domains(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(domains); i++) {
                enum address_fault fault = ADDRESS_GOOD;
                int r = domain_check(domains[i].text, &fault);
                expect(&domains[i], r, fault, NULL);
        }
}

static void test_proposals(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(proposals); i++) {
                _cleanup_free_ char *name = hostname_propose(proposals[i].text);
                if (!streq_null(name, proposals[i].proposal))
                        fail_msg("'%s' became '%s'", proposals[i].text, name ? name : "(null)");
        }
}

static void test_texts(void **state _unused_)
{
        for (int i = ADDRESS_GOOD + 1; i < ADDRESS_FAULTS_MAX_; i++)
                assert_true(has_suffix(address_fault_text((enum address_fault)i), "."));
        assert_string_equal(address_fault_text((enum address_fault)999), "");
        assert_int_equal(address_check("x", NULL, NULL), -EINVAL);
}

/* The reports, letter by letter. A gateway left out is good, and the screen says "none". */
static void test_case_n04_gateway_that_is_none(void **state _unused_)
{
        static const char *const refused[] = {"192.168.1.0", "192.168.1.255", "192.168.1.10", "224.0.0.1", "127.0.0.1", "0.0.0.0"};
        struct address gateway;

        for (size_t i = 0; i < ELEMENTSOF(refused); i++)
                assert_int_equal(gateway_check(refused[i], &own, &gateway, NULL), -EINVAL);
        assert_int_equal(gateway_check("", &own, &gateway, NULL), 0);
}

static void test_case_n05_gateway_of_the_old_network(void **state _unused_)
{
        struct address nas, gateway;
        enum address_fault fault;

        assert_int_equal(address_check("192.168.2.20/24", &nas, NULL), 0);
        assert_int_equal(gateway_check("192.168.1.1", &nas, &gateway, &fault), -EINVAL);
        assert_int_equal(fault, GATEWAY_OUTSIDE);
        assert_int_equal(address_propose_gateway(&nas).ip, 0xc0a80201);
}

/* Each also with /24 behind it, so that it is not refused for that alone. */
static void test_case_n12_impossible_addresses(void **state _unused_)
{
        static const char *const refused[] = {"192.168.1.301",   "010.0.0.1", "192.168.001.001",
                                              "1.2.3",           "1.2.3.4.5", "\xd9\xa1\xd9\xa9\xd9\xa2.168.1.10",
                                              "\xef\xbc\x91\xef\xbc\x99\xef\xbc\x92.168.1.10"};
        struct address a;

        for (size_t i = 0; i < ELEMENTSOF(refused); i++) {
                _cleanup_free_ char *with = xasprintf("%s/24", refused[i]);
                assert_int_equal(address_check(refused[i], &a, NULL), -EINVAL);
                assert_int_equal(address_check(with, &a, NULL), -EINVAL);
                assert_int_equal(host_check(refused[i], &a, NULL), -EINVAL);
        }
        assert_int_equal(host_check("192.168.1.10 ", &a, NULL), 0);
        assert_int_equal(address_check("192.168.1.10/24 ", &a, NULL), 0);
        assert_int_equal(a.prefix, 24);
}

static void test_networks(void **state _unused_)
{
        struct address first = {.ip = 0xc0a80101, .prefix = 24};

        assert_int_equal(address_propose_gateway(&own).ip, 0xc0a80101);
        assert_int_equal(address_propose_gateway(&first).ip, 0xc0a80102);
        assert_int_equal(address_network(&own), 0xc0a80100);
        assert_int_equal(address_broadcast(&own), 0xc0a801ff);
        assert_true(address_same_network(&own, 0xc0a801fe));
        assert_false(address_same_network(&own, 0xc0a80201));
}

int main(void)
{
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_addresses), cmocka_unit_test(test_gateways), cmocka_unit_test(test_servers),
                cmocka_unit_test(test_pairs),     cmocka_unit_test(test_proposals),
                cmocka_unit_test(test_names),     cmocka_unit_test(test_domains),
                cmocka_unit_test(test_texts),    cmocka_unit_test(test_networks),
                cmocka_unit_test(test_case_n04_gateway_that_is_none), cmocka_unit_test(test_case_n05_gateway_of_the_old_network),
                cmocka_unit_test(test_case_n12_impossible_addresses),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
