/* app/bench/dense.c - matrices of the batched tables, and the tables themselves; see dense.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/dense.h"
#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 20, IN_ROW = 33 };

/* The hash of splitmix64, as a number in (-1/2, 1/2). */
static double entry(uint64_t k)
{
  uint64_t z = (k + 1) * 0x9E3779B97F4A7C15u;
  z          = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z          = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52 - 0.5;
}

/* Entry (i, j) of matrix k as (re, im). */
static void value(const bf_dense_case *c, bf_int k, bf_int i, bf_int j, double v[2])
{
  const int definite  = c->work == BF_DENSE_CHOLESKY || (c->work == BF_DENSE_PENCIL && k % 2 == 1),
            hermitian = definite || c->work == BF_DENSE_EIGEN || c->work == BF_DENSE_PENCIL,
            turned    = hermitian && i < j;
  const uint64_t at   = ((uint64_t)k * 1024 + (uint64_t)(turned ? j : i)) * 1024 + (uint64_t)(turned ? i : j);
  v[0]                = entry(2 * at) + (definite && i == j ? c->n : 0.0);
  v[1]                = hermitian && i == j ? 0.0 : turned ? -entry(2 * at + 1) : entry(2 * at + 1);
}

static bf_err make(bf_dense_case *c)
{
  const int    complex = c->type == BF_C || c->type == BF_Z, single = c->type == BF_S || c->type == BF_C;
  const int    parts = complex ? 2 : 1;
  const size_t n     = (size_t)c->n;
  const bf_int all   = c->pool * (c->work == BF_DENSE_PENCIL ? 2 : 1);
  char        *room  = NULL;
  BF_TRY(BF_NEW_ARRAY(room, (int64_t)c->pool * (int64_t)c->each));
  c->made = room;
#pragma omp parallel for
  for (bf_int k = 0; k < all; k++)
    for (bf_int j = 0; j < c->n; j++)
      for (bf_int i = 0; i < c->n; i++) {
        const size_t at = (((size_t)k * n + (size_t)j) * n + (size_t)i) * (size_t)parts;
        double       v[2];
        value(c, k, i, j, v);
        for (int p = 0; p < parts; p++)
          if (single)
            ((float *)c->made)[at + (size_t)p] = (float)v[p];
          else
            ((double *)c->made)[at + (size_t)p] = v[p];
      }
  return BF_OK;
}

/* origin: the pool, then itself twice as long, and so on. */
static bf_err repeat(bf_dense_case *c)
{
  bf_backend *be   = c->b->be;
  char       *to   = c->origin;
  size_t      have = (size_t)c->pool * c->each, all = (size_t)c->count * c->each;
  BF_TRY(be->ops.copy(be, to, c->made, have, BF_TO_DEVICE));
  for (; have < all; have *= 2)
    BF_TRY(be->ops.copy(be, to + have, to, have < all - have ? have : all - have, BF_WITHIN));
  return be->ops.sync(be);
}

bf_err bf_dense_case_create(bf_bench *b, bf_dense_work work, bf_scalar type, bf_int n, bf_int count,
                            bf_dense_case *out)
{
  static const size_t item[] = {4, 8, 8, 16};
  bf_err              err    = BF_OK;
  bf_dense_case       c      = {.b = b, .work = work, .type = type, .n = n, .count = count};
  c.each                     = (size_t)n * (size_t)n * item[type] * (work == BF_DENSE_PENCIL ? 2 : 1);
  c.batches                  = n <= IN_ROW && RUNS * (double)count * (double)c.each <= 0x1p30 ? RUNS : 1;
  const double most          = fmax(16.0, 0x1p25 / (double)c.each);
  c.pool                     = count < most ? count : (bf_int)most;
  BF_GO(make(&c));
  BF_GO(b->be->ops.alloc(b->be, (size_t)count * c.each, &c.origin));
  BF_GO(b->be->ops.alloc(b->be, (size_t)c.batches * (size_t)count * c.each, &c.a));
  BF_GO(repeat(&c));
done:
  if (err != BF_OK) bf_dense_case_destroy(&c);
  *out = c;
  return err;
}

void bf_dense_case_destroy(bf_dense_case *c)
{
  c->b->be->ops.release(c->b->be, c->origin);
  c->b->be->ops.release(c->b->be, c->a);
  bf_host_free(c->made);
  c->origin = c->a = c->made = NULL;
}

bf_err bf_dense_case_restore(bf_dense_case *c)
{
  const size_t bytes = (size_t)c->count * c->each;
  for (int k = 0; k < c->batches; k++)
    BF_TRY(c->b->be->ops.copy(c->b->be, (char *)c->a + (size_t)k * bytes, c->origin, bytes, BF_WITHIN));
  return BF_OK;
}

bf_err bf_dense_case_halve(bf_dense_case *c)
{
  const size_t n = (size_t)c->n, item = c->each / (n * n);
  for (size_t k = 1; k < (size_t)c->pool; k += 2)
    for (size_t at = 0; at < n * n; at++)
      if (at % (n + 1) != 0) memset((char *)c->made + k * c->each + at * item, 0, item);
  return repeat(c);
}

