/* Compiles kernels for several instruction sets. At its start the program chooses the widest one that the machine has;
 * ABUT_NO_CLONES keeps only the oldest. Contraction is off (cmake/AbutOptions.cmake), so that every clone gives the
 * same bits. */
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__) && !defined(ABUT_NO_CLONES)
#define ABUT_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ABUT_CLONES
#endif

/* Marks functions that cloned kernels use. They must be inlined; otherwise they are only compiled for the oldest
 * instruction set. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
