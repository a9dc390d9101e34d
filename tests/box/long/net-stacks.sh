#!/bin/bash
# Every program that can run a port, with all that cases/net-boot.sh can ask of it.
MORE=2 STACKS=${STACKS:-ifupdown ifupdown-mixed ifupdown-networkd networkd networkd-resolved networkmanager networkmanager-resolvconf netplan-networkd netplan-networkmanager} \
        exec bash "$(dirname "$0")/../cases/net-boot.sh"
