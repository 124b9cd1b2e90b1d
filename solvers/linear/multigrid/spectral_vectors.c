/* solvers/linear/multigrid/spectral_vectors.c - the vectors of each aggregate: low eigenvectors of its
 * Neumann matrix, or the near-null space (spectral_modes.c)
 *
 * Local problems go through the backend in batches: assembly, Cholesky factor, Schur complement,
 * eigenvectors.  The host reads a few integers of each aggregate.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "kernels/batch.h"
#include "solvers/linear/multigrid/aggregation.h"
#include "solvers/linear/multigrid/spectral.h"

static const double SHIFT = 1e-8; /* of the scaled matrices, so that they are positive definite */
enum { DEVICE_MOST = 512 };       /* order of batches on a device; larger ones are factored on the CPU */
enum { VECTORS_MOST = 64, BLOCK = 3 };
static const int64_t CHUNK = (int64_t)16 << 20, CHUNK_DEVICE = (int64_t)32 << 20; /* numbers of a batch */

typedef struct plan {
  bf_mg_spectrum *s;
  double          tau;
  uint8_t        *mixed;  /* host, owned, as all below */
  bf_int         *others; /* [count] */
  int64_t        *uptr;   /* [count + 1] */
  bf_int         *which;  /* [many] aggregates with eigenproblems, large ones last */
  bf_int          many, small;
  void           *list;       /* backend, owned: which */
  bf_local_batch  arrays;     /* backend, owned: arrays for the largest batch */
  int64_t         na, ns, nb; /* numbers of arrays.a and arrays.s, matrices of arrays */
  void           *work;       /* backend, owned */
  size_t          work_bytes;
} plan;

static void release(plan *p)
{
  bf_backend *be = p->s->be;
  bf_host_free(p->mixed);
  bf_host_free(p->others);
  bf_host_free(p->uptr);
  bf_host_free(p->which);
  be->ops.release(be, p->list);
  be->ops.release(be, p->arrays.a);
  be->ops.release(be, p->arrays.s);
  be->ops.release(be, p->arrays.w);
  be->ops.release(be, p->arrays.sizes);
  be->ops.release(be, p->arrays.info);
  be->ops.release(be, p->work);
}

static bf_int own(const plan *p, bf_int a)
{
  return (bf_int)(p->uptr[a + 1] - p->uptr[a]);
}

bf_err bf_mg_spectrum_piece(bf_mg_spectrum *s, int64_t numbers, double **out)
{
  void    *p    = NULL;
  double **more = bf_host_realloc(s->piece, (size_t)s->pieces + 1, sizeof *more);
  BF_CHECK(more, BF_E_MEMORY, "no memory for %d pieces of vectors", s->pieces + 1);
  s->piece = more;
  BF_TRY(bf_mg_reserve(s->be, numbers, sizeof **more, &p));
  s->piece[s->pieces++] = p;
  *out                  = p;
  return BF_OK;
}

