/* base/bands.c - see bands.h */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands.h"
#include "base/memory.h"

enum { SLICE = 128 };

bf_err bf_bands_create(bf_int nrows, bf_int nseg, int64_t noff, bf_bands **out)
{
  bf_err    err = BF_OK;
  bf_bands *b   = NULL;
  BF_CHECK(out, BF_E_ARG, "null argument");
  *out = NULL;
  BF_CHECK(nrows >= 0 && nseg >= 0 && noff >= nseg, BF_E_ARG, "nrows=%d nseg=%d noff=%lld", nrows, nseg,
           (long long)noff);
  BF_GO(BF_NEW(b));
  b->nrows = nrows;
  b->nseg  = nseg;
  BF_GO(BF_NEW_ARRAY(b->row, (size_t)nseg + 1));
  BF_GO(BF_NEW_ARRAY(b->ptr, (size_t)nseg + 1));
  BF_GO(BF_NEW_ARRAY(b->off, (size_t)noff));
  *out = b;
  b    = NULL;
done:
  bf_bands_destroy(&b);
  return err;
}

void bf_bands_destroy(bf_bands **b)
{
  if (!b || !*b) return;
  bf_host_free((*b)->row);
  bf_host_free((*b)->ptr);
  bf_host_free((*b)->off);
  bf_host_free(*b);
  *b = NULL;
}

static bf_err check_segment(const bf_bands *b, bf_int s)
{
  int zero = 0;
  BF_CHECK(b->row[s] < b->row[s + 1], BF_E_ARG, "segment %d has no rows", s);
  BF_CHECK(s == 0 || b->row[s] % SLICE == 0, BF_E_ARG, "segment %d starts at row %d, not a multiple of %d", s,
           b->row[s], SLICE);
  BF_CHECK(b->ptr[s] < b->ptr[s + 1], BF_E_ARG, "segment %d has no offsets", s);
  for (int64_t k = b->ptr[s]; k < b->ptr[s + 1]; k++) {
    const bf_int off = b->off[k];
    BF_CHECK(off > -b->nrows && off < b->nrows, BF_E_ARG, "segment %d: offset %d of %d rows", s, off,
             b->nrows);
    BF_CHECK(k == b->ptr[s] || b->off[k - 1] < off, BF_E_ARG, "segment %d: offset %d is not above %d", s, off,
             b->off[k - 1]);
    zero |= off == 0;
  }
  BF_CHECK(zero, BF_E_ARG, "segment %d has no diagonal", s);
  return BF_OK;
}

bf_err bf_bands_check(const bf_bands *b)
{
  BF_CHECK(b && b->row && b->ptr && b->off, BF_E_ARG, "null argument");
  BF_CHECK(b->nrows >= 0 && b->nseg >= 0 && (b->nrows > 0) == (b->nseg > 0), BF_E_ARG, "nrows=%d nseg=%d",
           b->nrows, b->nseg);
  BF_CHECK(b->row[0] == 0 && b->row[b->nseg] == b->nrows, BF_E_ARG, "segments cover rows %d..%d of %d",
           b->row[0], b->row[b->nseg], b->nrows);
  BF_CHECK(b->ptr[0] == 0, BF_E_ARG, "ptr[0] = %lld", (long long)b->ptr[0]);
  for (bf_int s = 0; s < b->nseg; s++) BF_TRY(check_segment(b, s));
  return BF_OK;
}

bf_err bf_bands_single(const bf_bands *b, bf_bands **out)
{
  bf_bands *single = NULL;
  bf_int    lo = 0, hi = 0;
  BF_CHECK(b && out, BF_E_ARG, "null argument");
  for (int64_t k = 0; k < b->ptr[b->nseg]; k++) {
    lo = b->off[k] < lo ? b->off[k] : lo;
    hi = b->off[k] > hi ? b->off[k] : hi;
  }
  const int64_t width = (int64_t)hi - lo + 1;
  BF_TRY(bf_bands_create(b->nrows, b->nseg, b->nseg * width, &single));
  for (bf_int s = 0; s <= b->nseg; s++) {
    single->row[s] = b->row[s];
    single->ptr[s] = s * width;
  }
  for (bf_int s = 0; s < b->nseg; s++)
    for (int64_t k = 0; k < width; k++) single->off[s * width + k] = (bf_int)(lo + k);
  *out = single;
  return BF_OK;
}

bf_err bf_bands_union(const bf_bands *b, bf_bands **out)
{
  bf_err         err  = BF_OK;
  unsigned char *seen = NULL;
  bf_bands      *u    = NULL;
  int64_t        noff = 0;
  BF_CHECK(b && out && b->nrows >= 1, BF_E_ARG, "null argument");
  *out = NULL;
  BF_GO(BF_NEW_ARRAY(seen, 2 * (size_t)b->nrows - 1));
  for (int64_t k = 0; k < b->ptr[b->nseg]; k++) seen[(int64_t)b->nrows - 1 + b->off[k]] = 1;
  for (int64_t k = 0; k < 2 * (int64_t)b->nrows - 1; k++) noff += seen[k];
  BF_GO(bf_bands_create(b->nrows, 1, noff, &u));
  u->row[1] = b->nrows;
  for (int64_t k = 0; k < 2 * (int64_t)b->nrows - 1; k++)
    if (seen[k]) u->off[u->ptr[1]++] = (bf_int)(k - b->nrows + 1);
  *out = u;
  u    = NULL;
done:
  bf_host_free(seen);
  bf_bands_destroy(&u);
  return err;
}

bf_int bf_bands_reach(const bf_bands *b)
{
  bf_int reach = 0;
  for (int64_t k = 0; k < b->ptr[b->nseg]; k++) {
    const bf_int off = b->off[k] < 0 ? -b->off[k] : b->off[k];
    reach            = off > reach ? off : reach;
  }
  return reach;
}

int64_t bf_bands_slots(const bf_bands *b, int half)
{
  int64_t slots = 0;
  for (bf_int s = 0; s < b->nseg; s++) {
    int64_t count = 0;
    for (int64_t k = b->ptr[s]; k < b->ptr[s + 1]; k++) count += !half || b->off[k] >= 0;
    slots += count * (b->row[s + 1] - b->row[s]);
  }
  return slots;
}

int bf_bands_has(const bf_bands *b, bf_int s, bf_int off)
{
  int64_t lo = b->ptr[s], hi = b->ptr[s + 1];
  while (lo < hi) {
    const int64_t mid = lo + (hi - lo) / 2;
    if (b->off[mid] < off)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < b->ptr[s + 1] && b->off[lo] == off;
}

bf_int bf_bands_segment(const bf_bands *b, bf_int i)
{
  bf_int lo = 0, hi = b->nseg - 1;
  while (lo < hi) {
    const bf_int mid = lo + (hi - lo + 1) / 2;
    if (b->row[mid] <= i)
      lo = mid;
    else
      hi = mid - 1;
  }
  return lo;
}
