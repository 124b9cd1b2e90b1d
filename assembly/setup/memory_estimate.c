/* assembly/setup/memory_estimate.c - see memory_estimate.h; each term is an array of a step of a run */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "assembly/setup/memory_estimate.h"
#include "assembly/model/internal.h"
#include "assembly/recover/patch_recovery.h"
#include "base/memory.h"
#include <string.h>

enum { ERROR_SUMS = 24 }; /* bytes of an element while the error is estimated: three sums */

static const bf_field_kind elastic[] = {{"displacement", 3, 0, 0},   {"reaction", 3, 0, 0},
                                        {"strain", 6, 1, 0},         {"stress", 6, 1, 0},
                                        {"von_mises", 1, 1, 0},      {"von_mises_max_ip", 1, 1, 0},
                                        {"stress_nodal", 6, 0, 0},   {"von_mises_nodal", 1, 0, 0},
                                        {"error_estimate", 1, 1, 0}, {"material_id", 1, 1, 0}};
static const bf_field_kind heat[]    = {{"temperature", 1, 0, 0},    {"reaction", 1, 0, 0},
                                        {"heat_flux", 3, 1, 0},      {"heat_flux_nodal", 3, 0, 0},
                                        {"error_estimate", 1, 1, 0}, {"material_id", 1, 1, 0}};
static const bf_field_kind carried[] = {{"concentration", 1, 0, 0}, {"reaction", 1, 0, 0},
                                        {"flux", 3, 1, 0},          {"flux_nodal", 3, 0, 0},
                                        {"cell_peclet", 1, 1, 0},   {"material_id", 1, 1, 0}};
/* of free vibrations */
static const bf_field_kind shapes[] = {
    {"mode_shape", 3, 0, 1}, {"modal_strain_energy", 1, 1, 1}, {"material_id", 1, 1, 0}};
static const bf_field_kind waves[] = {
    {"mode_shape", 1, 0, 1}, {"modal_strain_energy", 1, 1, 1}, {"material_id", 1, 1, 0}};

/* with output.axes */
static const bf_field_kind in_axes[]    = {{"displacement_axes", 3, 0, 0},
                                           {"reaction_axes", 3, 0, 0},
                                           {"strain_axes", 6, 1, 0},
                                           {"stress_axes", 6, 1, 0},
                                           {"stress_nodal_axes", 6, 0, 0}};
static const bf_field_kind mode_in_axes = {"mode_shape_axes", 3, 0, 1};
enum { IN_AXES = sizeof in_axes / sizeof *in_axes };

typedef struct list {
  const bf_field_kind *of;
  int                  n;
} list;

static const bf_field_kind spectra[] = {{"spectrum_min", 1, 1, 0},
                                        {"spectrum_max", 1, 1, 0},
                                        {"zero_energy_modes", 1, 1, 0},
                                        {"critical_time_step", 1, 1, 0}};
enum { SPECTRA = sizeof spectra / sizeof *spectra };

int bf_field_is_spectral(const char *word)
{
  int found = strcmp(word, "element_spectrum") == 0;
  for (int i = 0; i < SPECTRA; i++) found |= strcmp(spectra[i].name, word) == 0;
  return found;
}

int bf_field_is(const char *field, const char *word)
{
  const size_t n = strlen(word); /* stress selects stress_axes too */
  if (strncmp(field, word, n) == 0 && strcmp(field + n, "_axes") == 0) return 1;
  return strcmp(field, word) == 0 || (strcmp(word, "element_spectrum") == 0 && bf_field_is_spectral(field));
}

