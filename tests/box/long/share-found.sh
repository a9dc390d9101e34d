#!/bin/bash
# box: --variant found --boot --disk 2G --nic cable --seconds 900
# Found by itself: a computer on the LAN asks as Windows (WS-Discovery) and as a Mac (mDNS) do; through ufw too, which is
# opened for the LAN only; and the share for Time Machine's backups.
. "$(dirname "$0")/lib.sh"

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10
ifdown eth0 >/dev/null 2>&1
ip addr flush dev eth0
ip addr add $ip/24 brd + dev eth0
ip link set eth0 up
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mkdir -p /srv/public
mount /dev/sda /srv/public
cat >/tmp/ask.py <<'PY'
# ask.py wsd|mdns: from the LAN; prints who answers.
import socket, struct, sys, uuid
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("192.168.77.50", 0))
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.168.77.50"))
s.settimeout(1)
soap = "http://schemas.xmlsoap.org/ws/"
if sys.argv[1] == "wsd":  # WS-Discovery 1.0, 5.2
    to, q = ("239.255.255.250", 3702), (
        '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope" '
        'xmlns:wsa="%s2004/08/addressing" xmlns:wsd="%s2005/04/discovery" xmlns:wsdp="%s2006/02/devprof"><soap:Header>'
        '<wsa:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</wsa:To><wsa:Action>%s2005/04/discovery/Probe</wsa:Action>'
        '<wsa:MessageID>urn:uuid:%s</wsa:MessageID></soap:Header><soap:Body><wsd:Probe><wsd:Types>wsdp:Device</wsd:Types>'
        '</wsd:Probe></soap:Body></soap:Envelope>' % (soap, soap, soap, soap, uuid.uuid4())).encode()
else:  # RFC 6762: a question for PTR records of _smb._tcp.local
    to = ("224.0.0.251", 5353)
    q = struct.pack(">6H", 1, 0, 1, 0, 0, 0) + b"\x04_smb\x04_tcp\x05local\0" + struct.pack(">2H", 12, 1)
for i in range(15):
    s.sendto(q, to)
    try:
        data, who = s.recvfrom(9000)
    except socket.timeout:
        continue
    print(who[0], "computer" if b"Computer" in data else "NAS" if b"NAS" in data else "")
    sys.exit(0)
sys.exit(1)
PY
set_share() { nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS "allow=${lan:-192.168.77.0/24}" "address=${at:-$ip}" "$@"; }
systemctl disable --now wsdd2 avahi-daemon.service avahi-daemon.socket >/dev/null 2>&1

is "found by itself" "$(set_share announce=yes | tail -1 | grep -o 'announced=.*')" "announced=wsd,mdns"
is "and after a boot" "$(systemctl is-enabled wsdd2 avahi-daemon | xargs)" "enabled enabled"
is "again" "$(set_share announce=yes | tail -1)" "result changed=no user=nas announced=wsd,mdns"
is "Windows finds it" "$(lan python3 /tmp/ask.py wsd)" "$ip computer"
is "a Mac finds it" "$(lan python3 /tmp/ask.py mdns)" "$ip NAS"
is "names are left to systemd-resolved" "$(grep -c ' 00000000:14EB ' /proc/net/udp)" 0
is "no name service of NetBIOS" "$(pgrep -c nmbd) $(grep -c ' 00000000:0089 ' /proc/net/udp)" "0 0"

