"""What a home's router does on br0, for as long as the box runs: a DNS server that knows 192.168.77.99 for every name, and
an announcement of fd77::/64 with itself as the gateway every second (RFC 1035, RFC 4861), after each of which the file /run/lan.announced is there."""
import socket, struct, threading, time


def dns():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("192.168.77.50", 53))
    while True:
        q, who = s.recvfrom(1500)
        end = q.index(0, 12) + 5
        is_a = q[end - 4:end - 2] == b"\0\1"
        answer = b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4" + bytes([192, 168, 77, 99]) if is_a else b""
        s.sendto(q[:2] + b"\x81\x80\0\1" + (b"\0\1" if is_a else b"\0\0") + b"\0\0\0\0" + q[12:end] + answer, who)


def announce():
    s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, socket.if_nametoindex("br0"))
    prefix = struct.pack("!BBBBIII", 3, 4, 64, 0xC0, 86400, 14400, 0) + socket.inet_pton(socket.AF_INET6, "fd77::")
    while True:
        s.sendto(struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, 1800, 0, 0) + prefix, ("ff02::1", 0))
        open("/run/lan.announced", "w").close()
        time.sleep(1)


threading.Thread(target=dns, daemon=True).start()
announce()
