/* app/bench/timing.c - times, the memory's ceilings, rows of a table */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "base/memory.h"
#include "base/timer.h"
#ifdef BF_WITH_CUDA
#include "kernels/timing.h"
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 21, IN_GRAPH = 20 };

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bf_err bf_bench_seconds(bf_backend *be, int warm, bf_err (*fn)(void *), void *context, double *seconds)
{
  double t[SAMPLES];
#ifdef BF_WITH_CUDA
  double least;
  if (be->ops.on_device)
    return warm ? bf_bench_time_graph(be, fn, context, SAMPLES, IN_GRAPH, seconds)
                : bf_bench_time(be, fn, context, SAMPLES, (size_t)256 << 20, seconds, &least);
#endif
  (void)warm; /* the host's caches are smaller than the matrices */
  BF_TRY(fn(context));
  BF_TRY(be->ops.sync(be));
  for (int i = 0; i < SAMPLES; i++) {
    const double t0 = bf_seconds();
    int          n  = 0;
    do {
      BF_TRY(fn(context));
      BF_TRY(be->ops.sync(be));
      n++;
    } while (bf_seconds() - t0 < 2e-3);
    t[i] = (bf_seconds() - t0) / n;
  }
  qsort(t, SAMPLES, sizeof *t, by_size);
  *seconds = t[SAMPLES / 2];
  return BF_OK;
}

bf_err bf_bench_seconds_fresh(bf_backend *be, int calls, bf_err (*prepare)(void *), bf_err (*run)(void *),
                              void *context, double *seconds)
{
  double t[SAMPLES], total = 0.0;
  int    n = 0;
#ifdef BF_WITH_CUDA
  if (be->ops.on_device) return bf_bench_time_fresh(be, prepare, run, context, calls, SAMPLES, seconds);
#endif
  for (; n < SAMPLES && (n < 3 || total < 0.02); n++) {
    BF_TRY(prepare(context));
    BF_TRY(be->ops.sync(be));
    const double t0 = bf_seconds();
    for (int k = 0; k < calls; k++) BF_TRY(run(context));
    BF_TRY(be->ops.sync(be));
    t[n] = bf_seconds() - t0;
    total += t[n];
  }
  qsort(t, (size_t)n, sizeof *t, by_size);
  *seconds = t[n / 2] / calls;
  return BF_OK;
}

/* ---- ceilings */
typedef struct stream {
  bf_backend *be;
  bf_int      n;
  double     *v[3];
} stream;
static bf_err run_copy(void *context)
{
  stream *s = context;
  return s->be->ops.copy(s->be, s->v[1], s->v[0], (size_t)s->n * sizeof(double), BF_WITHIN);
}
static bf_err run_triad(void *context)
{
  stream *s = context;
  return BF_OP(s->be, vector.triad, s->n, 3.0, s->v[0], s->v[1], s->v[2]);
}
static bf_err run_read(void *context)
{
  stream *s = context;
#ifdef BF_WITH_CUDA
  if (s->be->ops.on_device) return bf_bench_read(s->be, (size_t)s->n * 16, s->v[0], s->v[2]);
#endif
  return BF_OP(s->be, vector.dot, s->n, s->v[0], s->v[1], s->v[2]);
}

bf_err bf_bench_memory(bf_backend *be, int quick, bf_memory_rates *m)
{
  enum { LEAST = 1 << 21 };
  bf_err err = BF_OK;
  size_t room, total;
  void  *store = NULL;
  double t;
  *m = (bf_memory_rates){.n = quick ? LEAST : be->ops.on_device ? 1 << 27 : 1 << 24};
  BF_TRY(be->ops.memory(be, &room, &total));
  while (room > 0 && m->n > LEAST && 48 * (size_t)m->n > room) m->n /= 2;
  const size_t n = (size_t)m->n;
  stream       s = {.be = be, .n = m->n};
  BF_GO(be->ops.alloc(be, 3 * n * sizeof(double), &store));
  BF_GO(be->ops.zero(be, store, 3 * n * sizeof(double)));
  for (size_t i = 0; i < 3; i++) s.v[i] = (double *)store + i * n;
  BF_GO(bf_bench_seconds(be, 0, run_copy, &s, &t));
  m->copy = 16.0 * (double)n / t;
  BF_GO(bf_bench_seconds(be, 0, run_triad, &s, &t));
  m->triad = 24.0 * (double)n / t;
  BF_GO(bf_bench_seconds(be, 0, run_read, &s, &t));
  m->read = 16.0 * (double)n / t;
done:
  be->ops.release(be, store);
  return err;
}

void bf_bench_memory_text(const bf_memory_rates *m, char text[128])
{
  snprintf(text, 128, "copy %.4g GB/s, triad %.4g GB/s, read only %.4g GB/s (arrays of %.0f MiB)",
           1e-9 * m->copy, 1e-9 * m->triad, 1e-9 * m->read, m->n * 8.0 / 0x1p20);
}

bf_err bf_bench_ceilings(bf_bench *b)
{
  bf_memory_rates m;
  char            device[256], text[128];
  BF_TRY(bf_bench_memory(b->be, b->quick, &m));
  b->copy = m.copy;
  b->read = m.read;
  b->be->ops.describe(b->be, device, sizeof device);
  bf_bench_memory_text(&m, text);
  printf("%s\n%s\n", device, text);
  return BF_OK;
}

