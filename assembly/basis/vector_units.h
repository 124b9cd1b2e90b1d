/* assembly/basis/vector_units.h - inside assembly/: functions compiled for several vector units */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_VECTOR_UNITS_H
#define BF_ASSEMBLY_BASIS_VECTOR_UNITS_H

/* A function compiled for several vector units; the one of the machine is selected at program start. Products
 * and sums are not fused (ISO C), so the results are the same on all of them. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define BF_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define BF_VECTOR
#endif
#endif
