/* app/info/device.c - bandfem info --device: properties of the CPU and the GPU, and measured rates
 *
 * The product is that of the 27-point stencil on a cube with the values of bandfem bench, in bDIA with
 * symmetric storage.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/bench/bench.h"
#include "app/cli/message.h"
#include "app/info/info.h"
#include "app/job.h"
#include "base/host.h"
#include <math.h>
#include <unistd.h>

/* Seconds, bytes/s and flops/s of one product. */
static bf_err product(bf_backend *be)
{
  bf_err        err = BF_OK;
  const bf_case c   = {.name = "grid", .kind = BF_CASE_GRID, .size = be->ops.on_device ? 200 : 100};
  const bf_int  n = bf_case_rows(&c), guard = bf_case_guard(&c);
  const double  nnz = pow(3.0 * c.size - 2.0, 3.0);
  bf_matrix    *A   = NULL;
  double       *x = NULL, *y = NULL, t;
  BF_GO(bf_case_bdia(be, &c, 1, &A));
  BF_GO(bf_vector_create(be, n, guard, &x));
  BF_GO(bf_vector_create(be, n, guard, &y));
  BF_GO(bf_bench_random(be, n, x));
  bf_product p = {A, x, y};
  BF_GO(bf_bench_seconds(be, 0, bf_product_run, &p, &t));
  printf("          product of the 27-point stencil, %d unknowns, bdia symmetric fp64: %.4g ms, %.4g GB/s, "
         "%.4g GFLOP/s\n",
         (int)n, 1e3 * t, 1e-9 * (double)bf_matrix_product_bytes(A) / t, 2e-9 * nnz / t);
done:
  bf_vector_destroy(be, guard, &x);
  bf_vector_destroy(be, guard, &y);
  bf_matrix_destroy(&A);
  return err;
}

/* Memory by the properties and as measured. */
static bf_err memory(bf_backend *be)
{
  size_t          available, total;
  char            all[24], may[24], text[128], theory[64] = "";
  bf_properties   p;
  bf_memory_rates m;
  be->ops.properties(be, &p);
  BF_TRY(be->ops.memory(be, &available, &total));
  bf_bytes_text((double)total, all);
  bf_bytes_text((double)available, may);
  if (p.bandwidth > 0.0)
    snprintf(theory, sizeof theory, "; bandwidth %.4g GB/s by bus width and clock", 1e-9 * p.bandwidth);
  printf("          memory %s, %s available%s\n", all, may, theory);
  BF_TRY(bf_bench_memory(be, 0, &m));
  bf_bench_memory_text(&m, text);
  printf("          measured: %s\n", text);
  return BF_OK;
}

static bf_err cpu(void)
{
  bf_err        err = BF_OK;
  bf_backend   *be  = NULL;
  bf_properties p;
  BF_TRY(bf_backend_create("cpu", NULL, &be));
  be->ops.properties(be, &p);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  printf("cpu       %s, %d thread%s on %ld processor%s; caches", p.name, p.threads, p.threads == 1 ? "" : "s",
         processors, processors == 1 ? "" : "s");
  for (int level = 1; level <= 3; level++) {
    char          size[24];
    const int64_t bytes = bf_host_cache(level);
    bf_bytes_text((double)bytes, size);
    printf("%s L%d %s", level > 1 ? "," : "", level, bytes > 0 ? size : "unknown");
  }
  puts("");
  BF_GO(memory(be));
  BF_GO(product(be));
done:
  bf_backend_destroy(&be);
  return err;
}

static bf_err gpu(void)
{
  bf_err      err = BF_OK;
  bf_backend *be  = NULL;
  char        text[256];
  bf_rates    rates;
  if (bf_backend_create("cuda", NULL, &be) != BF_OK) {
    printf("cuda      not usable: %s\n", bf_err_message());
    return BF_OK;
  }
  be->ops.describe(be, text, sizeof text);
  printf("cuda      %s\n", text);
  BF_GO(memory(be));
  BF_GO(product(be));
  bf_rates_of_backend(be, &rates);
  printf("          cost model: rates of formats measured on an H200 times %.4g, STREAM triad %.4g GB/s\n",
         rates.scale, 1e-9 * rates.triad);
done:
  bf_backend_destroy(&be);
  return err;
}

int bf_info_device(int json_errors)
{
  bf_err err = cpu();
  if (err == BF_OK) err = gpu();
  if (err != BF_OK) bf_say(json_errors, "%s", bf_err_trace());
  return bf_exit_status(err);
}
