/* outputs/vtk/hdf.c - see hdf.h: the HDF5 file, its errors, groups and data sets
 *
 * Arrays are contiguous unless compressed; never filled before they are written.  Chunks are 1 MiB, which
 * HDF5's chunk cache holds; arrays below 4 KiB stay contiguous.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/vtk/hdf.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, CHUNKS_PER_PART = BF_HDF_PART_BYTES / CHUNK_BYTES, SMALL_BYTES = 4096 };

/* the innermost entry of the error stack of HDF5 has the reason */
static herr_t innermost(unsigned depth, const H5E_error2_t *e, void *data)
{
  bf_hdf *h = data;
  if (depth == 0) snprintf(h->words, sizeof h->words, "HDF5: %s (%s)", e->desc ? e->desc : "", e->func_name);
  return 0;
}

void bf_hdf_keep_error(bf_hdf *h)
{
  if (h->err != BF_OK) return;
  h->err = BF_E_FILE;
  snprintf(h->words, sizeof h->words, "HDF5 failed without a reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, h);
}

int bf_hdf_failed(bf_hdf *h)
{
  return h->err != BF_OK || bf_atomic_file_status(h->out) != BF_OK;
}

bf_err bf_hdf_create(const char *path, int compression, bf_hdf **out)
{
  bf_err  err  = BF_OK;
  bf_hdf *h    = NULL;
  hid_t   fapl = H5I_INVALID_HID;
  BF_CHECK(out && compression >= 0 && compression <= 9, BF_E_ARG, "compression %d is outside 0..9",
           compression);
  *out = NULL;
  BF_GO(BF_NEW(h));
  h->driver = h->file = H5I_INVALID_HID;
  h->compression      = compression;
  BF_NEED(H5Eget_auto2(H5E_DEFAULT, &h->report, &h->report_data) >= 0, BF_E_INTERNAL, "HDF5 does not start");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  BF_GO(bf_atomic_file_create(path, &h->out));
  h->driver = bf_hdf_driver_register();
  fapl      = H5Pcreate(H5P_FILE_ACCESS);
  BF_NEED(h->driver >= 0 && fapl >= 0 && bf_hdf_driver_use(fapl, h->driver, h->out) >= 0, BF_E_INTERNAL,
          "HDF5 rejects the file driver");
  H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG);
  h->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  if (h->file < 0) bf_hdf_keep_error(h);
  BF_NEED(h->file >= 0, BF_E_FILE, "cannot write '%s': %s", path, h->words);
  *out = h;
  h    = NULL;
done:
  if (fapl >= 0) H5Pclose(fapl);
  bf_hdf_destroy(&h);
  return err;
}

bf_err bf_hdf_commit(bf_hdf *h)
{
  const hid_t file = h->file;
  h->file          = H5I_INVALID_HID;
  if (H5Fclose(file) < 0) bf_hdf_keep_error(h);
  BF_TRY(bf_atomic_file_status(
      h->out)); /* the error of the system precedes errors of HDF5 that follow from it */
  BF_CHECK(h->err == BF_OK, h->err, "cannot write '%s': %s", bf_atomic_file_path(h->out), h->words);
  BF_TRY(bf_atomic_file_commit(h->out));
  return BF_OK;
}

void bf_hdf_destroy(bf_hdf **h)
{
  if (!h || !*h) return;
  if ((*h)->file >= 0) H5Fclose((*h)->file);
  if ((*h)->driver >= 0) H5FDunregister((*h)->driver);
  bf_atomic_file_destroy(&(*h)->out);
  H5Eset_auto2(H5E_DEFAULT, (*h)->report, (*h)->report_data);
  bf_host_free(*h);
  *h = NULL;
}

/* A link name without '/' that is not in use. */
static void free_name(hid_t at, const char *name, char out[BF_HDF_NAME_MAX])
{
  size_t n = 0;
  for (const char *p = name; *p && n < BF_HDF_NAME_MAX - 16; p++) {
    if (*p == '/' || (*p == '.' && p == name))
      n += (size_t)sprintf(out + n, "%%%02X", (unsigned)*p);
    else
      out[n++] = *p;
  }
  if (n == 0) out[n++] = '_';
  out[n] = '\0';
  for (int k = 2; H5Lexists(at, out, H5P_DEFAULT) > 0 && k < 1000000; k++) sprintf(out + n, "#%d", k);
}

hid_t bf_hdf_group(bf_hdf *h, hid_t at, const char *name)
{
  if (bf_hdf_failed(h)) return H5I_INVALID_HID;
  char link[BF_HDF_NAME_MAX];
  free_name(at, name, link);
  const hid_t g = H5Gcreate2(at, link, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (g < 0) bf_hdf_keep_error(h);
  return g;
}

int64_t bf_hdf_part_rows(size_t row_bytes)
{
  const size_t rows = CHUNK_BYTES / row_bytes;
  return CHUNKS_PER_PART * (int64_t)(rows ? rows : 1);
}

hid_t bf_hdf_array_create(bf_hdf *h, hid_t at, const char *name, hid_t type, int64_t rows, int ncomp)
{
  if (bf_hdf_failed(h)) return H5I_INVALID_HID;
  char          link[BF_HDF_NAME_MAX];
  const size_t  row    = H5Tget_size(type) * (size_t)ncomp;
  const hsize_t dim[2] = {(hsize_t)rows, (hsize_t)ncomp};
  const int     rank   = ncomp > 1 ? 2 : 1;
  const hid_t   space  = H5Screate_simple(rank, dim, NULL);
  const hid_t   dcpl   = H5Pcreate(H5P_DATASET_CREATE);
  hid_t         set    = H5I_INVALID_HID;
  free_name(at, name, link);
  herr_t bad = space < 0 || dcpl < 0 ? -1 : 0;
  if (h->compression > 0 && (size_t)rows * row >= SMALL_BYTES) {
    const hsize_t most     = (hsize_t)bf_hdf_part_rows(row) / CHUNKS_PER_PART;
    const hsize_t chunk[2] = {dim[0] < most ? dim[0] : most, dim[1]};
    bad |= H5Pset_chunk(dcpl, rank, chunk);
    bad |= H5Pset_shuffle(dcpl);
    bad |= H5Pset_deflate(dcpl, (unsigned)h->compression);
  }
  if (H5Tis_variable_str(type) <= 0) bad |= H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER);
  if (bad >= 0) set = H5Dcreate2(at, link, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  if (set < 0) bf_hdf_keep_error(h);
  if (dcpl >= 0) H5Pclose(dcpl);
  if (space >= 0) H5Sclose(space);
  return set;
}

void bf_hdf_array_part(bf_hdf *h, hid_t set, hid_t type, int64_t first, int64_t count, int ncomp,
                       const void *data)
{
  if (bf_hdf_failed(h) || count == 0) return;
  const hsize_t start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)ncomp};
  const hid_t   file   = H5Dget_space(set);
  const hid_t   memory = H5Screate_simple(ncomp > 1 ? 2 : 1, size, NULL);
  if (file < 0 || memory < 0 || H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) < 0 ||
      H5Dwrite(set, type, memory, file, H5P_DEFAULT, data) < 0)
    bf_hdf_keep_error(h);
  if (memory >= 0) H5Sclose(memory);
  if (file >= 0) H5Sclose(file);
}

hid_t bf_hdf_array(bf_hdf *h, hid_t at, const char *name, hid_t type, int64_t rows, int ncomp,
                   const void *data)
{
  const hid_t set = bf_hdf_array_create(h, at, name, type, rows, ncomp);
  if (set >= 0 && rows > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    bf_hdf_keep_error(h);
  return set;
}