# The kernel here has ufw's old tables only.
update-alternatives --set iptables /usr/sbin/iptables-legacy >/dev/null
update-alternatives --set ip6tables /usr/sbin/ip6tables-legacy >/dev/null
ufw --force enable >/tmp/ufw 2>&1
t "ufw is on" wait_for 10 bash -c 'ufw status | grep -q "Status: active"' || cat /tmp/ufw
is "list tells it" "$(nas-share list | grep ^firewall)" "firewall kind=ufw"
is "it keeps others out" "$(lan timeout 5 smbclient -N //$ip/public -c ls >/dev/null 2>&1; echo $?)" 124
is "opened" "$(set_share announce=yes firewall=open | tail -1)" "result changed=yes user=nas announced=wsd,mdns firewall=ufw"
is "again: nothing to do" "$(set_share announce=yes firewall=open | tail -1)" "result changed=no user=nas announced=wsd,mdns firewall=ufw"
t "a guest on the LAN gets in" lan smbclient -N //$ip/public -c ls
is "Windows finds it through ufw" "$(lan python3 /tmp/ask.py wsd)" "$ip computer"
is "a Mac too" "$(lan python3 /tmp/ask.py mdns)" "$ip NAS"
is "open for the LAN only" "$(ufw status | awk '/ALLOW/ {print $NF == "nas-setup" ? $(NF-2) : $NF}' | sort -u | xargs)" "192.168.77.0/24 fe80::/10"
ip addr add 10.9.0.1/16 dev eth0
# Another subnet: what was opened for the old one is closed, what somebody opened stays.
ufw allow proto tcp from 192.168.77.0/24 to any port 22 >/dev/null
ufw allow proto tcp from 10.1.2.3 to any port 445 comment 'the office' >/dev/null
open_for() { ufw status | sed -n 's/ ALLOW .*//p;' >/dev/null; ufw status | awk '/ALLOW/ {sub(/ *#.*/, ""); print $1 ":" $NF}' | sort | xargs; }
lan=10.9.0.0/16 at=10.9.0.1 set_share firewall=open >/dev/null
is "another subnet: nothing of the old one" "$(open_for)" "22/tcp:192.168.77.0/24 445/tcp:10.1.2.3 445/tcp:10.9.0.0/16 445/tcp:fe80::/10"
set_share >/dev/null
is "without a yes nothing changes" "$(open_for)" "22/tcp:192.168.77.0/24 445/tcp:10.1.2.3 445/tcp:10.9.0.0/16 445/tcp:fe80::/10"
set_share firewall=open >/dev/null
is "and back" "$(open_for)" "22/tcp:192.168.77.0/24 445/tcp:10.1.2.3 445/tcp:192.168.77.0/24 445/tcp:fe80::/10"
# The provider's prefix changes: the rules follow.
ip addr add 2001:db8:1::1/64 dev eth0 nodad
set_share firewall=open >/dev/null
is "the LAN's IPv6 prefix" "$(open_for | grep -o '2001[^ ]*')" 2001:db8:1::/64
ip addr del 2001:db8:1::1/64 dev eth0
ip addr add 2001:db8:2::1/64 dev eth0 nodad
follows() { [ "$(open_for | grep -o '2001[^ ]*' | xargs)" = 2001:db8:2::/64 ]; }
t "another one: the rules follow" wait_for 60 follows || ufw status
ip addr del 2001:db8:2::1/64 dev eth0
ufw --force disable >/dev/null 2>&1

