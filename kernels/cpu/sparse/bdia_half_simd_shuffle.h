/* kernels/cpu/sparse/bdia_half_simd_shuffle.h - eight nodes of D interleaved components as D vectors and
 * back, in AVX-512, vectors shifted by a node or two, and prefetches
 */
/* SPDX-License-Identifier: BSD-3-Clause */
ISA static inline __attribute__((always_inline)) void split(int D, const double *z, wide *X)
{
  const wide a = DOUBLES(z), b = D > 1 ? DOUBLES(z + WIDE) : a, c = D > 2 ? DOUBLES(z + 2 * WIDE) : a;
  if (D == 1) X[0] = a;
  if (D == 2) {
    X[0] = SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    X[1] = SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
  }
  if (D == 3) {
    X[0] = SHUFFLE(SHUFFLE(a, b, 0, 3, 6, 9, 12, 15, -1, -1), c, 0, 1, 2, 3, 4, 5, 10, 13);
    X[1] = SHUFFLE(SHUFFLE(a, b, 1, 4, 7, 10, 13, -1, -1, -1), c, 0, 1, 2, 3, 4, 8, 11, 14);
    X[2] = SHUFFLE(SHUFFLE(a, b, 2, 5, 8, 11, 14, -1, -1, -1), c, 0, 1, 2, 3, 4, 9, 12, 15);
  }
}

/* Two nodes only, the other lanes are undefined; reads 2, 4, 8 entries. */
ISA static inline __attribute__((always_inline)) void split_two(int D, const double *z, wide *X)
{
  if (D == 1) X[0] = (wide)_mm512_castpd128_pd512(_mm_loadu_pd(z));
  if (D == 2) {
    const wide a = (wide)_mm512_castpd256_pd512(_mm256_loadu_pd(z));
    X[0]         = SHUFFLE(a, a, 0, 2, 0, 2, 0, 2, 0, 2);
    X[1]         = SHUFFLE(a, a, 1, 3, 1, 3, 1, 3, 1, 3);
  }
  if (D == 3) {
    const wide a = DOUBLES(z);
    X[0]         = SHUFFLE(a, a, 0, 3, 0, 3, 0, 3, 0, 3);
    X[1]         = SHUFFLE(a, a, 1, 4, 1, 4, 1, 4, 1, 4);
    X[2]         = SHUFFLE(a, a, 2, 5, 2, 5, 2, 5, 2, 5);
  }
}

/* The nodes of T[0], T[step], .. in their order in memory. */
ISA static inline __attribute__((always_inline)) void join(int D, const wide *T, int step, wide *J)
{
  const wide a = T[0], b = D > 1 ? T[step] : a, c = D > 2 ? T[2 * step] : a;
  if (D == 1) J[0] = a;
  if (D == 2) {
    J[0] = SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    J[1] = SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  if (D == 3) {
    J[0] = SHUFFLE(SHUFFLE(a, b, 0, 8, -1, 1, 9, -1, 2, 10), c, 0, 1, 8, 3, 4, 9, 6, 7);
    J[1] = SHUFFLE(SHUFFLE(a, b, -1, 3, 11, -1, 4, 12, -1, 5), c, 10, 1, 2, 11, 4, 5, 12, 7);
    J[2] = SHUFFLE(SHUFFLE(a, b, 13, -1, 6, 14, -1, 7, 15, -1), c, 0, 13, 2, 3, 14, 5, 6, 15);
  }
}

/* t += them */
ISA static inline __attribute__((always_inline)) void add_joined(int D, const wide *T, int step, double *t)
{
  wide J[BF_HALF_TILES_D];
  join(D, T, step, J);
  for (int d = 0; d < D; d++) *(wide *)(t + WIDE * d) += J[d];
}

/* ... of two nodes, the other lanes are 0; D = 3 adds two zeros after them. */
ISA static inline __attribute__((always_inline)) void add_two(int D, const wide *T, int step, double *t)
{
  const wide a = T[0], b = D > 1 ? T[step] : a, c = D > 2 ? T[2 * step] : a;
  if (D == 1) *(pair *)t += SHUFFLE(a, a, 0, 1);
  if (D == 2) *(four *)t += SHUFFLE(a, b, 0, 8, 1, 9);
  if (D == 3) *(wide *)t += SHUFFLE(SHUFFLE(a, b, 0, 8, -1, 1, 9, -1, 2, 10), c, 0, 1, 8, 3, 4, 9, 10, 10);
}

/* Prefetches values before vector k of a group of diagonals is read; bytes: of a value. For fp64 once per
 * group, the hardware prefetcher of L2 continues from there; for fp32, where a line lasts twice as long,
 * each line.
 */
ISA static inline __attribute__((always_inline)) void ask(const void *u, int k, int bytes)
{
  if (bytes == 8 ? k == 0 : k % 2 == 0)
    __builtin_prefetch((const char *)u + (bytes == 8 ? AHEAD : AHEAD32), 0, 2);
}

/* The eight entries of a, followed by b, from entry `first` of a on */
#define FROM(first, a, b) ((wide)_mm512_alignr_epi64((__m512i)(b), (__m512i)(a), first))

/* ... that start g = 1, 2 entries after the start of a, */
ISA static inline __attribute__((always_inline)) wide ahead(int g, wide a, wide b)
{
  return g == 1 ? FROM(1, a, b) : FROM(2, a, b);
}

/* ... that end g before the end of b. */
ISA static inline __attribute__((always_inline)) wide behind(int g, wide a, wide b)
{
  return g == 1 ? FROM(7, a, b) : FROM(6, a, b);
}