int bf_model_fields(const bf_model *m, bf_field_kind kind[BF_FIELD_KINDS])
{
  static const list of_static[] = {[BF_HEAT]       = {heat, sizeof heat / sizeof *heat},
                                   [BF_ELASTICITY] = {elastic, sizeof elastic / sizeof *elastic},
                                   [BF_ADVECTION]  = {carried, sizeof carried / sizeof *carried}};
  static const list of_modal[]  = {[BF_HEAT]       = {waves, sizeof waves / sizeof *waves},
                                   [BF_ELASTICITY] = {shapes, sizeof shapes / sizeof *shapes},
                                   [BF_ADVECTION]  = {waves, 0}};
  const list       *l = &(m->problem->analysis == BF_MODAL ? of_modal : of_static)[m->problem->physics];
  memcpy(kind, l->of, (size_t)l->n * sizeof *kind);
  const int more = m->problem->spectrum ? SPECTRA - !m->has_steps : 0; /* the time step is the last */
  memcpy(kind + l->n, spectra, (size_t)more * sizeof *kind);
  int n = 0;
  for (int i = 0; i < l->n + more; i++)
    if (m->basis->patch_recovery || strcmp(kind[i].name, "error_estimate") != 0) kind[n++] = kind[i];
  const int modal = m->problem->analysis == BF_MODAL;
  for (int i = 0; m->problem->output_axes && i < (modal ? 1 : IN_AXES); i++)
    kind[n++] = modal ? mode_in_axes : in_axes[i];
  return n;
}

static int64_t mesh_bytes(const bf_mesh *mesh)
{
  int64_t sum = (int64_t)mesh->nnodes * 32;
  for (int b = 0; b < mesh->nblocks; b++)
    sum += (int64_t)mesh->block[b].n * (4 * bf_elem(mesh->block[b].type)->nnodes + 8);
  for (int g = 0; g < mesh->ngroups; g++) sum += (int64_t)mesh->group[g].nelem * 4;
  return sum;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* A large array of the CPU backend ends at a huge page. */
static int64_t array(int64_t bytes, int on_device)
{
  return on_device ? bytes : bf_memory_in_pages(bytes);
}

/* Tables, and the largest chunks of element matrices and of nodal forces. */
static void batches(const bf_model *m, int64_t nrows, int on_device, bf_model_bytes *f)
{
  const int64_t limit    = (int64_t)(on_device ? BF_CHUNK_MIB_DEVICE : BF_CHUNK_MIB_HOST) << 20;
  int64_t       matrices = 0, wide = 0;
  f->model += m->basis->bytes(m, &wide);
  f->tables = array(nrows * 24, on_device);
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block *b = m->block[i].block;
    const int64_t   D = m->ncomp, modes = m->problem->incompatible ? m->sdim * D : 0;
    const int64_t   nen = bf_elem(b->type)->nnodes, nd = nen * D + modes, n = b->n;
    const int64_t   chunk = most(1, least(n, limit / (nd * nd * 8))),
                  part    = most(1, least(n, limit / (nd * 8 * (modes ? nd : 1))));
    f->tables += array(n * nen * 4, on_device) + (m->problem->nmaterials > 1 ? array(n * 4, on_device) : 0);
    if (m->block[i].factor) f->tables += n * m->block[i].stiffness.n * 8;
    if (m->block[i].flow) f->tables += n * m->block[i].stiffness.n * 8 * m->nv;
    const int64_t inner = m->ninner ? bf_elem(b->type)->inner : 0, ni = inner ? D : modes, nb = nd - ni;
    const int64_t condensed = ni ? 8 * (nb * nb + nb + 2 * ni * ni) + 8 : 0; /* a copy, loads, inverses */
    f->tables += inner * n * (nen - 1) * 4;
    f->model += inner * n * D * D * 8;
    matrices    = most(matrices, chunk * (nd * nd * 8 + nen * 4 + condensed));
    f->recovery = most(f->recovery, part * (nd * 8 * (modes ? nd + 1 : 1) + nen * 4));
    if (m->problem->spectrum) {
      const int64_t each = 8 * (nd * (nd + 1) + (modes ? nb * nb : 0) + (m->has_steps ? nen * (nen + 1) : 0));
      f->recovery        = most(f->recovery, least(n * each, limit));
    }
  }
  for (int i = 0; i < m->nsets; i++) f->tables += (int64_t)m->set[i].n * bf_elem(m->set[i].type)->nnodes * 4;
  matrices = most(matrices, 2 * wide); /* computed on the host, then copied */
  if (on_device && m->basis->device_bytes) f->tables += m->basis->device_bytes(m, limit, &matrices);
  f->assembly = most(matrices + nrows * 4, nrows * m->ncomp * 26); /* fixed twice, start, product, diagonal */
  f->recovery += nrows * (4 + 16 * m->ncomp);                      /* incidences, solution, forces */
}

