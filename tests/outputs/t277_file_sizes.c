/* tests/outputs/t277_file_sizes.c - the forecast of the size of case.vtk, a series and case.hdf against the
 * files */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "tests/outputs/samples.h"

#define FOLDER BF_BINARY_DIR "/t277"

enum { STEPS = 3 };

typedef struct picture {
  bf_mesh  *mesh; /* owned */
  bf_view  *view; /* owned */
  double   *data; /* owned, zeros for every field */
  bf_int   *row;  /* owned [nnodes] */
  bf_field  field[3];
  double    at[STEPS];
  bf_steps  steps;
  bf_phases phases;
  bf_result r;
} picture;

static void make(picture *p, int steps)
{
  const double size[3]  = {1.0, 1.0, 1.0};
  const bf_int cells[3] = {24, 22, 20};
  *p                    = (picture){.at = {1, 2, 3}};
  T_OK(bf_mesh_box(size, cells, BF_HEX20, &p->mesh));
  T_OK(bf_view_create(p->mesh, NULL, &p->view));
  T_OK(BF_NEW_ARRAY(p->data, (size_t)STEPS * 6 * (size_t)p->view->npoints));
  T_OK(BF_NEW_ARRAY(p->row, p->mesh->nnodes));
  p->field[0] = (bf_field){"displacement", "m", 3, 0, p->data, steps > 1};
  p->field[1] = (bf_field){"stress", "Pa", 6, 1, p->data, 0};
  p->field[2] = (bf_field){"material_id", NULL, 1, 1, p->data, 0};
  p->steps    = (bf_steps){.n = STEPS, .at = p->at};
  p->r        = (bf_result){.title       = "sizes",
                            .mesh        = p->mesh,
                            .permutation = p->row,
                            .view        = p->view,
                            .nfields     = 3,
                            .field       = p->field,
                            .phases      = &p->phases,
                            .steps       = steps > 1 ? &p->steps : NULL,
                            .converged   = 1};
}

static void clear(picture *p)
{
  bf_host_free(p->data);
  bf_host_free(p->row);
  bf_view_destroy(&p->view);
  bf_mesh_destroy(&p->mesh);
}

/* Elements of a group and their nodes. */
static int64_t members(const bf_mesh *m, const bf_group *g)
{
  int64_t  n    = g->nelem;
  uint8_t *seen = calloc((size_t)m->nnodes, 1);
  for (bf_int i = 0; i < g->nelem; i++) {
    const bf_block *b   = bf_mesh_block_of(m, g->elem[i]);
    const int       nen = bf_elem(b->type)->nnodes;
    for (int a = 0; a < nen; a++) {
      uint8_t *s = &seen[b->node[(size_t)(g->elem[i] - b->first) * (size_t)nen + (size_t)a]];
      n += !*s;
      *s = 1;
    }
  }
  free(seen);
  return n;
}

static bf_picture_size size_of(const picture *p)
{
  const bf_view  *v = p->view;
  bf_picture_size s = {.points  = v->npoints,
                       .cells   = v->ncells,
                       .corners = v->ptr[v->ncells],
                       .nodes   = p->mesh->nnodes,
                       .steps   = p->r.steps ? STEPS : 0};
  for (int i = 0; i < p->r.nfields; i++) {
    const bf_field *f = &p->field[i];
    *(f->by_step ? &s.by_step : &s.shared) += (int64_t)f->ncomp * (f->on_cells ? v->ncells : v->npoints);
  }
  for (int g = 0; g < p->mesh->ngroups; g++) s.members += members(p->mesh, &p->mesh->group[g]);
  return s;
}

static int64_t bytes_of(const char *path)
{
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  const int64_t n = ftell(f);
  fclose(f);
  return n;
}

/* Texts and the structure of the files are estimated: at most 2 % of these. */
static void expect_near(int64_t bytes, int64_t forecast)
{
  assert_true(forecast > 1000000);
  if (bytes > forecast || (double)bytes < 0.98 * (double)forecast)
    fail_msg("%lld bytes, forecast %lld", (long long)bytes, (long long)forecast);
}

static void a_steady_picture_has_the_forecast_sizes(void **state)
{
  (void)state;
  picture p;
  make(&p, 1);
  const bf_picture_size size = size_of(&p);
  T_OK(bf_write_vtk(&p.r, FOLDER "/case.vtk"));
  T_OK(bf_write_vtkhdf(&p.r, FOLDER "/case.hdf", 0));
  expect_near(bytes_of(FOLDER "/case.vtk"), bf_write_vtk_bytes(&size));
  expect_near(bytes_of(FOLDER "/case.hdf"), bf_write_vtkhdf_bytes(&size));
  clear(&p);
}

static void a_series_has_the_forecast_sizes(void **state)
{
  (void)state;
  picture p;
  int64_t bytes = 0;
  make(&p, STEPS);
  const bf_picture_size size = size_of(&p);
  T_OK(bf_write_vtk_series(&p.r, FOLDER "/case.vtk.series"));
  T_OK(bf_write_vtkhdf(&p.r, FOLDER "/series.hdf", 0));
  bytes += bytes_of(FOLDER "/case_0000.vtk");
  bytes += bytes_of(FOLDER "/case_0001.vtk");
  bytes += bytes_of(FOLDER "/case_0002.vtk");
  expect_near(bytes, bf_write_vtk_bytes(&size));
  expect_near(bytes_of(FOLDER "/series.hdf"), bf_write_vtkhdf_bytes(&size));
  clear(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_steady_picture_has_the_forecast_sizes),
      cmocka_unit_test(a_series_has_the_forecast_sizes),
  };
  T_OK(bf_make_folder(FOLDER));
  return T_RUN(tests);
}
