// SPDX-License-Identifier: GPL-2.0-or-later
// The QEMU plugin: QEMU's events in, calls to the core out.
#include <stdio.h>
#include <unistd.h>

#include "api.h"
#include "command.h"
#include "endings.h"
#include "following.h"
#include "guest.h"
#include "options.h"
#include "output.h"
#include "recorder.h"
#include "translation.h"

// As QEMU returns them of system calls that did not happen.
enum { RESTARTED = -512, MOST_ERRORS = 4095 };

EXPORTED extern int qemu_plugin_version;
int qemu_plugin_version = PHASEMARK_QEMU_API;

EXPORTED int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv);

static void created(plugin_id id, unsigned vcpu)
{
    (void)id;
    recorder_thread_created(vcpu);
}

static void ended(plugin_id id, unsigned vcpu)
{
    (void)id;
    recorder_thread_ended(vcpu);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    endings_begin();
    translation_translated(id, tb);
}

static void called(plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a6, (void)a7, (void)a8;
    struct slot *slot = &slots[vcpu];
    slot->call = number;
    slot->arguments[0] = a1;
    slot->arguments[1] = a2;
    slot->arguments[2] = a3;
    slot->arguments[3] = a4;
    slot->arguments[4] = a5;
    recorder_leave(slot);
    if (number == guest->execve)
        following_exec(-1, a1, a2, a3, 0);
    else if (number == guest->execveat)
        following_exec((int)a1, a2, a3, a4, (int)a5);
}

// What was mapped is there no more, or something else is in its place.
static void forget_mapping(const struct slot *slot, int64_t number, uint64_t result)
{
    uint64_t start = slot->arguments[0], length = slot->arguments[1];
    struct pm_modules *modules = &recorder_collector()->modules;
    recorder_lock();
    if (number != guest->mmap)
        pm_modules_unmap(modules, start, length);
    if (number != guest->munmap)
        pm_modules_unmap(modules, result, number == guest->mremap ? slot->arguments[2] : length);
    recorder_unlock();
}

static void returned(plugin_id id, unsigned vcpu, int64_t number, int64_t result)
{
    (void)id;
    struct slot *slot = &slots[vcpu];
    recorder_return(slot);
    endings_begin();
    if (result == RESTARTED)
        recorder_undo_last(slot);
    else if (number == guest->sigreturn)
        recorder_resume(slot);
    else if (number == guest->sigaction)
        endings_watch();
    else if ((number == guest->mmap || number == guest->munmap || number == guest->mremap)
             && !(result < 0 && result >= -MOST_ERRORS))
        forget_mapping(slot, number, (uint64_t)result);
}

static void exited(plugin_id id, void *nothing)
{
    (void)id, (void)nothing;
    recorder_lock();
    recorder_end();
    recorder_unlock();
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
    if (info->system_emulation || !guest_begin(info->target_name)) {
        fprintf(stderr, "phasemark: programs for %s are not recorded\n", info->target_name);
        return -1;
    }
    if (!options_read(argc, argv) || !command_read(options.words)) {
        fprintf(stderr, "phasemark: this plugin is for phasemark's own command lines\n");
        return -1;
    }
    if (!recorder_begin()) {
        const char *why = output_error();
        fprintf(stderr, "phasemark: %s\n", why ? why : "the cuts cannot be read");
        _exit(1);
    }
    translation_begin(info->version.current);
    qemu_plugin_register_vcpu_init_cb(id, created);
    qemu_plugin_register_vcpu_exit_cb(id, ended);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
    qemu_plugin_register_atexit_cb(id, exited, NULL);
    return 0;
}
