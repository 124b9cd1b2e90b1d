/* kernels/cpu/mirror_wide.h - whole blocks of mirror.h in AVX-512: eight nodes are D vectors
 *
 * Included by mirror.c with NAME(f), VALUE and LOAD(p), a vector of values as doubles.
 */

/* X[b D + q]: vector q of the component b of eight nodes, repeated for the rows of each. */
ISA static inline __attribute__((always_inline)) void NAME(spread)(int D, const double *z, wide *X)
{
  const wide a = DOUBLES(z), b = D > 1 ? DOUBLES(z + 8) : a;
  if (D == 1) X[0] = a;
  if (D == 2) {
    X[0] = SHUFFLE(a, a, 0, 0, 2, 2, 4, 4, 6, 6);
    X[1] = SHUFFLE(b, b, 0, 0, 2, 2, 4, 4, 6, 6);
    X[2] = SHUFFLE(a, a, 1, 1, 3, 3, 5, 5, 7, 7);
    X[3] = SHUFFLE(b, b, 1, 1, 3, 3, 5, 5, 7, 7);
  }
  if (D == 3) {
    const wide c = DOUBLES(z + 16), d = DOUBLES(z + 7);
    X[0] = SHUFFLE(a, a, 0, 0, 0, 3, 3, 3, 6, 6);
    X[1] = SHUFFLE(a, b, 6, 9, 9, 9, 12, 12, 12, 15);
    X[2] = SHUFFLE(b, c, 7, 7, 10, 10, 10, 13, 13, 13);
    X[3] = SHUFFLE(a, a, 1, 1, 1, 4, 4, 4, 7, 7);
    X[4] = SHUFFLE(d, c, 0, 3, 3, 3, 6, 6, 6, 8);
    X[5] = SHUFFLE(c, c, 0, 0, 3, 3, 3, 6, 6, 6);
    X[6] = SHUFFLE(a, b, 2, 2, 2, 5, 5, 5, 8, 8);
    X[7] = SHUFFLE(b, c, 0, 3, 3, 3, 6, 6, 6, 9);
    X[8] = SHUFFLE(c, c, 1, 1, 4, 4, 4, 7, 7, 7);
  }
}

/* The eight entries that end `lanes` before the end of b, a before b. */
ISA static inline __attribute__((always_inline)) wide NAME(behind)(int lanes, wide a, wide b)
{
  return lanes == 1   ? SHUFFLE(a, b, 7, 8, 9, 10, 11, 12, 13, 14)
         : lanes == 2 ? SHUFFLE(a, b, 6, 7, 8, 9, 10, 11, 12, 13)
         : lanes == 3 ? SHUFFLE(a, b, 5, 6, 7, 8, 9, 10, 11, 12)
         : lanes == 4 ? SHUFFLE(a, b, 4, 5, 6, 7, 8, 9, 10, 11)
                      : SHUFFLE(a, b, 2, 3, 4, 5, 6, 7, 8, 9);
}

/* The eight entries from a[g] on, b behind a. */
ISA static inline __attribute__((always_inline)) wide NAME(ahead)(int g, wide a, wide b)
{
  return g == 1 ? SHUFFLE(a, b, 1, 2, 3, 4, 5, 6, 7, 8) : SHUFFLE(a, b, 2, 3, 4, 5, 6, 7, 8, 9);
}

/* O[i D + b] = s[b][i D + b] + s[b][i D + b+1] + s[b][i D + b+2], the indices behind i D mod D.  The planes
 * are blended so that for each summand every lane is in one vector, at most a node away. */
