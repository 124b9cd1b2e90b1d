/* kernels/multigrid/local_problem.c - see local_problem.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/multigrid/local_problem.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <string.h>

static const double OTHER_RELATIVE = 1e-8, OTHER_MEAN = 1e-10; /* added to the diagonal of N_cc */

void bf_local_lists_clear(bf_local_lists *L)
{
  bf_host_free(L->uptr);
  bf_host_free(L->unknown);
  bf_host_free(L->eptr);
  bf_host_free(L->element);
  bf_host_free(L->owner);
  bf_host_free(L->others);
  *L = (bf_local_lists){.uptr = NULL};
}

static void sums(bf_int count, int64_t *ptr)
{
  for (bf_int a = 0; a < count; a++) ptr[a + 1] += ptr[a];
}

/* ptr[a + 1] is the place of the next item of a while lists are filled; back to their beginnings. */
static void shift_back(bf_int count, int64_t *ptr)
{
  for (bf_int a = count; a > 0; a--) ptr[a] = ptr[a - 1];
  ptr[0] = 0;
}

static bf_err list_unknowns(const bf_local_body *B, bf_local_lists *L)
{
  BF_TRY(BF_NEW_ARRAY(L->uptr, (size_t)B->count + 2));
  for (int pass = 0; pass < 2; pass++) {
    for (bf_int i = 0; i < B->n; i++)
      for (bf_int u = B->first[i]; u < B->first[i + 1] && B->aggregate[i] >= 0; u++) {
        if (B->fixed[u]) continue;
        if (pass == 0)
          L->uptr[B->aggregate[i] + 1]++;
        else
          L->unknown[L->uptr[B->aggregate[i]]++] = u;
      }
    if (pass == 0) {
      sums(B->count, L->uptr);
      BF_TRY(BF_NEW_ARRAY(L->unknown, (size_t)L->uptr[B->count]));
    }
  }
  shift_back(B->count, L->uptr);
  return BF_OK;
}

/* Has an earlier node of element e the aggregate of node k? */
static int earlier(const bf_local_body *B, int64_t begin, int64_t k)
{
  const bf_int *node = B->E.node;
  for (int64_t q = begin; q < k; q++)
    if (B->aggregate[node[q]] == B->aggregate[node[k]]) return 1;
  return 0;
}

static bf_err list_elements(const bf_local_body *B, bf_local_lists *L)
{
  const bf_element_set *E = &B->E;
  BF_TRY(BF_NEW_ARRAY(L->eptr, (size_t)B->count + 2));
  BF_TRY(BF_NEW_ARRAY(L->owner, (size_t)E->ne));
  for (int pass = 0; pass < 2; pass++) {
    for (bf_int e = 0; e < E->ne; e++) {
      bf_int least = -1;
      for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++) {
        const bf_int a = B->aggregate[E->node[k]];
        if (a < 0 || earlier(B, E->ptr[e], k)) continue;
        least = least < 0 || a < least ? a : least;
        if (pass == 0)
          L->eptr[a + 1]++;
        else
          L->element[L->eptr[a]++] = e;
      }
      L->owner[e] = least;
    }
    if (pass == 0) {
      sums(B->count, L->eptr);
      BF_TRY(BF_NEW_ARRAY(L->element, (size_t)L->eptr[B->count]));
    }
  }
  shift_back(B->count, L->eptr);
  return BF_OK;
}

/* Places of unknowns in a matrix: -1 of those without one.  where[all unknowns] is -1 before and after. */
typedef struct places {
  bf_int *where;
  bf_int *other; /* those that were given a place, in this order */
} places;

static bf_err places_create(int64_t unknowns, int threads, places **out)
{
  bf_err  err = BF_OK;
  places *p   = NULL;
  BF_TRY(BF_NEW_ARRAY(p, (size_t)threads));
  for (int t = 0; t < threads; t++) {
    BF_GO(BF_NEW_ARRAY(p[t].where, (size_t)unknowns));
    BF_GO(BF_NEW_ARRAY(p[t].other, (size_t)unknowns));
    memset(p[t].where, 0xff, (size_t)unknowns * sizeof *p[t].where);
  }
done:
  *out = p;
  return err;
}

static void places_destroy(places *p, int threads)
{
  for (int t = 0; p && t < threads; t++) {
    bf_host_free(p[t].where);
    bf_host_free(p[t].other);
  }
  bf_host_free(p);
}

/* Places 0 .. of the others of aggregate a in the order in which its elements name them; their number. */
static bf_int place_others(const bf_local_body *B, const bf_local_lists *L, bf_int a, places *p)
{
  bf_int count = 0;
  for (int64_t m = L->eptr[a]; m < L->eptr[a + 1]; m++) {
    const bf_int e = L->element[m];
    for (int64_t k = B->E.ptr[e]; k < B->E.ptr[e + 1]; k++) {
      const bf_int i = B->E.node[k];
      if (B->aggregate[i] == a) continue;
      for (bf_int u = B->first[i]; u < B->first[i + 1]; u++)
        if (!B->fixed[u] && p->where[u] < 0) {
          p->where[u]       = count;
          p->other[count++] = u;
        }
    }
  }
  return count;
}

static void forget(const bf_local_lists *L, bf_int a, bf_int others, places *p)
{
  for (bf_int k = 0; k < others; k++) p->where[p->other[k]] = -1;
  for (int64_t k = L->uptr[a]; k < L->uptr[a + 1]; k++) p->where[L->unknown[k]] = -1;
}

