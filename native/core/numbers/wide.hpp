#pragma once

// Marks a function to be compiled for wider vector instructions too; the machine chooses at run time. None
// of them fuses a multiplication with an addition, so all give the same bits.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__)
#define PHASEMARK_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define PHASEMARK_WIDE
#endif