/* Host copies, the aggregates with eigenproblems. */
static bf_err list_mixed(plan *p)
{
  bf_mg_spectrum *s     = p->s;
  bf_backend     *be    = s->be;
  const bf_int    count = s->body.count, most = be->ops.on_device ? DEVICE_MOST : BF_BATCH_LARGEST;
  BF_TRY(BF_NEW_ARRAY(p->mixed, (size_t)count));
  BF_TRY(BF_NEW_ARRAY(p->others, (size_t)count));
  BF_TRY(BF_NEW_ARRAY(p->uptr, (size_t)count + 1));
  BF_TRY(BF_NEW_ARRAY(p->which, (size_t)count));
  BF_TRY(be->ops.copy(be, p->mixed, s->mixed, (size_t)count, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, p->others, s->lists.others, (size_t)count * sizeof *p->others, BF_TO_HOST));
  BF_TRY(be->ops.copy(be, p->uptr, s->lists.uptr, ((size_t)count + 1) * sizeof *p->uptr, BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  for (int large = 0; large < 2; large++) {
    for (bf_int a = 0; a < count; a++)
      if (p->mixed[a] && own(p, a) > 0 && (own(p, a) + p->others[a] > most) == large) p->which[p->many++] = a;
    if (!large) p->small = p->many;
  }
  BF_TRY(bf_mg_reserve(be, p->many, sizeof(bf_int), &p->list));
  return be->ops.copy(be, p->list, p->which, (size_t)p->many * sizeof *p->which, BF_TO_DEVICE);
}

/* The batch that begins with aggregate which[at]: as many as CHUNK numbers hold. */
static bf_local_batch batch_at(const plan *p, bf_int at)
{
  const int64_t  chunk = p->s->be->ops.on_device ? CHUNK_DEVICE : CHUNK;
  const bf_int   end   = at < p->small ? p->small : p->many;
  bf_local_batch C     = p->arrays;
  C.which              = (const bf_int *)p->list + at;
  C.many = C.ld = C.lds = 0;
  for (; at + C.many < end; C.many++) {
    const bf_int a = p->which[at + C.many], m = own(p, a), order = m + p->others[a],
                 ld = order > C.ld ? order : C.ld;
    if (C.many > 0 && (int64_t)ld * ld * (C.many + 1) > chunk) break;
    C.ld  = ld;
    C.lds = m > C.lds ? m : C.lds;
  }
  return C;
}

static bf_err reserve(plan *p)
{
  bf_backend *be = p->s->be;
  int64_t     nw = 0;
  void       *q;
  for (bf_int at = 0; at < p->many;) {
    const bf_local_batch C = batch_at(p, at);
    const int64_t        a = (int64_t)C.many * C.ld * C.ld, s = (int64_t)C.many * C.lds * C.lds,
                  w = (int64_t)C.many * C.lds;
    p->na           = a > p->na ? a : p->na;
    p->ns           = s > p->ns ? s : p->ns;
    p->nb           = C.many > p->nb ? C.many : p->nb;
    nw              = w > nw ? w : nw;
    at += C.many;
  }
  BF_TRY(bf_mg_reserve(be, p->na, sizeof(double), &q));
  p->arrays.a = q;
  BF_TRY(bf_mg_reserve(be, p->ns, sizeof(double), &q));
  p->arrays.s = q;
  BF_TRY(bf_mg_reserve(be, nw, sizeof(double), &q));
  p->arrays.w = q;
  BF_TRY(bf_mg_reserve(be, p->nb, sizeof(bf_int), &q));
  p->arrays.sizes = q;
  BF_TRY(bf_mg_reserve(be, p->nb, sizeof(bf_int), &q));
  p->arrays.info = q;
  return BF_OK;
}

/* A batched operation on C->a or C->s, of orders C->sizes. */
static bf_err run(bf_backend *be, bf_batch_op op, const bf_local_batch *C, void **work, size_t *capacity)
{
  const bf_heev_how how  = {.vectors = 1, .uplo = BF_LOWER};
  const bf_int      ld   = op == BF_HEEV ? C->lds : C->ld;
  const bf_batch    each = {.type   = BF_D,
                            .n      = ld,
                            .ld     = ld,
                            .count  = C->many,
                            .stride = (int64_t)ld * ld,
                            .a      = op == BF_HEEV ? C->s : C->a,
                            .sizes  = C->sizes};
  size_t            bytes;
  BF_TRY(bf_batch_work(be, op, &each, &bytes));
  if (bytes > *capacity) {
    be->ops.release(be, *work);
    *work     = NULL;
    *capacity = 0;
    BF_TRY(bf_mg_reserve(be, (int64_t)bytes, 1, work));
    *capacity = bytes;
  }
  if (op == BF_HEEV) return bf_heev_batch(be, &how, &each, C->w, C->info, *work);
  return bf_potrf_batch(be, BF_LOWER, &each, C->info, *work);
}

/* The same by way of the host: orders above DEVICE_MOST. */
static bf_err run_on_host(bf_backend *be, bf_batch_op op, const bf_local_batch *C)
{
  bf_err         err = BF_OK;
  bf_backend    *cpu = NULL;
  bf_local_batch H   = *C;
  const bf_int   ld  = op == BF_HEEV ? C->lds : C->ld;
  const size_t   one = (size_t)ld * (size_t)ld, many = (size_t)C->many, values = many * (size_t)C->lds;
  double        *matrix = NULL, *device = op == BF_HEEV ? C->s : C->a;
  void          *work     = NULL;
  size_t         capacity = 0;
  H.w                     = NULL;
  H.sizes = H.info = NULL;
  BF_GO(bf_backend_create("cpu", NULL, &cpu));
  BF_GO(BF_NEW_ARRAY(matrix, many * one));
  BF_GO(BF_NEW_ARRAY(H.w, values));
  BF_GO(BF_NEW_ARRAY(H.sizes, many));
  BF_GO(BF_NEW_ARRAY(H.info, many));
  H.a = H.s = matrix;
  BF_GO(be->ops.copy(be, matrix, device, many * one * sizeof *matrix, BF_TO_HOST));
  BF_GO(be->ops.copy(be, H.sizes, C->sizes, many * sizeof *H.sizes, BF_TO_HOST));
  BF_GO(be->ops.sync(be));
  BF_GO(run(cpu, op, &H, &work, &capacity));
  BF_GO(be->ops.copy(be, device, matrix, many * one * sizeof *matrix, BF_TO_DEVICE));
  BF_GO(be->ops.copy(be, C->info, H.info, many * sizeof *H.info, BF_TO_DEVICE));
  if (op == BF_HEEV) BF_GO(be->ops.copy(be, C->w, H.w, values * sizeof *H.w, BF_TO_DEVICE));
  BF_GO(be->ops.sync(be));
done:
  if (cpu) cpu->ops.release(cpu, work);
  bf_backend_destroy(&cpu);
  bf_host_free(matrix);
  bf_host_free(H.w);
  bf_host_free(H.sizes);
  bf_host_free(H.info);
  return err;
}

static bf_err run_where_it_fits(plan *p, bf_batch_op op, const bf_local_batch *C)
{
  bf_backend  *be = p->s->be;
  const bf_int ld = op == BF_HEEV ? C->lds : C->ld;
  if (be->ops.on_device && ld > DEVICE_MOST) return run_on_host(be, op, C);
  return run(be, op, C, &p->work, &p->work_bytes);
}

/* k and z of the aggregates which[at] .. of a batch. */
static bf_err store_vectors(plan *p, bf_int at, const bf_local_batch *C)
{
  bf_mg_spectrum *s     = p->s;
  bf_backend     *be    = s->be;
  const size_t    count = (size_t)s->body.count;
  double         *piece;
  int64_t         numbers = 0;
  BF_TRY(s->ops->choose(be, C, p->tau + SHIFT, VECTORS_MOST, s->block, s->k));
  BF_TRY(be->ops.copy(be, s->host_k, s->k, count * sizeof *s->k, BF_TO_HOST));
  BF_TRY(be->ops.sync(be));
  for (bf_int b = 0; b < C->many; b++)
    numbers += (int64_t)s->host_k[p->which[at + b]] * own(p, p->which[at + b]);
  BF_TRY(bf_mg_spectrum_piece(s, numbers, &piece));
  for (bf_int b = 0; b < C->many; b++) {
    const bf_int a = p->which[at + b];
    s->host_z[a]   = piece;
    piece += (int64_t)s->host_k[a] * own(p, a);
  }
  BF_TRY(be->ops.copy(be, s->z, s->host_z, count * sizeof *s->z, BF_TO_DEVICE));
  return s->ops->scale_vectors(be, &s->body, &s->lists, C, s->k, s->z);
}

static bf_err by_eigenvectors(plan *p)
{
  bf_mg_spectrum *s = p->s;
  BF_TRY(reserve(p));
  for (bf_int at = 0; at < p->many;) {
    const bf_local_batch C = batch_at(p, at);
    BF_TRY(s->ops->assemble(s->be, &s->body, &s->lists, SHIFT, &C));
    BF_TRY(run_where_it_fits(p, BF_POTRF, &C));
    BF_TRY(s->ops->schur(s->be, &s->lists, &C));
    BF_TRY(run_where_it_fits(p, BF_HEEV, &C));
    BF_TRY(store_vectors(p, at, &C));
    at += C.many;
  }
  return BF_OK;
}

static bf_err begin(bf_mg_spectrum *s)
{
  bf_backend   *be    = s->be;
  const int64_t count = s->body.count;
  void         *p;
  BF_TRY(bf_mg_reserve(be, count, sizeof *s->k, &p));
  s->k = p;
  BF_TRY(be->ops.zero(be, s->k, (size_t)count * sizeof *s->k));
  BF_TRY(bf_mg_reserve(be, count + 1, sizeof *s->first, &p));
  s->first = p;
  BF_TRY(bf_mg_reserve(be, count, sizeof *s->z, &p));
  s->z = p;
  BF_TRY(BF_NEW_ARRAY(s->host_k, (size_t)count));
  BF_TRY(BF_NEW_ARRAY(s->host_first, (size_t)count + 1));
  return BF_NEW_ARRAY(s->host_z, (size_t)count);
}

/* first: in blocks of unknowns, which make products of matrices cheap. */
static void number_unknowns(bf_mg_spectrum *s)
{
  for (bf_int a = 0; a < s->body.count; a++)
    s->host_first[a + 1] = s->host_first[a] + (s->host_k[a] + s->block - 1) / s->block * s->block;
}

bf_err bf_mg_spectrum_vectors(bf_mg_spectrum *s, double tau)
{
  bf_err      err = BF_OK;
  bf_backend *be  = s->be;
  plan        p   = {.s = s, .tau = tau};
  s->block        = s->fine->nmodes % BLOCK == 0 ? BLOCK : 1;
  BF_GO(begin(s));
  BF_GO(list_mixed(&p));
  BF_GO(by_eigenvectors(&p));
  BF_GO(bf_mg_spectrum_modes(s, p.uptr));
  number_unknowns(s);
  BF_GO(be->ops.copy(be, s->first, s->host_first, ((size_t)s->body.count + 1) * sizeof *s->first,
                     BF_TO_DEVICE));
done:
  release(&p);
  return err;
}