/* Points of the view: a node once for every material at it. */
static bf_err count_points(const bf_model *m, int64_t nused, bf_model_bytes *f)
{
  bf_err  err   = BF_OK;
  bf_int *first = NULL;
  f->points     = nused;
  if (m->problem->nmaterials < 2) return BF_OK;
  BF_GO(BF_NEW_ARRAY(first, m->mesh->nnodes)); /* material + 1, -1 after a second one */
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block *b   = m->block[i].block;
    const int64_t   nen = bf_elem(b->type)->nnodes;
    for (int64_t k = 0; k < b->n * nen; k++) {
      const bf_int r = m->region[b->first + k / nen] + 1, node = b->node[k];
      if (first[node] > 0 && first[node] != r) {
        f->points++;
        first[node] = -1;
      }
      if (first[node] == 0) first[node] = r;
    }
  }
done:
  bf_host_free(first);
  return err;
}

bf_err bf_model_forecast(const bf_model *m, const bf_numbering *num, int on_device, bf_model_bytes *out)
{
  bf_model_bytes f = {0};
  bf_field_kind  kind[BF_FIELD_KINDS];
  BF_CHECK(m && num && out, BF_E_ARG, "null argument");
  const int64_t N = m->mesh->nnodes, R = num->nrows + m->ninner, D = m->ncomp;
  f.mesh      = mesh_bytes(m->mesh);
  f.model     = (int64_t)m->mesh->nelem * 4 + N * (1 + 13 * D);
  f.numbering = 4 * (N + R);
  f.loads     = 8 * N * D;
  for (int i = 0; i < m->nblocks; i++) {
    const bf_block *b      = m->block[i].block;
    const int64_t   values = (int64_t)b->n * m->block[i].stiffness.n * 8;
    f.model += (m->block[i].factor ? values : 0) + (m->block[i].expansion ? values : 0) +
               (m->block[i].flow ? values * m->nv : 0);
    if (m->problem->analysis == BF_STATIC && m->basis->patch_recovery)
      f.patches += b->n * ERROR_SUMS +
                   b->n * bf_patches_bytes(b->type, m->block[i].stiffness.n, m->ncomp == 1 ? 3 : 6);
    f.cells += b->n;
    f.corners += (int64_t)b->n * bf_elem(b->type)->nnodes;
  }
  f.model += (int64_t)m->npoints * (int64_t)sizeof *m->point;
  for (int i = 0; i < m->nsets; i++)
    f.model += (int64_t)m->set[i].n * (8 + 4 * bf_elem(m->set[i].type)->nnodes);
  for (int i = 0; i < m->nouter; i++)
    f.model += (int64_t)m->outer[i].n * (4 + 4 * bf_elem(m->outer[i].type)->nnodes);
  batches(m, R, on_device, &f);
  f.forces = 24 * N * D;
  BF_TRY(count_points(m, R - bf_numbering_phantoms(num), &f));
  f.view = f.points * 8 + f.cells * 16 + f.corners * 4;
  for (int i = bf_model_fields(m, kind) - 1; i >= 0; i--)
    f.fields += 8 * kind[i].ncomp * (kind[i].on_cells ? f.cells : f.points) *
                (kind[i].by_step ? m->problem->modes : 1);
  *out = f;
  return BF_OK;
}
