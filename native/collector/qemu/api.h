// SPDX-License-Identifier: GPL-2.0-or-later
// What is used of QEMU's interface for plugins, declared here because distributions package no header of
// it. The same declarations serve every generation of it; which one a plugin was made for is told by the
// number that it exports (PHASEMARK_QEMU_API), and QEMU loads none made for another.
#ifndef PHASEMARK_QEMU_API_H
#define PHASEMARK_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

typedef uint64_t plugin_id;

// What QEMU says of itself; more follows that is not used.
struct qemu_info {
    const char *target_name;
    struct {
        int oldest, current;
    } version;
    bool system_emulation;
};

// A translation block and an instruction of it, while it is translated.
struct qemu_plugin_tb;
struct qemu_plugin_insn;

// Which registers a callback looks at: none.
enum { CALLBACK_NO_REGISTERS = 0 };

typedef void (*on_vcpu)(plugin_id id, unsigned vcpu);
typedef void (*on_execution)(unsigned vcpu, void *data);
typedef void (*on_translation)(plugin_id id, struct qemu_plugin_tb *tb);
typedef void (*on_ending)(plugin_id id, void *data);
typedef void (*on_syscall)(plugin_id id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                           uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                           uint64_t a8);
typedef void (*on_syscall_return)(plugin_id id, unsigned vcpu, int64_t number, int64_t result);

void qemu_plugin_register_vcpu_init_cb(plugin_id id, on_vcpu call);
void qemu_plugin_register_vcpu_exit_cb(plugin_id id, on_vcpu call);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, on_translation call);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, on_syscall call);
void qemu_plugin_register_vcpu_syscall_ret_cb(plugin_id id, on_syscall_return call);
void qemu_plugin_register_atexit_cb(plugin_id id, on_ending call, void *data);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, on_execution call, int flags,
                                          void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, on_execution call,
                                            int flags, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

// Up to the second generation it returns where the bytes are, and ignores what follows the first argument;
// since the third it copies them, and returns how many.
uintptr_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t room);

#endif
