/* tests/mesh/t122_bands.c - tables of diagonals: invariants, counts, the single band, segments of an order */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/bands.h"
#include "mesh/numbering/band_cost.h"
#include "mesh/numbering/vertex_mesh.h"
#include "tests/shuffle.h"

/* Rows 0..255 with offsets -3 0 2, rows 256..299 with -7 -1 0 7. */
static bf_bands *two_segments(void)
{
  bf_bands     *b      = NULL;
  const bf_int  row[3] = {0, 256, 300}, off[7] = {-3, 0, 2, -7, -1, 0, 7};
  const int64_t ptr[3] = {0, 3, 7};
  T_OK(bf_bands_create(300, 2, 7, &b));
  memcpy(b->row, row, sizeof row);
  memcpy(b->ptr, ptr, sizeof ptr);
  memcpy(b->off, off, sizeof off);
  T_OK(bf_bands_check(b));
  return b;
}

static void slots_reach_and_bytes_are_counted(void **state)
{
  (void)state;
  bf_bands *b = two_segments();
  assert_int_equal(bf_bands_slots(b, 0), 256 * 3 + 44 * 4);
  assert_int_equal(bf_bands_slots(b, 1), 256 * 2 + 44 * 2);
  assert_int_equal(bf_bands_reach(b), 7);
  T_NEAR(bf_bands_bytes(b, 0), 8.0 * 944 + 16.0 * 7, 1e-9);
  T_NEAR(bf_bands_bytes(b, 1), 8.0 * 600 + 16.0 * 4, 1e-9);
  bf_bands_destroy(&b);
  assert_null(b);
  bf_bands_destroy(&b);
}

static void the_single_band_fills_the_run(void **state)
{
  (void)state;
  bf_bands *b = two_segments(), *one = NULL;
  T_OK(bf_bands_single(b, &one));
  T_OK(bf_bands_check(one));
  assert_int_equal(one->nseg, 2);
  assert_int_equal(one->row[1], 256);
  assert_int_equal(bf_bands_slots(one, 0), 300 * 15);
  assert_int_equal(bf_bands_slots(one, 1), 300 * 8);
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 15; k++) assert_int_equal(one->off[one->ptr[s] + k], k - 7);
  bf_bands_destroy(&b);
  bf_bands_destroy(&one);
}

static void the_union_is_one_segment_with_every_offset(void **state)
{
  (void)state;
  const bf_int want[6] = {-7, -3, -1, 0, 2, 7};
  bf_bands    *b = two_segments(), *u = NULL;
  T_OK(bf_bands_union(b, &u));
  T_OK(bf_bands_check(u));
  assert_int_equal(u->nseg, 1);
  assert_int_equal(u->ptr[1], 6);
  assert_memory_equal(u->off, want, sizeof want);
  bf_bands_destroy(&b);
  bf_bands_destroy(&u);
}

