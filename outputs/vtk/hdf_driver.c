/* outputs/vtk/hdf_driver.c - HDF5 file driver over an atomic file
 *
 * The default driver of HDF5 fails on a full disk: the close fails, the file stays open inside the library,
 * and the library crashes at exit (1.10.8). Here the atomic file stores the error of a failed write and drops
 * later writes; HDF5 always closes the file, and bf_atomic_file_commit returns the error. Source: HDF5
 * Virtual File Layer (H5FDpublic.h; from 1.13 on H5FDdevelop.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "outputs/vtk/hdf.h"
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

typedef struct settings { /* copied by HDF5 with the access properties */
  bf_atomic_file *out;
} settings;

typedef struct driver_file {
  H5FD_t          base; /* first member: the public part */
  bf_atomic_file *out;  /* borrowed */
  haddr_t         eoa, eof;
} driver_file;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t fapl, haddr_t max)
{
  (void)name, (void)flags, (void)max;
  const settings *s = H5Pget_driver_info(fapl);
  driver_file    *d = s ? bf_host_alloc(1, sizeof *d) : NULL;
  if (!d) return NULL;
  d->out = s->out;
  return &d->base;
}

static herr_t driver_close(H5FD_t *file)
{
  bf_host_free(file);
  return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_eoa(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const driver_file *)file)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t addr)
{
  (void)type;
  ((driver_file *)file)->eoa = addr;
  return 0;
}

static haddr_t driver_eof(const H5FD_t *file, H5FD_mem_t type)
{
  (void)type;
  return ((const driver_file *)file)->eof;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size, void *bytes)
{
  (void)type, (void)dxpl;
  bf_atomic_file_read_at(((driver_file *)file)->out, (int64_t)addr, bytes, size);
  return 0;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                           const void *bytes)
{
  (void)type, (void)dxpl;
  driver_file *d = (driver_file *)file;
  bf_atomic_file_write_at(d->out, (int64_t)addr, bytes, size);
  if (addr + size > d->eof) d->eof = addr + size;
  return 0;
}

/* The end of the file is the end of the last allocation of HDF5. */
static herr_t driver_truncate(H5FD_t *file, hid_t dxpl, hbool_t closing)
{
  (void)dxpl, (void)closing;
  driver_file *d = (driver_file *)file;
  if (d->eoa != d->eof) bf_atomic_file_truncate(d->out, (int64_t)d->eoa);
  d->eof = d->eoa;
  return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value   = (H5FD_class_value_t)600, /* a number outside those registered with The HDF Group */
#endif
    .name      = "bandfem_atomic",
    .maxaddr   = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(settings),
    .open      = driver_open,
    .close     = driver_close,
    .query     = driver_query,
    .get_eoa   = driver_eoa,
    .set_eoa   = driver_set_eoa,
    .get_eof   = driver_eof,
    .read      = driver_read,
    .write     = driver_write,
    .truncate  = driver_truncate,
    .fl_map    = H5FD_FLMAP_DICHOTOMY,
};

hid_t bf_hdf_driver_register(void)
{
  return H5FDregister(&driver_class);
}

herr_t bf_hdf_driver_use(hid_t fapl, hid_t driver, bf_atomic_file *out)
{
  const settings s = {out};
  return H5Pset_driver(fapl, driver, &s);
}
