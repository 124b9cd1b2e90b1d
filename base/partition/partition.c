/* base/partition/partition.c - see partition.h: lists of parts from the part number of every vertex
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/partition/partition.h"
#include "base/memory.h"

/* Sorts the vertices by part; size[count], all 0 at first; removes empty parts, splits parts above `most`. */
static bf_err gather(const bf_int *part, bf_int count, bf_int most, bf_int *size, bf_partition *p)
{
  bf_err  err  = BF_OK;
  bf_int *fill = NULL, made = 0, at = 0;
  BF_GO(BF_NEW_ARRAY(fill, (size_t)count));
  for (bf_int v = 0; v < p->n; v++) size[part[v]]++;
  for (bf_int k = 0; k < count; k++) made += (size[k] + most - 1) / most;
  BF_GO(BF_NEW_ARRAY(p->ptr, (size_t)made + 1));
  BF_GO(BF_NEW_ARRAY(p->vertex, (size_t)p->n));
  for (bf_int k = 0; k < count; k++) {
    const bf_int pieces = (size[k] + most - 1) / most;
    fill[k]             = at;
    for (bf_int j = 0; j < pieces; j++)
      p->ptr[p->count + j + 1] = at + (bf_int)((int64_t)size[k] * (j + 1) / pieces);
    p->count += pieces;
    at += size[k];
  }
  for (bf_int v = 0; v < p->n; v++) p->vertex[fill[part[v]]++] = v;
done:
  bf_host_free(fill);
  return err;
}

bf_err bf_partition_of(bf_int n, bf_int count, const bf_int *part, bf_int most, bf_partition **out)
{
  bf_err        err  = BF_OK;
  bf_partition *p    = NULL;
  bf_int       *size = NULL;
  *out               = NULL;
  BF_GO(BF_NEW(p));
  p->n = n;
  BF_GO(BF_NEW_ARRAY(size, (size_t)count));
  BF_GO(gather(part, count, most, size, p));
  *out = p;
  p    = NULL;
done:
  bf_host_free(size);
  bf_partition_destroy(&p);
  return err;
}

void bf_partition_destroy(bf_partition **p)
{
  if (!p || !*p) return;
  bf_host_free((*p)->ptr);
  bf_host_free((*p)->vertex);
  bf_host_free(*p);
  *p = NULL;
}

static bf_err check_vertices(const bf_partition *p, uint8_t *seen)
{
  for (bf_int k = 0; k < p->count; k++) {
    BF_CHECK(p->ptr[k] < p->ptr[k + 1], BF_E_ARG, "part %d is empty", k);
    for (bf_int i = p->ptr[k]; i < p->ptr[k + 1]; i++) {
      const bf_int v = p->vertex[i];
      BF_CHECK(v >= 0 && v < p->n && !seen[v], BF_E_ARG, "vertex %d of %d in part %d", v, p->n, k);
      BF_CHECK(i == p->ptr[k] || p->vertex[i - 1] < v, BF_E_ARG, "part %d is not ascending", k);
      seen[v] = 1;
    }
  }
  return BF_OK;
}

bf_err bf_partition_check(const bf_partition *p)
{
  BF_CHECK(p && p->ptr && p->vertex, BF_E_ARG, "null argument");
  BF_CHECK(p->n >= 0 && p->count >= 0 && p->ptr[0] == 0, BF_E_ARG, "n=%d count=%d", p->n, p->count);
  uint8_t *seen = NULL;
  BF_TRY(BF_NEW_ARRAY(seen, (size_t)p->n));
  bf_err err = check_vertices(p, seen);
  if (err == BF_OK && p->ptr[p->count] != p->n)
    err = BF_FAIL(BF_E_ARG, "%d of %d vertices are in parts", p->ptr[p->count], p->n);
  bf_host_free(seen);
  return err;
}
