#include "helpers/net_news.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "helpers/lib/helper.h"

int news_open(void)
{
        struct sockaddr_nl address = {.nl_family = AF_NETLINK,
                                      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR |
                                                   RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE};
        _cleanup_close_ int fd = -1;

        if (!helper_has_root())
                fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
        return fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -1 : TAKE_FD(fd);
}

void news_take(int fd)
{
        char message[8192];

        while (recv(fd, message, sizeof(message), 0) > 0 || errno == ENOBUFS)
                ;
}
