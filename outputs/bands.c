/* outputs/bands.c - bands.csv: table of the band diagram; outputs/plot_bands.py plots it
 *
 *     point,path_length,kappa_1,kappa_2,kappa_3,kx,ky,kz,band_1,band_2,...,branch_1,branch_2,...
 *
 * one line per wave vector; `point` is the name of a point of the path, empty between them; branch_j is the
 * branch of band j, numbered by continuity. Lines with # before the heading give the phase convention and the
 * gaps.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/result.h"

static void put(bf_atomic_file *f, const bf_dispersion_record *d)
{
  bf_atomic_file_print(f, "# %s; frequencies in Hz, wave vectors in %s\n", d->phase, d->k_unit);
  for (int i = 0; i < d->ngaps; i++)
    bf_atomic_file_print(f, "# gap,%d,%.17g,%.17g\n", d->gap_below[i], d->gap[2 * i], d->gap[2 * i + 1]);
  bf_atomic_file_print(f, "point,path_length,kappa_1,kappa_2,kappa_3,kx,ky,kz");
  for (int j = 0; j < d->bands; j++) bf_atomic_file_print(f, ",band_%d", j + 1);
  for (int j = 0; d->branch && j < d->bands; j++) bf_atomic_file_print(f, ",branch_%d", j + 1);
  bf_atomic_file_print(f, "\n");
  for (int k = 0, t = 0; k < d->nk; k++) {
    const int at = t < d->nticks && d->path_length[k] >= d->tick_position[t];
    bf_atomic_file_print(f, "%s,%.17g", at ? d->tick_label[t] : "", d->path_length[k]);
    t += at;
    for (int i = 0; i < 3; i++) bf_atomic_file_print(f, ",%.17g", d->k_reciprocal[3 * k + i]);
    for (int i = 0; i < 3; i++) bf_atomic_file_print(f, ",%.17g", d->k_cartesian[3 * k + i]);
    for (int j = 0; j < d->bands; j++)
      bf_atomic_file_print(f, ",%.17g", d->frequency_hz[(int64_t)k * d->bands + j]);
    for (int j = 0; d->branch && j < d->bands; j++)
      bf_atomic_file_print(f, ",%d", d->branch[(int64_t)k * d->bands + j]);
    bf_atomic_file_print(f, "\n");
  }
}

bf_err bf_write_bands(const bf_result *r, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(r && r->dispersion, BF_E_ARG, "no bands");
  BF_GO(bf_atomic_file_create(path, &f));
  put(f, r->dispersion);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
