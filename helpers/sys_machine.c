#include "helpers/sys_machine.h"

#include "helpers/lib/file.h"
#include "helpers/lib/helper.h"

/* What the makers of virtual machines write there, as systemd-detect-virt(1) knows them. */
static const struct {
        const char *file, *begins, *name;
} kinds[] = {
        {"/sys/class/dmi/id/sys_vendor", "QEMU", "QEMU"},
        {"/sys/class/dmi/id/product_name", "KVM", "KVM"},
        {"/sys/class/dmi/id/sys_vendor", "VMware", "VMware"},
        {"/sys/class/dmi/id/sys_vendor", "innotek", "VirtualBox"},
        {"/sys/class/dmi/id/product_name", "VirtualBox", "VirtualBox"},
        {"/sys/class/dmi/id/product_name", "Virtual Machine", "Hyper-V"},
        {"/sys/class/dmi/id/sys_vendor", "Xen", "Xen"},
        {"/sys/hypervisor/type", "xen", "Xen"},
        {"/sys/class/dmi/id/sys_vendor", "Parallels", "Parallels"},
        {"/sys/class/dmi/id/bios_vendor", "Bochs", "Bochs"},
        {"/sys/class/dmi/id/sys_vendor", "Amazon EC2", "Amazon EC2"},
        {"/sys/class/dmi/id/product_name", "Google Compute", "Google Compute Engine"},
};

void machine_print(void)
{
        for (size_t i = 0; i < ELEMENTSOF(kinds); i++) {
                _cleanup_free_ char *path = helper_path(kinds[i].file), *line = NULL;
                if (read_line(path, &line) < 0 || !has_prefix(line, kinds[i].begins))
                        continue;
                _cleanup_record_ struct record *r = record_new("machine");
                record_set(r, "virtual", kinds[i].name);
                record_print(r, stdout);
                return;
        }
}