bf_err bf_dense_case_failed(const bf_dense_case *c, const int *info, int *failed)
{
  bf_err err  = BF_OK;
  int   *host = NULL;
  BF_GO(BF_NEW_ARRAY(host, c->count));
  BF_GO(c->b->be->ops.copy(c->b->be, host, info, (size_t)c->count * sizeof *host, BF_TO_HOST));
  BF_GO(c->b->be->ops.sync(c->b->be));
  *failed = 0;
  for (bf_int k = 0; k < c->count; k++) *failed += host[k] != 0;
done:
  bf_host_free(host);
  return err;
}

bf_bench_row bf_dense_case_row(const bf_dense_case *c, const char *kernel)
{
  /* sustained by one H200: fp32 by FFMA, fp64 by m16n8k16 DMMA */
  static const double peak[] = {63.9e12, 66.3e12, 63.9e12, 66.3e12};
  const double        n = c->n, complex = c->type == BF_C || c->type == BF_Z ? 4.0 : 1.0;
  const double        third[] = {[BF_DENSE_LU]       = 2.0,
                                 [BF_DENSE_INVERSE]  = 6.0,
                                 [BF_DENSE_CHOLESKY] = 1.0,
                                 [BF_DENSE_EIGEN]    = 27.0,
                                 [BF_DENSE_PENCIL]   = 34.0};
  /* EIGEN: of the 9 n^3 of the usual count a reduction to a tridiagonal and back cannot avoid 10/3; PENCIL:
   * besides, Cholesky's factor, L^-1 A L^-H of one triangle, and L^-H Z */
  const double least[] = {[BF_DENSE_LU]       = 2.0,
                          [BF_DENSE_INVERSE]  = 6.0,
                          [BF_DENSE_CHOLESKY] = 1.0,
                          [BF_DENSE_EIGEN]    = 10.0,
                          [BF_DENSE_PENCIL]   = 17.0};
  bf_bench_row row     = {.kernel = kernel, .error = -1.0};
  const double part    = c->work == BF_DENSE_CHOLESKY ? 0.5 * (n + 1.0) / n
                         : c->work == BF_DENSE_PENCIL ? 0.75 /* B is only read */
                                                      : 1.0;
  row.bytes            = 2.0 * part * (double)c->each * c->count;
  row.flops            = third[c->work] / 3.0 * n * n * n * complex * c->count;
  row.floor            = row.bytes / c->b->copy;
  if (c->b->be->ops.on_device)
    row.floor = fmax(row.floor, least[c->work] / third[c->work] * row.flops / peak[c->type]);
  return row;
}

void bf_dense_case_part(const bf_dense_case *c, double part, bf_bench_row *row)
{
  row->flops *= part;
  row->floor = fmax(row->bytes / c->b->copy, part * row->floor);
}

/* of(the case), under its heading, where it was asked for */
static bf_err one(bf_bench *b, bf_dense_work work, bf_scalar type, bf_int n, bf_int count,
                  bf_err (*of)(bf_dense_case *c))
{
  bf_dense_case c;
  snprintf(b->name, sizeof b->name, "%c%dx%d", "sdcz"[type], (int)n, (int)count);
  if (!bf_bench_selected(b, b->name) || bf_bench_listed(b, b->name)) return BF_OK;
  b->peer = b->best = 0.0;
  BF_TRY(bf_dense_case_create(b, work, type, n, count, &c));
  b->shown++;
  printf("%s: %d matrices of order %d%s\n", b->name, (int)count, (int)n,
         c.batches > 1 ? ", 20 runs in a row" : "");
  const bf_err err = of(&c);
  bf_dense_case_destroy(&c);
  return err;
}

static bf_err rows(bf_dense_case *c)
{
  BF_TRY(bf_dense_case_peers(c));
  BF_TRY(bf_dense_case_others(c));
  return bf_dense_case_own(c);
}

typedef struct dense_size {
  bf_int n, count;
  int    quick, host; /* measured with --quick, on the host; on a device all but those of --quick alone */
} dense_size;

/* Whole, at most `most`, and what stands behind it; else 0 */
static bf_int number(const char *word, bf_int most, const char **behind)
{
  char      *end  = NULL;
  const long read = word[0] >= '1' && word[0] <= '9' ? strtol(word, &end, 10) : 0;
  *behind         = end ? end : word;
  return read > 0 && read <= most ? (bf_int)read : 0;
}

/* --case d300x4000: double, order 300, 4000 matrices, whether it is in a table or not */
static int named(const char *word, bf_scalar *type, bf_int *n, bf_int *count)
{
  static const char letters[] = "sdcz";
  const char       *letter    = word[0] ? strchr(letters, word[0]) : NULL;
  if (!letter) return 0;
  *type = (bf_scalar)(letter - letters);
  *n    = number(word + 1, 1 << 15, &word);
  if (*n == 0 || *word != 'x') return 0;
  *count = number(word + 1, INT32_MAX, &word);
  return *count > 0 && *word == '\0';
}