static void each_broken_invariant_is_named(void **state)
{
  (void)state;
  static const struct {
    int         what, at, value;
    const char *message;
  } wrong[] = {{0, 1, 250, "not a multiple of 128"},
               {0, 2, 299, "cover rows"},
               {0, 0, 1, "cover rows"},
               {1, 0, 0, "is not above"},
               {1, 1, 1, "no diagonal"},
               {1, 6, 300, "offset 300"},
               {2, 1, 0, "no offsets"},
               {0, 1, 384, "no rows"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bf_bands *b = two_segments();
    if (wrong[i].what == 0) b->row[wrong[i].at] = wrong[i].value;
    if (wrong[i].what == 1) b->off[wrong[i].at] = wrong[i].value;
    if (wrong[i].what == 2) b->ptr[wrong[i].at] = wrong[i].value;
    T_ERR(BF_E_ARG, bf_bands_check(b));
    T_CONTAINS(bf_err_message(), wrong[i].message);
    bf_bands_destroy(&b);
  }
  bf_bands *b = NULL;
  T_ERR(BF_E_ARG, bf_bands_create(-1, 1, 1, &b));
  T_ERR(BF_E_ARG, bf_bands_create(5, 2, 1, &b));
  assert_null(b);
}

/* ---- orders of a chain of quadrilaterals whose rows have different lengths ---- */

/* Cells {i, j} of two nodes each: the pairs of a pattern, as lines. */
static bf_cells lines(const bf_int *pair, bf_int n, bf_int nv)
{
  bf_cells c = {.nv = nv, .nblocks = 1};
  c.block[0] = (bf_cell_block){BF_LINE2, 2, 2, n, pair};
  return c;
}

enum { N = 128 * 12 + 57, HALF = 128 * 6 };

/* Row i < HALF is joined to i+1 and i+50, the others to i+1 and i+80. */
static bf_int two_widths(bf_int *pair)
{
  bf_int n = 0;
  for (bf_int i = 0; i < N; i++)
    for (int k = 0; k < 2; k++) {
      const bf_int j = i + (k == 0 ? 1 : i < HALF ? 50 : 80);
      if (j >= N) continue;
      pair[2 * n]     = k ? i : j;
      pair[2 * n + 1] = k ? j : i;
      n++;
    }
  return n;
}

static void offsets_of_an_order_are_exact(void **state)
{
  (void)state;
  static bf_int     pair[4 * N], pos[N];
  static bf_offsets o;
  const bf_int      n = two_widths(pair);
  const bf_cells    c = lines(pair, n, N);
  for (bf_int i = 0; i < N; i++) pos[i] = N - 1 - i;
  T_OK(bf_offsets_find(&c, pos, N, -1, &o));
  assert_int_equal(o.n, 3);
  assert_int_equal(o.off[0], 1);
  assert_int_equal(o.off[1], 50);
  assert_int_equal(o.off[2], 80);
  assert_int_equal(o.reach, 80);
  int64_t nnz = 0, rows = 0;
  T_OK(bf_pairs_count(&c, pos, N, &o, &nnz));
  T_OK(bf_pairs_count_rows(&c, pos, N, &rows));
  assert_int_equal(nnz, N + 2 * n);
  assert_int_equal(rows, nnz);
}

static void too_many_offsets_stop_the_count_but_not_the_reach(void **state)
{
  (void)state;
  enum { M = 5000 };
  static bf_int     pair[2 * M], pos[M];
  static bf_offsets o;
  for (bf_int i = 0; i < M; i++) pos[i] = i;
  for (bf_int i = 1; i < M; i++) {
    pair[2 * (i - 1)]     = 0;
    pair[2 * (i - 1) + 1] = i;
  }
  bf_cells c = lines(pair, BF_OFFSETS_MAX, M);
  T_OK(bf_offsets_find(&c, pos, M, -1, &o));
  assert_false(o.stopped);
  assert_int_equal(o.n, BF_OFFSETS_MAX);
  c = lines(pair, M - 1, M);
  T_OK(bf_offsets_find(&c, pos, M, -1, &o));
  assert_true(o.stopped);
  assert_int_equal(o.n, BF_OFFSETS_MAX + 1);
  assert_int_equal(o.reach, M - 1);
}

static void segments_split_where_the_offsets_change(void **state)
{
  (void)state;
  static bf_int     pair[4 * N], pos[N];
  static bf_offsets o;
  bf_bands         *b   = NULL;
  const bf_int      n   = two_widths(pair);
  const bf_cells    c   = lines(pair, n, N);
  int64_t           nnz = 0;
  for (bf_int i = 0; i < N; i++) pos[i] = i;
  T_OK(bf_offsets_find(&c, pos, N, -1, &o));
  T_OK(bf_bands_choose(&c, pos, N, &o, BF_CUT, &nnz, &b));
  T_OK(bf_bands_check(b));
  assert_int_equal(nnz, N + 2 * n);
  /* rows HALF .. HALF+49 reach back by 50, those from HALF+80 on by 80: a slice of its own with both */
  assert_int_equal(b->nseg, 3);
  assert_int_equal(b->row[1], HALF);
  assert_int_equal(b->row[2], HALF + 128);
  static const bf_int want[3][6] = {{-50, -1, 0, 1, 50}, {-80, -50, -1, 0, 1, 80}, {-80, -1, 0, 1, 80}};
  for (int s = 0; s < 3; s++) {
    assert_int_equal(b->ptr[s + 1] - b->ptr[s], s == 1 ? 6 : 5);
    for (int k = 0; k < (s == 1 ? 6 : 5); k++) assert_int_equal(b->off[b->ptr[s] + k], want[s][k]);
  }
  bf_bands_destroy(&b);
  T_OK(bf_bands_choose(&c, pos, N, &o, BF_CUT_NEVER, &nnz, &b));
  assert_int_equal(b->nseg, 1);
  assert_int_equal(b->ptr[1], 7);
  bf_bands_destroy(&b);
}

static void every_entry_of_a_random_pattern_has_its_diagonal(void **state)
{
  (void)state;
  enum { R = 1000, E = 3000 };
  static bf_int     pair[2 * E], pos[R];
  static bf_offsets o;
  uint64_t          seed = 3;
  for (bf_int i = 0; i < R; i++) pos[i] = i;
  for (bf_int e = 0; e < E; e++) {
    pair[2 * e]     = (bf_int)(t_random(&seed) % R);
    pair[2 * e + 1] = (bf_int)((uint64_t)(pair[2 * e] + 1) + t_random(&seed) % 90) % R;
  }
  const bf_cells c   = lines(pair, E, R);
  bf_bands      *b   = NULL;
  int64_t        nnz = 0, rows = 0;
  T_OK(bf_offsets_find(&c, pos, R, -1, &o));
  T_OK(bf_bands_segments(&c, pos, R, &o, &b));
  T_OK(bf_bands_check(b));
  for (bf_int e = 0; e < 2 * E; e++) {
    const bf_int i = pair[e], j = pair[e ^ 1];
    bf_int       s = 0, found = 0;
    while (b->row[s + 1] <= i) s++;
    for (int64_t k = b->ptr[s]; k < b->ptr[s + 1]; k++) found |= b->off[k] == j - i;
    assert_true(found);
  }
  T_OK(bf_pairs_count(&c, pos, R, &o, &nnz));
  static uint8_t a[R][R];
  for (bf_int i = 0; i < R; i++) a[i][i] = 1;
  for (bf_int e = 0; e < 2 * E; e++) a[pair[e]][pair[e ^ 1]] = 1;
  for (bf_int i = 0; i < R * R; i++) rows += a[i / R][i % R];
  assert_int_equal(nnz, rows);
  bf_bands_destroy(&b);
}

static void cells_that_nearly_look_alike_are_told_apart(void **state)
{
  (void)state;
  enum { R = 400, E = 600 };
  static bf_int     cell[8 * E], pos[R];
  static bf_offsets o;
  static uint8_t    a[R][R];
  uint64_t          seed = 11;
  for (bf_int i = 0; i < R; i++) pos[i] = R - 1 - i;
  for (int nc = 3; nc <= 8;
       nc++) { /* one place at a time differs by one of two values from the common shape */
    memset(a, 0, sizeof a);
    for (bf_int e = 0; e < E; e++) {
      const bf_int first = (bf_int)(t_random(&seed) % (R - 60));
      bf_int      *v     = cell + nc * e;
      for (int k = 0; k < nc; k++) v[k] = first + k * k;
      if (e >= 20) v[1 + e % (nc - 1)] = first + 50 + (bf_int)(t_random(&seed) % 2);
      for (int i = 0; i < nc; i++)
        for (int j = 0; j < nc; j++) a[v[i]][v[j]] = 1;
    }
    for (bf_int i = 0; i < R; i++) a[i][i] = 1;
    bf_cells c  = {.nv = R, .nblocks = 1};
    c.block[0]  = (bf_cell_block){BF_HEX8, nc, nc, E, cell};
    int64_t nnz = 0, count = 0;
    bf_int  noff = 0, reach = 0;
    for (bf_int k = 1; k < R; k++) {
      int found = 0;
      for (bf_int i = 0; i + k < R; i++) found |= a[i][i + k];
      noff += found;
      reach = found ? k : reach;
    }
    for (bf_int i = 0; i < R * R; i++) count += a[i / R][i % R];
    T_OK(bf_offsets_find(&c, pos, R, -1, &o));
    assert_int_equal(o.n, noff);
    assert_int_equal(o.reach, reach);
    assert_true(noff <= 64); /* so this is the count by masks */
    T_OK(bf_pairs_count(&c, pos, R, &o, &nnz));
    assert_int_equal(nnz, count);
    T_OK(bf_pairs_count_rows(&c, pos, R, &nnz));
    assert_int_equal(nnz, count);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots_reach_and_bytes_are_counted),
      cmocka_unit_test(the_single_band_fills_the_run),
      cmocka_unit_test(the_union_is_one_segment_with_every_offset),
      cmocka_unit_test(each_broken_invariant_is_named),
      cmocka_unit_test(offsets_of_an_order_are_exact),
      cmocka_unit_test(too_many_offsets_stop_the_count_but_not_the_reach),
      cmocka_unit_test(segments_split_where_the_offsets_change),
      cmocka_unit_test(cells_that_nearly_look_alike_are_told_apart),
      cmocka_unit_test(every_entry_of_a_random_pattern_has_its_diagonal),
  };
  return T_RUN(tests);
}