bf_err bf_local_lists_create(const bf_local_body *B, bf_local_lists *L)
{
  bf_err    err     = BF_OK;
  const int threads = omp_get_max_threads();
  places   *p       = NULL;
  *L                = (bf_local_lists){.uptr = NULL};
  BF_GO(list_unknowns(B, L));
  BF_GO(list_elements(B, L));
  BF_GO(BF_NEW_ARRAY(L->others, (size_t)B->count));
  BF_GO(places_create(B->first[B->n], threads, &p));
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (bf_int a = 0; a < B->count; a++) {
    places *mine = &p[omp_get_thread_num()];
    L->others[a] = place_others(B, L, a, mine);
    forget(L, a, L->others[a], mine);
  }
done:
  places_destroy(p, threads);
  if (err != BF_OK) bf_local_lists_clear(L);
  return err;
}

/* a += matrix of element e at the places of its unknowns, the lower triangle. */
static void add_element(const bf_local_body *B, bf_int e, const bf_int *where, bf_int ld, double *a)
{
  const bf_element_set *E     = &B->E;
  const double         *K     = E->K + E->at[e];
  int64_t               order = 0;
  for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++)
    order += B->first[E->node[k] + 1] - B->first[E->node[k]];
  int64_t column = 0;
  for (int64_t k = E->ptr[e]; k < E->ptr[e + 1]; k++)
    for (bf_int u = B->first[E->node[k]]; u < B->first[E->node[k] + 1]; u++, column++) {
      const bf_int j   = where[u];
      int64_t      row = 0;
      for (int64_t q = E->ptr[e]; j >= 0 && q < E->ptr[e + 1]; q++)
        for (bf_int v = B->first[E->node[q]]; v < B->first[E->node[q] + 1]; v++, row++)
          if (where[v] >= j) a[(int64_t)j * ld + where[v]] += K[column * order + row];
    }
}

static void assemble(const bf_local_body *B, const bf_local_lists *L, bf_int a, double shift, bf_int ld,
                     double *out, places *p)
{
  const bf_int  c   = place_others(B, L, a, p);
  const bf_int *own = L->unknown + L->uptr[a], m = (bf_int)(L->uptr[a + 1] - L->uptr[a]);
  double        mean = 0.0;
  for (bf_int k = 0; k < m; k++) p->where[own[k]] = c + k;
  for (bf_int j = 0; j < c + m; j++) memset(out + (int64_t)j * ld, 0, (size_t)(c + m) * sizeof *out);
  for (int64_t k = L->eptr[a]; k < L->eptr[a + 1]; k++) add_element(B, L->element[k], p->where, ld, out);
  for (bf_int j = 0; j < c; j++) mean += out[(int64_t)j * (ld + 1)] / c;
  for (bf_int j = 0; j < c; j++) {
    double *d = &out[(int64_t)j * (ld + 1)];
    *d += OTHER_RELATIVE * *d + OTHER_MEAN * mean;
  }
  for (bf_int k = 0; k < m; k++) { /* row and column of own unknown k */
    const double s = 1.0 / sqrt(B->diagonal[own[k]]);
    for (bf_int j = 0; j <= c + k; j++) out[(int64_t)j * ld + c + k] *= s;
    for (bf_int i = c + k; i < c + m; i++) out[(int64_t)(c + k) * ld + i] *= s;
    out[(int64_t)(c + k) * (ld + 1)] += shift;
  }
  forget(L, a, c, p);
}

bf_err bf_local_assemble(const bf_local_body *B, const bf_local_lists *L, bf_int many, const bf_int *which,
                         double shift, bf_int ld, double *a)
{
  bf_err    err     = BF_OK;
  const int threads = omp_get_max_threads();
  places   *p       = NULL;
  BF_GO(places_create(B->first[B->n], threads, &p));
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
  for (bf_int k = 0; k < many; k++)
    assemble(B, L, which[k], shift, ld, a + (int64_t)k * ld * ld, &p[omp_get_thread_num()]);
done:
  places_destroy(p, threads);
  return err;
}

void bf_local_schur(const bf_local_lists *L, bf_int many, const bf_int *which, bf_int ld, const double *a,
                    bf_int lds, double *s)
{
#pragma omp parallel for schedule(dynamic, 4)
  for (bf_int k = 0; k < many; k++) {
    const bf_int  c = L->others[which[k]], m = (bf_int)(L->uptr[which[k] + 1] - L->uptr[which[k]]);
    const double *f = a + (int64_t)k * ld * ld + (int64_t)c * (ld + 1);
    double       *t = s + (int64_t)k * lds * lds;
    for (bf_int j = 0; j < m; j++) memset(t + (int64_t)j * lds, 0, (size_t)m * sizeof *t);
    for (bf_int l = 0; l < m; l++) /* column l of L_oo begins at row l */
      for (bf_int j = l; j < m; j++)
        for (bf_int i = j; i < m; i++)
          t[(int64_t)j * lds + i] += f[(int64_t)l * ld + i] * f[(int64_t)l * ld + j];
    for (bf_int j = 0; j < m; j++)
      for (bf_int i = j + 1; i < m; i++) t[(int64_t)i * lds + j] = t[(int64_t)j * lds + i];
  }
}