/* of(case) for what was asked for, or for all cases of the table */
static bf_err cases(bf_bench *b, bf_dense_work work, const dense_size *all, size_t sizes,
                    bf_err (*of)(bf_dense_case *c))
{
  bf_scalar type;
  bf_int    n, count;
  for (int k = 0; k < b->nonly; k++)
    if (named(b->only[k], &type, &n, &count)) BF_TRY(one(b, work, type, n, count, of));
  for (type = BF_S; type <= BF_Z && b->nonly == 0; type++)
    for (size_t k = 0; k < sizes; k++) {
      const dense_size *s = &all[k];
      if (b->quick ? s->quick == 0 : b->be->ops.on_device ? s->quick == 2 : s->host == 0) continue;
      BF_TRY(one(b, work, type, s->n, s->count, of));
    }
  return BF_OK;
}

static bf_err table(bf_bench *b, bf_dense_work work, const dense_size *all, size_t sizes)
{
  return cases(b, work, all, sizes, rows);
}

static bf_err factor_table(bf_bench *b, bf_dense_work work)
{
  static const dense_size all[] = {
      {8, 10000, 0, 1},   {16, 10000, 0, 1},  {32, 10000, 0, 1},  {33, 10000, 0, 1},  {48, 10000, 0, 0},
      {64, 10000, 0, 0},  {65, 10000, 0, 0},  {96, 10000, 0, 0},  {128, 10000, 0, 0}, {129, 10000, 0, 0},
      {160, 10000, 0, 0}, {190, 10000, 0, 0}, {256, 4000, 0, 0},  {384, 4000, 0, 0},  {8, 1, 1, 1},
      {8, 100, 1, 1},     {8, 1000, 0, 1},    {32, 1, 0, 1},      {32, 100, 0, 1},    {32, 1000, 0, 1},
      {33, 20, 2, 0},     {64, 1, 0, 1},      {64, 100, 0, 1},    {64, 1000, 0, 1},   {128, 1, 0, 1},
      {128, 100, 0, 1},   {128, 1000, 0, 0},  {190, 1, 0, 1},     {190, 100, 0, 1},   {190, 1000, 0, 0},
      {384, 1, 0, 0},     {384, 100, 0, 0},   {8, 1000000, 0, 0}, {16, 1000000, 0, 0}};
  return table(b, work, all, sizeof all / sizeof *all);
}

bf_err bf_bench_lu(bf_bench *b)
{
  return factor_table(b, BF_DENSE_LU);
}
bf_err bf_bench_inverse(bf_bench *b)
{
  return factor_table(b, BF_DENSE_INVERSE);
}
bf_err bf_bench_cholesky(bf_bench *b)
{
  return factor_table(b, BF_DENSE_CHOLESKY);
}
bf_err bf_bench_eigen(bf_bench *b)
{
  static const dense_size all[] = {{4, 10000, 0, 1},  {8, 10000, 0, 1}, {16, 10000, 0, 1}, {32, 1000, 0, 1},
                                   {32, 10000, 0, 0}, {64, 200, 0, 1},  {64, 2000, 0, 0},  {128, 200, 0, 0},
                                   {128, 1000, 0, 0}, {256, 200, 0, 0}, {512, 200, 0, 0},  {4, 100, 1, 0},
                                   {33, 20, 2, 0}};
  return table(b, BF_DENSE_EIGEN, all, sizeof all / sizeof *all);
}
bf_err bf_bench_once(bf_bench *b)
{
  static const dense_size all[] = {{4, 10000, 0, 1},  {8, 10000, 0, 1}, {16, 10000, 0, 1},
                                   {32, 10000, 0, 0}, {64, 2000, 0, 0}, {128, 1000, 0, 0},
                                   {256, 200, 0, 0},  {512, 200, 0, 0}, {33, 20, 2, 0}};
  return cases(b, BF_DENSE_EIGEN, all, sizeof all / sizeof *all, bf_dense_case_once);
}
bf_err bf_bench_pencil(bf_bench *b)
{
  static const dense_size all[] = {{8, 10000, 0, 1}, {16, 10000, 0, 1}, {32, 1000, 0, 1}, {32, 10000, 0, 0},
                                   {64, 200, 0, 1},  {64, 2000, 0, 0},  {128, 200, 0, 0}, {256, 200, 0, 0},
                                   {512, 200, 0, 0}, {8, 100, 1, 0},    {33, 20, 2, 0}};
  return table(b, BF_DENSE_PENCIL, all, sizeof all / sizeof *all);
}

bf_err bf_bench_published(bf_bench *b)
{
  static const bf_int        orders[] = {33, 64, 128, 190};
  static const bf_dense_work works[]  = {BF_DENSE_LU, BF_DENSE_INVERSE};
  const bf_int               count    = b->quick ? 10 : 10000;
  for (int work = 0; work < 2; work++)
    for (int type = BF_S; type <= BF_Z; type++)
      for (size_t k = 0; k < (b->quick ? 1 : sizeof orders / sizeof *orders); k++)
        BF_TRY(one(b, works[work], (bf_scalar)type, orders[k], count, bf_dense_case_published));
  return BF_OK;
}
