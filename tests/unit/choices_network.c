/* What is advised and allowed of ports, addresses and names, field by field and together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wizard/choices.h"

#define LAN "port name=eth0 mac=52:54:00:00:00:01 kind=wired speed=1000 carrier=yes address=192.168.1.10/24 gateway=192.168.1.1 dns=192.168.1.1\n"
#define WIFI "host name=box\nport name=wlan0 mac=52:54:00:00:00:09 kind=wifi carrier=yes address=192.168.7.20/24 gateway=192.168.7.1\n"
#define SPARE "port name=eth1 mac=52:54:00:00:00:02 kind=wired carrier=no\n"

/* Facts, answers (may be ""), and what they give: each part of wanted, with a blank between, is to be found there. */
static const struct {
        const char *facts, *answers, *wanted;
} cases[] = {
        /* the port: a cable, an address, the speed, and at last none that can be pulled out */
        {LAN SPARE, "", "port=eth0 off=52:54:00:00:00:02"},
        {SPARE "port name=eth2 mac=52:54:00:00:00:03 kind=wired carrier=yes speed=100\n", "", "port=eth2"},
        {"port name=enx0 mac=52:54:00:00:00:05 kind=wired bus=usb carrier=yes speed=1000\n"
         "port name=eth2 mac=52:54:00:00:00:03 kind=wired bus=pci carrier=yes speed=1000\n", "", "port=eth2"},
        {"port name=enx0 mac=52:54:00:00:00:05 kind=wired bus=usb carrier=yes speed=1000\n"
         "port name=eth2 mac=52:54:00:00:00:03 kind=wired bus=pci carrier=yes speed=100\n", "", "port=enx0"},
        /* what somebody put together stays as it is, and is not switched off */
        {LAN "port name=eth2 mac=52:54:00:00:00:03 kind=wired carrier=yes speed=10000 usedby=bond0\n"
         "port name=bond0 mac=52:54:00:00:00:03 kind=bond members=eth2 carrier=yes address=10.9.9.9/24\n", "", "port=eth0 off=\n"},
        {LAN "port name=eth2 mac=52:54:00:00:00:03 kind=wired carrier=yes usedby=bond0\n", "network port=52:54:00:00:00:03\n",
         "!port=eth2 is a part of bond0"},
        {LAN "port name=br0 mac=52:54:00:00:00:04 kind=bridge carrier=yes\n", "network port=52:54:00:00:00:04\n", "!port=br0 is not a port"},
        {"port name=br0 mac=52:54:00:00:00:01 kind=bridge carrier=yes\n" LAN, "network port=52:54:00:00:00:01\n", "port=eth0"},
        {"port name=wlan0 mac=52:54:00:00:00:04 kind=wifi carrier=yes\n", "", "!port=This computer has no network port for a cable"},
        {LAN SPARE, "network others=keep\n", "off=\n"},
        /* the running lease, unless it is what computers take by themselves */
        {LAN, "", "address=192.168.1.10/24 gateway=192.168.1.1 dns=192.168.1.1"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired carrier=yes address=169.254.7.8/16\n", "", "address=\n !address=An address is needed"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired carrier=yes address=169.254.7.8/16,10.0.0.5/8 gateway=10.0.0.1\n", "",
         "address=10.0.0.5/8 gateway=10.0.0.1"},
        {LAN, "network address=169.254.3.4/16 gateway=\"\" dns=\"\"\n", "link-local now=192.168.1.0/24"},
        /* together: the gateway follows the address unless it was typed, and a wrong one gets a proposal */
        {LAN, "network address=192.168.2.20/24\n", "gateway=192.168.2.1 now=192.168.1.0/24"},
        {LAN, "network address=192.168.2.20/24 gateway=192.168.1.1\n", "!gateway=The gateway is not in proposed=192.168.2.1"},
        {LAN, "network address=192.168.1.20/24 gateway=192.168.2.1\n", "!gateway=The gateway is not in proposed=192.168.1.1"},
        {LAN, "network address=192.168.1.20/25 gateway=192.168.1.200\n", "proposed=192.168.1.1"},
        {LAN, "network address=192.168.1.1/24\n", "!address=This is your router's address gateway=192.168.1.1"},
        {LAN, "network address=192.168.1.1/24 gateway=192.168.1.1\n", "!address=This is your router's gateway=192.168.1.1 proposed=\n"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=192.168.1.1/24 gateway=192.168.1.1\n", "", "address=192.168.1.1/24"},
        /* without a prefix: the network's, where it is in that */
        {LAN, "network address=192.168.1.77\n", "address=192.168.1.77/24 gateway=192.168.1.1"},
        {LAN, "network address=\" 192.168.1.77 \"\n", "address=192.168.1.77/24"},
        {LAN, "network address=192.168.1.77/\n", "!address="},
        {LAN, "network address=192.168.2.77\n", "!address="},
        {LAN, "network address=192.168.1.255\n", "!address="},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=10.1.2.3/16\n", "network address=10.1.77.7\n", "address=10.1.77.7/16"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=169.254.2.3/16\n", "network address=169.254.2.7\n", "!address="},
        {LAN, "network address=192.168.1.10/24 gateway=192.168.1.10\n", "!gateway=This is the NAS's own proposed=192.168.1.1"},
        {LAN, "network address=192.168.1.10/24 gateway=192.168.1.0\n", "!gateway=This is the address of the network proposed=192.168.1.1"},
        {LAN, "network address=192.168.1.10/24 gateway=192.168.1.255\n", "!gateway=This is the address for everyone proposed=192.168.1.1"},
        {LAN, "network gateway=224.0.0.1\n", "!gateway=Addresses from 224"},
        {LAN, "network gateway=127.0.0.1\n", "!gateway=Addresses that begin with 127"},
        {LAN, "network gateway=0.0.0.0\n", "!gateway=Addresses that begin with 0"},
        {LAN, "network gateway=192.168\n", "!gateway=An address has four proposed=\n"},
        {LAN, "network gateway=\"\"\n", "gateway=\n"},
        {LAN, "network dns=\"9.9.9.9 1.1.1.1\"\n", "dns=9.9.9.9,1.1.1.1"},
        {LAN, "network dns=169.254.1.1\n", "!dns=Addresses that begin with 169.254"},
        {LAN, "network dns=192.168.1.10\n", "!dns=This is the NAS's own"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=10.0.0.5/8 domain=home.arpa\n", "", "domain=home.arpa"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=10.0.0.5/8 domain=home.arpa\n", "network domain=\"\"\n", "domain=\n"},
        {LAN, "network domain=\"a b\"\n", "!domain=A domain has only"},
        /* the name */
        {LAN "host name=fileserver\n", "", "host=fileserver netbios=FILESERVER"},
        {LAN "host name=debian\n", "", "host=nas"},
        {LAN, "network name=\"box5 \" gateway=\" 192.168.1.1\" dns=\" 9.9.9.9 \"\n", "host=box5 netbios=BOX5 gateway=192.168.1.1 dns=9.9.9.9"},
        {LAN "host name=localhost\n", "", "host=nas"},
        {LAN "host name=my_file_server_2\n", "", "host=my-file-server altered netbios=MY-FILE-SERVER"},
        {LAN "host name=proliant-microserver-gen8\n", "", "host=proliant-micros altered"},
        {LAN "host name=my_file_server_2\n", "network name=attic\n", "host=attic netbios=ATTIC"},
        {LAN, "network name=my_nas\n", "!name=The name has only"},
        /* no port for a cable: Wi-Fi as it is, else the disks alone, once it is known that there is none */
        {WIFI, "", "port=wlan0 address=192.168.7.20/24 kept=yes offline=no"},
        {WIFI, "network keep=no\n", "port=\n kept=no offline=yes address=\n"},
        {WIFI SPARE, "", "port=eth1 kept=no offline=no"},
        {WIFI SPARE, "network keep=yes\n", "port=wlan0 address=192.168.7.20/24 kept=yes"},
        {LAN "host name=box\n", "network keep=yes\n", "!keep=There is no address that could be kept"},
        {LAN "host name=box\n", "network keep=yes port=52:54:00:00:00:01\n", "port=eth0 address=192.168.1.10/24 kept=yes"},
        {"host name=box\n", "", "kept=no offline=yes"},
        {"host name=box\nmissing helper=nas-net why=x\n", "", "kept=no offline=no !port=This computer has no"},
        {WIFI, "network keep=maybe\n", "!keep="},
        /* IPv6 */
        {LAN, "", "ipv6=router address6=\n gateway6=\n"},
        {LAN, "network ipv6=off\n", "ipv6=off address6=\n"},
        {"port name=eth0 mac=52:54:00:00:00:01 kind=wired address=10.0.0.5/8 address6=2001:db8::5/64 gateway6=fe80::1\n",
         "network ipv6=fixed\n", "ipv6=fixed address6=2001:db8::5/64 gateway6=fe80::1"},
        {LAN, "network ipv6=fixed\n", "!address6=An IPv6 address is needed"},
        {LAN, "network address6=fd12::10/64\n", "ipv6=fixed address6=fd12::10/64 gateway6=\n"},
        {LAN, "network ipv6=fixed address6=fd12::10/64 gateway6=fd99::1\n", "!gateway6=The IPv6 gateway neither"},
        {LAN, "network ipv6=fixed address6=fe80::10/64\n", "!address6=Addresses that begin with fe80"},
        {LAN, "network ipv6=maybe\n", "!ipv6=\"maybe\" is not known"},
};