ISA static inline __attribute__((always_inline)) void NAME(fold)(int D, const wide *s, wide *O)
{
  if (D == 1) O[0] = s[0];
  if (D == 2)
    for (int q = 0; q < 2; q++)
      O[q] = SHUFFLE(s[q], s[2 + q], 0, 9, 2, 11, 4, 13, 6, 15) +
             SHUFFLE(s[q], s[2 + q], 1, 8, 3, 10, 5, 12, 7, 14);
  if (D == 3) {
    const wide a0 = THIRDS(s[0], s[3], s[6], 0), a1 = THIRDS(s[1], s[4], s[7], 1),
               a2 = THIRDS(s[2], s[5], s[8], 2);
    const wide b0 = THIRDS(s[6], s[0], s[3], 0), b1 = THIRDS(s[7], s[1], s[4], 1),
               b2 = THIRDS(s[8], s[2], s[5], 2);
    const wide c0 = THIRDS(s[3], s[6], s[0], 0), c1 = THIRDS(s[4], s[7], s[1], 1),
               c2 = THIRDS(s[5], s[8], s[2], 2);
    const wide d  = SHUFFLE(b0, b1, 6, 10, 11, 9, 13, 14, 12, 15),
               e  = SHUFFLE(c0, c1, 7, 11, 9, 10, 14, 12, 13, 15);
    O[0]          = a0 + SHUFFLE(b0, b1, 1, 2, 0, 4, 5, 3, 7, 8) + SHUFFLE(c0, c1, 2, 0, 1, 5, 3, 4, 8, 6);
    O[1]          = a1 + SHUFFLE(d, b2, 0, 1, 2, 3, 4, 5, 6, 8) + SHUFFLE(e, c2, 0, 1, 2, 3, 4, 5, 6, 9);
    O[2] = a2 + SHUFFLE(b1, b2, 9, 7, 11, 12, 10, 14, 15, 13) + SHUFFLE(c1, c2, 7, 8, 12, 10, 11, 15, 13, 14);
  }
}

ISA static inline __attribute__((always_inline)) int64_t NAME(wide_of)(int D, int G, mirrored what,
                                                                       const mirror_run *R, products last)
{
  const double *here = R->here, *there = R->there;
  double       *y = R->y, *t = R->t;
  const int     g0            = what == OWN;
  const int64_t n             = R->n * D;
  wide          carry[PLANES] = {{0.0}}; /* the last products of each plane */
  wide          x1            = DOUBLES(there);
  int64_t       r             = 0;
  for (; r + 8 * D <= n; r += 8 * D) {
    wide sum[BF_MIRROR_D], X[BF_MIRROR_D * BF_MIRROR_D], s[BF_MIRROR_D * BF_MIRROR_D] = {{0.0}},
                                                                         O[BF_MIRROR_D];
    const wide x0 = x1;
    if (D == 1) x1 = DOUBLES(there + r + 8);
    for (int q = 0; q < D; q++) sum[q] = DOUBLES(y + r + 8 * q);
    for (int g = 0; g < G; g++) {
      if (D == 1) /* one load of x for the three diagonals: line by line it crosses */
        X[0] = g == 0 ? x0 : NAME(ahead)(g, x0, x1);
      else
        NAME(spread)(D, there + r + g * D, X);
      for (int b = 0; b < D; b++) {
        const VALUE *u      = (const VALUE *)R->v[g * D + b] + r;
        wide         before = carry[g * D + b];
        for (int q = 0; q < D; q++) {
          if (q * 8 * (int)sizeof(VALUE) % LINE == 0)
            __builtin_prefetch((const char *)(u + 8 * q) + AHEAD, 0, 2);
          const wide value = LOAD(u + 8 * q);
          sum[q] += value * X[b * D + q];
          if (g < g0 || what == NOWHERE) continue;
          const wide p = value * DOUBLES(here + r + 8 * q);
          if (g == 0)
            s[b * D + q] = p;
          else if (g == g0)
            s[b * D + q] = NAME(behind)(g * D, before, p);
          else
            s[b * D + q] += NAME(behind)(g * D, before, p);
          before = p;
        }
        carry[g * D + b] = before;
      }
    }
    if (what != NOWHERE) NAME(fold)(D, s, O);
    for (int q = 0; what == OWN && q < D; q++) sum[q] += O[q];
    for (int q = 0; q < D; q++) *(wide *)(y + r + 8 * q) = sum[q];
    for (int q = 0; what == OTHER && q < D; q++) *(wide *)(t + r + 8 * q) += O[q];
  }
  for (int k = 0; k < G * D; k++)
    for (int l = 0; l < LAST * D; l++) last[k][l] = carry[k][8 - LAST * D + l];
  return r / D;
}

ISA static inline __attribute__((always_inline)) int64_t NAME(wide)(int D, int G, const mirror_run *R,
                                                                    products last)
{
  return !R->t          ? NAME(wide_of)(D, G, NOWHERE, R, last)
         : R->t == R->y ? NAME(wide_of)(D, G, OWN, R, last)
                        : NAME(wide_of)(D, G, OTHER, R, last);
}
