/* inputs/depends.c - see depends.h
 *
 * x - x, 0*x and x/x are constant: evaluation for several values of x detects this.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs/depends.h"
#include <math.h>
#include <string.h>

typedef struct trial {
  bf_qdepends *out;
  int          number;
} trial;

/* One step of splitmix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014,
 * doi:10.1145/2660193.2660195). */
static uint64_t mix(uint64_t z)
{
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* The same number for two quantities of the same text, and for an entry of a symmetric matrix and its mirror
 * image; `column` is not part of it. */
static uint64_t hash_of(const bf_qref *ref)
{
  const int         low      = ref->other && ref->other < ref->number; /* the entry below the diagonal */
  const char *const text[]   = {ref->name, ref->field, ref->group};
  const int         number[] = {(int)ref->kind, low ? ref->other : ref->number, ref->over,     ref->component,
                                ref->tensor,    low ? ref->number : ref->other, ref->relative, ref->nformulas};
  uint64_t          h        = 0;
  for (int i = 0; i < 3; i++) {
    for (const char *p = text[i]; *p; p++) h = mix(h ^ (unsigned char)*p);
    h = mix(h ^ 256u);
  }
  for (int i = 0; i < 8; i++) h = mix(h ^ (uint64_t)(uint32_t)number[i]);
  for (int i = 0; i < ref->nformulas; i++) {
    for (int k = 0; k < ref->length[i]; k++) h = mix(h ^ (unsigned char)ref->formula[i][k]);
    h = mix(h ^ 256u);
  }
  return h;
}

/* In [0, 1). */
static double uniform(uint64_t *h)
{
  *h = mix(*h);
  return (double)(*h >> 11) * 0x1p-53;
}

static bf_err value_of(void *context, const bf_qref *ref, double *value)
{
  trial   *t = context;
  uint64_t h = mix(hash_of(ref) ^ (uint64_t)t->number);
  t->out->quantities += t->number == 0;
  const double size = pow(10.0, 18.0 * uniform(&h) - 9.0), sign = uniform(&h) < 0.5 ? -1.0 : 1.0;
  *value = sign * size;
  return BF_OK;
}

bf_err bf_quantity_depends(const char *text, bf_qdepends *out)
{
  double value[BF_Q_TRIALS], error[BF_Q_TRIALS];
  int    n = 0;
  *out     = (bf_qdepends){.quantities = 0};
  for (int i = 0; i < BF_Q_TRIALS; i++) {
    trial t = {out, i};
    BF_TRY(bf_quantity_try(text, value_of, &t, &value[n], &error[n]));
    n += isfinite(value[n]) && isfinite(error[n]);
  }
  out->varies = out->quantities > 0 && n < BF_Q_TRIALS / 2;
  for (int i = 1; i < n; i++) out->varies |= fabs(value[i] - value[0]) > 2.0 * (error[i] + error[0]);
  return BF_OK;
}