static char *told(const struct choices *c, const struct faults *f)
{
        struct buf b = {0};
        _cleanup_free_ char *off = c->off ? strv_join(c->off, ",") : xstrdup("");

        buf_printf(&b, "port=%s\noff=%s\naddress=%s\ngateway=%s\ndns=%s\nhost=%s\nnetbios=%s\nnow=%s\nproposed=%s\ndomain=%s\nkept=%s\noffline=%s\n",
                   c->port ? c->port->name : "", off, c->address, c->gateway, c->dns, c->host, c->netbios,
                   c->subnet_now ? c->subnet_now : "", c->gateway_proposed ? c->gateway_proposed : "", c->domain, c->keeps_network ? "yes" : "no",
                   c->is_offline ? "yes" : "no");
        buf_printf(&b, "ipv6=%s\naddress6=%s\ngateway6=%s\n%s%s", c->ipv6, c->address6, c->gateway6, c->host_altered ? "altered\n" : "",
                   c->link_local ? "link-local\n" : "");
        for (unsigned i = 0; i < f->n; i++)
                buf_printf(&b, "!%s=%s\n", answer_key(f->v[i].which), f->v[i].text);
        return b.buf;
}

/* The next part: up to a blank that something of that kind follows. */
static size_t part(const char *s)
{
        const char *p = s;

        while ((p = strchr(p, ' '))) {
                size_t n = strcspn(p + 1, " =");
                if (p[1] == '!' || p[1 + n] == '=' || has_prefix(p + 1, "altered") || has_prefix(p + 1, "link-local"))
                        return (size_t)(p - s);
                p++;
        }
        return strlen(s);
}

static void all_cases(void **state _unused_)
{
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_facts_ struct facts f = {0};
                _cleanup_answers_ struct answers a = {0};
                _cleanup_choices_ struct choices c = {0};
                _cleanup_faults_ struct faults faults = {0};
                struct records rs;
                struct record_error e;
                assert_int_equal(records_parse(cases[i].facts, &rs, &e), 0);
                facts_from_records(&rs, &f);
                assert_int_equal(records_parse(cases[i].answers, &rs, &e), 0);
                assert_int_equal(answers_from_records(&rs, &a, &e), 0);
                records_free(&rs);
                choices_make(&f, &a, &c, &faults);
                _cleanup_free_ char *text = told(&c, &faults);
                for (const char *w = cases[i].wanted; *w;) {
                        size_t n = part(w);
                        _cleanup_free_ char *one = xstrndup(w, n);
                        if (!strstr(text, one))
                                fail_msg("%s%s-> '%s' is not in\n%s", cases[i].facts, cases[i].answers, one, text);
                        w += n + (w[n] == ' ');
                }
        }
}

int main(void)
{
        const struct CMUnitTest tests[] = {cmocka_unit_test(all_cases)};

        return cmocka_run_group_tests(tests, NULL, NULL);
}