# firewalld, with the same old tables.
sed -i 's/^FirewallBackend=.*/FirewallBackend=iptables/' /etc/firewalld/firewalld.conf
systemctl start firewalld
t "firewalld runs" wait_for 60 firewall-cmd --state || journalctl -u firewalld | tail -5
firewall-cmd -q --set-default-zone=drop
is "list tells it" "$(nas-share list | grep ^firewall)" "firewall kind=firewalld"
is "it keeps others out" "$(lan timeout 5 smbclient -N //$ip/public -c ls >/dev/null 2>&1; echo $?)" 124
set_share >/dev/null
is "without a yes nothing is opened" "$(firewall-cmd --list-rich-rules)" ""
lan=10.9.0.0/16 at=10.9.0.1 set_share firewall=open >/dev/null
is "opened for another subnet" "$(firewall-cmd --list-rich-rules | grep -o 'address="[^"]*"' | sort -u | xargs)" "address=10.9.0.0/16 address=fe80::/10"
firewall-cmd -q --permanent --add-rich-rule='rule family="ipv4" source address="10.1.2.3" port port="445" protocol="tcp" accept'
is "opened" "$(set_share announce=yes firewall=open | tail -1)" "result changed=yes user=nas announced=wsd,mdns firewall=firewalld"
is "again: nothing to do" "$(set_share announce=yes firewall=open | tail -1)" "result changed=no user=nas announced=wsd,mdns firewall=firewalld"
is "for the LAN only, now and after a boot, and what somebody opened" "$(firewall-cmd --list-rich-rules | grep -o 'address="[^"]*"' | sort -u | xargs) $(firewall-cmd --permanent --list-rich-rules | grep -o 'address="[^"]*"' | sort -u | xargs)" \
        "address=192.168.77.0/24 address=fe80::/10 address=10.1.2.3 address=192.168.77.0/24 address=fe80::/10"
t "a guest on the LAN gets in" lan smbclient -N //$ip/public -c ls
is "Windows finds it through firewalld" "$(lan python3 /tmp/ask.py wsd)" "$ip computer"
systemctl stop firewalld

# Somebody's own rules: told and left.
rules() { nas-share list | sed -n 's/^firewall kind=//p'; }
is "no firewall" "$(rules)" none
iptables-legacy -A INPUT -i lo -j ACCEPT
iptables-legacy -A INPUT -p tcp --dport 22 -j ACCEPT
is "rules that drop nothing" "$(rules)" none
iptables-legacy -A INPUT -j DROP
is "a rule at the end that drops" "$(rules)" rules
out=$(set_share firewall=open 2>/dev/null); rc=$?
is "told and left" "$rc $(grep -o 'code=[a-z-]*' <<<"$out") $(iptables-legacy -S INPUT | grep -c 445)" "1 code=firewall 0"
iptables-legacy -F INPUT
iptables-legacy -P INPUT DROP
is "a policy that drops" "$(rules)" rules
iptables-legacy -P INPUT ACCEPT
family=bridge # the only one that the kernel here has; the lines are the same
nft add table $family t
nft add chain $family t in '{ type filter hook input priority 0; policy accept; }'
nft add rule $family t in tcp dport 22 drop
is "nft: a rule that drops something else" "$(rules)" none
nft add chain $family t out '{ type filter hook forward priority 0; policy drop; }'
is "nft: what is passed on" "$(rules)" none
nft add rule $family t in counter drop
is "nft: a rule at the end that drops ($family)" "$(rules)" rules
nft delete table $family t
nft add table $family t
nft add chain $family t in '{ type filter hook input priority 0; policy drop; }'
is "nft: a policy that drops" "$(rules)" rules
nft delete table $family t

# Backups of Macs; what somebody else shares stays as it is.
printf '[media]\n path = /srv\n guest ok = yes\n[photos of anna]\n path = /srv\n vfs objects = recycle\n recycle:repository = .bin\n write list = anna\n[backup]\n path = /srv\n create mask = 0600\n strict sync = no\n' >>/etc/samba/smb.conf
# What testparm -sv says, which is every value that counts, without our two sections.
foreign() { testparm -sv 2>/dev/null | awk '/^\[/ {ours = $0 == "[public]" || $0 == "[Time Machine]"} !ours'; }
before=$(foreign)
is "all values of foreign shares are looked at" "$([ "$(wc -l <<<"$before")" -gt 300 ] && echo yes)" yes
rm -rf /srv/public/.time-machine
mkdir /srv/elsewhere
echo theirs >/srv/elsewhere/file
ln -s /srv/elsewhere /srv/public/.time-machine
out=$(set_share macs=yes user=anna password-fd=0 timemachine=1000000000 2>/dev/null <<<Backups-of-anna); rc=$?
is "a link in place of the folder for backups" "$rc $(grep -o 'code=[a-z-]*' <<<"$out") $(stat -c '%U %a' /srv/elsewhere)" "1 code=owner root 755"
rm /srv/public/.time-machine
mkdir -m 777 /srv/public/.time-machine
echo theirs >/srv/public/.time-machine/file
out=$(set_share macs=yes user=anna timemachine=1000000000 password-fd=0 2>/dev/null <<<Backups-of-anna); rc=$?
is "a folder of somebody's" "$rc $(grep -o 'code=[a-z-]*' <<<"$out") $(stat -c %U /srv/public/.time-machine/file)" "1 code=owner root"
rm -r /srv/public/.time-machine
secret=Backups-of-anna
out=$(set_share macs=yes user=anna password-fd=0 timemachine=1000000000 <<<"$secret" | tail -1)
is "Time Machine" "$out" "result changed=yes user=nas login=anna"
is "foreign shares have the values they had, all of them" "$(diff <(foreign) - <<<"$before")" ""
is "again" "$(set_share macs=yes user=anna timemachine=1000000000 | tail -1)" "result changed=no user=nas login=anna"
t "the user gets in" bash -c "echo $secret | lan setsid smbclient -U anna '//$ip/Time Machine' -c 'put /etc/fstab x; ls x'"
is "what it wrote is its own" "$(stat -c '%U %a' /srv/public/.time-machine /srv/public/.time-machine/x | xargs)" "anna 700 anna 600"
is "the size is told" "$(echo $secret | lan setsid smbclient -U anna "//$ip/Time Machine" -c ls 2>/dev/null | awk '/blocks of size/ {print ($1 * $5 <= 1000000000) ? "limited" : $0}')" limited
is "a guest does not" "$(lan smbclient -N "//$ip/Time Machine" -c ls 2>&1 | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_ACCESS_DENIED
is "nor through the public share" "$(lan smbclient -N //$ip/public -c 'ls .time-machine/*; get .time-machine/x /tmp/x; rename .time-machine away; rm .time-machine/x' 2>&1 | grep -c NT_STATUS) $(ls /srv/public/.time-machine /tmp/x 2>/dev/null | xargs)" "4 /srv/public/.time-machine: x"
set_share macs=yes user=anna timemachine=1000000000 files=give >/dev/null
is "files=give leaves it" "$(stat -c %U /srv/public/.time-machine/x)" anna
t "guests go on with the modules for Macs" lan smbclient -N //$ip/public -c 'put /etc/fstab a; get a /tmp/a; rm a'
finish