/* ---- rows */
void bf_bench_header(FILE *csv)
{
  if (csv)
    fprintf(csv, "table,case,backend,kernel,seconds,bytes,gb_per_s,share_of_read,share_of_copy,"
                 "peer_over_this,best_peer_over_this,error,gflop_per_s,share_of_floor,failed,difference,"
                 "relative_difference\n");
}

static void print_row(const bf_bench *b, const bf_bench_row *row)
{
  const double rate = row->seconds > 0.0 ? row->bytes / row->seconds : 0.0;
  printf("  %-34s %10.2f us ", row->kernel, 1e6 * row->seconds);
  if (row->flops > 0.0)
    printf("%9.1f GFlop/s %6.1f %% of floor", 1e-9 * row->flops / row->seconds,
           100.0 * row->floor / row->seconds);
  else if (rate <= 1.05 * b->read)
    printf("%8.1f GB/s %6.1f %% of read", 1e-9 * rate, 100.0 * rate / b->read);
  else
    printf("%8.1f GB/s        in cache", 1e-9 * rate);
  if (!row->peer && b->peer > 0.0)
    printf("  peer/this %5.2f, best %5.2f", b->peer / row->seconds, b->best / row->seconds);
  if (row->error >= 0.0) printf("  error %.1e", row->error);
  if (row->failed > 0) printf("  %d failed", row->failed);
  if (row->compared) printf("  difference to serial %.2e (%.1e)", row->difference, row->relative);
  printf("\n");
  fflush(stdout);
}

void bf_bench_show(bf_bench *b, const bf_bench_row *row)
{
  const double rate  = row->seconds > 0.0 ? row->bytes / row->seconds : 0.0;
  const double ratio = b->peer > 0.0 ? b->peer / row->seconds : NAN;
  const double best  = b->best > 0.0 ? b->best / row->seconds : NAN;
  print_row(b, row);
  if (b->csv) {
    fprintf(b->csv, "%s,%s,%s,\"%s\",%.9g,%.9g,%.6g,%.4f,%.4f,%.4f,%.4f,%.3g", b->table, b->name,
            b->be->ops.name, row->kernel, row->seconds, row->bytes, 1e-9 * rate, rate / b->read,
            rate / b->copy, ratio, best, row->error);
    if (row->flops > 0.0)
      fprintf(b->csv, ",%.6g,%.4f,%d", 1e-9 * row->flops / row->seconds, row->floor / row->seconds,
              row->failed);
    else
      fprintf(b->csv, ",,,");
    if (row->compared)
      fprintf(b->csv, ",%.4g,%.4g\n", row->difference, row->relative);
    else
      fprintf(b->csv, ",,\n");
    fflush(b->csv); /* a run that is cut off leaves whole rows */
  }
  if (!row->peer) return;
  if (b->peer == 0.0) b->peer = row->seconds;
  if (b->best == 0.0 || row->seconds < b->best) b->best = row->seconds;
}

int bf_bench_selected(const bf_bench *b, const char *name)
{
  for (int i = 0; i < b->nonly; i++)
    if (strcmp(b->only[i], name) == 0) return 1;
  return b->nonly == 0;
}

int bf_bench_listed(bf_bench *b, const char *name)
{
  if (!b->list) return 0;
  printf("  %s\n", name);
  b->shown++;
  return 1;
}

bf_err bf_bench_cases(bf_bench *b, const bf_sized_case *all, size_t count,
                      bf_err (*one)(bf_bench *b, const bf_case *c, int warm))
{
  for (size_t k = 0; k < count; k++) {
    bf_case c = all[k].c;
    c.size    = b->quick ? all[k].quick : b->be->ops.on_device ? all[k].device : all[k].host;
    if (!bf_bench_selected(b, c.name) || c.size == 0 || bf_bench_listed(b, c.name)) continue;
    snprintf(b->name, sizeof b->name, "%s", c.name);
    b->peer = b->best = 0.0;
    b->shown++;
    printf("%s: %d rows%s%s\n", c.name, (int)bf_case_rows(&c), c.unsymmetric ? ", unsymmetric" : "",
           all[k].warm ? ", warm" : "");
    BF_TRY(one(b, &c, all[k].warm));
  }
  return BF_OK;
}

/* ---- products */
bf_err bf_product_run(void *product)
{
  const bf_product *p = product;
  return bf_matrix_spmv(p->A, p->x, p->y, NULL, NULL);
}

bf_err bf_bench_error(bf_backend *be, bf_int n, const double *y, const double *reference, double *error)
{
  bf_err  err = BF_OK;
  double *h = NULL, top = 0.0, worst = 0.0;
  BF_GO(BF_NEW_ARRAY(h, n));
  BF_GO(be->ops.copy(be, h, y, (size_t)n * sizeof *h, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
#pragma omp parallel for reduction(max : top, worst)
  for (bf_int i = 0; i < n; i++) {
    const double d = fabs(h[i] - reference[i]);
    top            = fmax(top, fabs(reference[i]));
    worst          = d <= worst ? worst : isnan(d) ? INFINITY : d;
  }
  *error = top > 0.0 ? worst / top : worst;
done:
  bf_host_free(h);
  return err;
}

bf_err bf_bench_random(bf_backend *be, bf_int n, double *x)
{
  bf_err   err = BF_OK;
  double  *h   = NULL;
  uint64_t s   = 88172645463325252ULL;
  BF_GO(BF_NEW_ARRAY(h, n));
  for (bf_int i = 0; i < n; i++) {
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    h[i] = (double)(s >> 11) * 0x1p-53 - 0.5;
  }
  BF_GO(be->ops.copy(be, x, h, (size_t)n * sizeof *h, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  bf_host_free(h);
  return err;
}
