/* app/bench/syinv_phases.c - bandfem bench syinv --case d4000-phases: times of the operations of one panel */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/syinv.h"
#include "kernels/dense.h"
#include "kernels/syinv.h"

typedef struct phases {
  bf_backend         *be;
  const bf_dense_ops *op;
  bf_scalar           type;
  bf_int              n, ldg, m; /* m columns of the panel */
  bf_dense_block      k, next;
  void               *a, *g, *h, *d, *w, *flag, *room;
} phases;

static bf_err gather(void *context)
{
  phases *p = context;
  return p->op->gather(p->be, p->type, p->next, p->a, p->n, p->h, p->ldg);
}
static bf_err advance(void *context)
{
  phases *p = context;
  return p->op->advance(p->be, p->type, p->k, p->next, p->g, p->ldg, p->a, p->n, p->h, p->ldg);
}
static bf_err lower(void *context)
{
  phases *p = context;
  return p->op->lower(p->be, p->type, p->k, p->d, p->m, p->w, p->m, p->h, p->ldg);
}
static bf_err leaf(void *context)
{
  phases *p = context;
  return p->op->definite(p->be, p->type, BF_DENSE_LEAF, 0, p->d, p->m, 1, p->w, BF_DENSE_LEAF, p->flag);
}
static bf_err leaf_factor(void *context)
{
  phases *p = context;
  return p->op->factor(p->be, p->type, p->m, BF_DENSE_LEAF, p->d, p->m, p->w, BF_DENSE_LEAF, p->g, p->ldg);
}
static bf_err leaf_advance(void *context)
{
  phases              *p    = context;
  const bf_dense_block k    = {p->m, 0, BF_DENSE_LEAF};
  const bf_dense_block next = {p->m, BF_DENSE_LEAF, p->m - BF_DENSE_LEAF};
  return p->op->advance(p->be, p->type, k, next, p->g, p->ldg, NULL, 0, p->d, p->m);
}
static bf_err sweep(void *context)
{
  phases *p = context;
  return p->op->sweep(p->be, p->type, p->k, p->next, p->g, p->ldg, p->a, p->n);
}
static bf_err factor(void *context)
{
  phases *p = context;
  return p->op->factor(p->be, p->type, p->n, p->m, p->h, p->ldg, p->w, p->m, p->g, p->ldg);
}
static bf_err symmetric(void *context)
{
  phases *p = context;
  return p->op->syrkx(p->be, p->type, p->n, p->m, p->g, p->h, p->ldg, p->a, p->n);
}
static bf_err mirror(void *context)
{
  phases *p = context;
  return p->op->mirror(p->be, p->type, BF_LOWER, p->n, -1.0, p->a, p->n, NULL, p->a, p->n, NULL);
}
static bf_err norms(void *context)
{
  phases *p = context;
  return p->op->norms(p->be, p->type, p->n, p->n, p->a, p->n, p->room, (double *)p->room + 2);
}
static bf_err symm(void *context)
{
  phases *p = context;
  return p->op->symm(p->be, p->type, p->n, p->m, p->a, p->n, p->g, p->ldg, p->h, p->ldg);
}
static bf_err plain(void *context)
{
  phases *p = context;
  return p->op->gemm(p->be, p->type, BF_NO_TRANS, BF_NO_TRANS, p->n, p->m, p->n, 1.0, p->a, p->n, p->g,
                     p->ldg, 0.0, p->h, p->ldg);
}
static bf_err transposed(void *context)
{
  phases *p = context;
  return p->op->gemm(p->be, p->type, BF_TRANS, BF_NO_TRANS, p->m, p->n, p->n, 1.0, p->g, p->ldg, p->a, p->n,
                     0.0, p->h, p->m);
}

static bf_err fill(phases *p)
{
  BF_TRY(p->op->signs(p->be, p->type, p->n, p->n, p->a, p->n));
  BF_TRY(p->op->signs(p->be, p->type, p->n, p->m, p->g, p->ldg));
  BF_TRY(p->op->signs(p->be, p->type, p->n, p->m, p->h, p->ldg));
  BF_TRY(p->op->signs(p->be, p->type, p->m, p->m, p->d, p->m));
  return p->op->signs(p->be, p->type, p->m, p->m, p->w, p->m);
}

static bf_err rows(bf_bench *b, phases *p)
{
  const double n = p->n, m = p->m, l = BF_DENSE_LEAF, rest = n - 2.0 * m;
  const struct {
    const char *name;
    bf_err (*run)(void *);
    double flops;
  } row[] = {{"columns of the next panel", gather, 0.0},
             {"update of the next panel", advance, 2.0 * n * m * m},
             {"W from its transpose", lower, 0.0},
             {"leaf of 128", leaf, l * l * l / 3.0},
             {"leaf: its rows", leaf_factor, l * l * m},
             {"leaf: rows below", leaf_advance, 2.0 * l * m * (m - l)},
             {"update of the rest", sweep, rest * rest * m + n * m * m},
             {"G = B W^T", factor, n * m * m},
             {"symmetric update of two factors", symmetric, n * n * m},
             {"mirror", mirror, 0.0},
             {"norms", norms, 0.0},
             {"A B, A symmetric", symm, 2.0 * n * n * m},
             {"A B", plain, 2.0 * n * n * m},
             {"B^T A", transposed, 2.0 * n * n * m}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    bf_bench_row shown = {
        .kernel = row[k].name, .error = -1.0, .bytes = n * n * (double)bf_scalar_bytes(p->type)};
    shown.flops = row[k].flops;
    BF_TRY(fill(p));
    BF_TRY(bf_bench_seconds(p->be, 0, row[k].run, p, &shown.seconds));
    bf_bench_show(b, &shown);
    printf("    %.2f TFlop/s\n", 1e-12 * shown.flops / shown.seconds);
  }
  return BF_OK;
}

bf_err bf_bench_syinv_phases(bf_bench *b, bf_scalar type, bf_int n, bf_int rank)
{
  const size_t e = bf_scalar_bytes(type), N = (size_t)n, M = (size_t)rank;
  phases       p = {
            .be = b->be, .op = b->be->ops.dense, .type = type, .n = n, .ldg = (n + 31) / 32 * 32, .m = rank};
  bf_err err = BF_OK;
  if (n < 3 * rank) return BF_OK;
  p.k    = (bf_dense_block){n, rank, rank};
  p.next = (bf_dense_block){n, 2 * rank, rank};
  printf("panels of %d\n", (int)rank);
  BF_GO(p.be->ops.alloc(p.be, N * N * e, &p.a));
  BF_GO(p.be->ops.alloc(p.be, (size_t)p.ldg * M * e, &p.g));
  BF_GO(p.be->ops.alloc(p.be, (size_t)p.ldg * M * e, &p.h));
  BF_GO(p.be->ops.alloc(p.be, M * M * e, &p.d));
  BF_GO(p.be->ops.alloc(p.be, M * M * e, &p.w));
  BF_GO(p.be->ops.alloc(p.be, sizeof(bf_int), &p.flag));
  BF_GO(p.be->ops.alloc(p.be, (3 * N + 2) * sizeof(double), &p.room));
  BF_GO(p.be->ops.zero(p.be, p.flag, sizeof(bf_int)));
  BF_GO(rows(b, &p));
done:
  p.be->ops.release(p.be, p.a);
  p.be->ops.release(p.be, p.g);
  p.be->ops.release(p.be, p.h);
  p.be->ops.release(p.be, p.d);
  p.be->ops.release(p.be, p.w);
  p.be->ops.release(p.be, p.flag);
  p.be->ops.release(p.be, p.room);
  return err;
}
