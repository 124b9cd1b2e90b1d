/* outputs/vtk/hdf.h - writes an HDF5 file that is complete or absent (private)
 *
 * A thin layer over HDF5: each call creates one object below `at` (the file or a group). The first error is
 * stored: later calls do nothing and return H5I_INVALID_HID; bf_hdf_commit returns the error.  Groups need
 * not be closed; the file closes them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_HDF_H
#define BF_HDF_H
#include "outputs/atomic_file.h"
#include <hdf5.h>

enum { BF_HDF_PART_BYTES = 8 << 20 }; /* of an array that is written in parts */
enum { BF_HDF_NAME_MAX = 256 };       /* bytes of a link's name */

typedef struct bf_hdf {
  bf_atomic_file *out;         /* owned: receives all bytes */
  hid_t           driver;      /* owned: passes the bytes of HDF5 to `out` */
  hid_t           file;        /* owned */
  int             compression; /* 0 = contiguous arrays, 1..9 = chunks, shuffled, gzip of that level */
  bf_err          err;         /* first failure, with its message */
  char            words[400];
  H5E_auto2_t     report; /* error handler of HDF5, restored at the end */
  void           *report_data;
} bf_hdf;

bf_err bf_hdf_create(const char *path, int compression, bf_hdf **out);
bf_err bf_hdf_commit(bf_hdf *h); /* BF_E_FILE "cannot write 'path': ..." */
void   bf_hdf_destroy(bf_hdf **h);

/* Group of any name: '/' and a leading '.' become %2F, %2E; a second one of a name gets "#2". */
hid_t bf_hdf_group(bf_hdf *h, hid_t at, const char *name);

/* Attributes. A NULL text is written as "".  Texts of 32 KiB and more become a data set of that name
 * (attributes hold 64 KiB). */
void bf_hdf_attr_text(bf_hdf *h, hid_t at, const char *name, const char *text);
void bf_hdf_attr_ascii(bf_hdf *h, hid_t at, const char *name, const char *text); /* fixed-length ASCII */
void bf_hdf_attr_ints(bf_hdf *h, hid_t at, const char *name, int count, const int64_t *value);
void bf_hdf_attr_int(bf_hdf *h, hid_t at, const char *name, int64_t value);
void bf_hdf_attr_real(bf_hdf *h, hid_t at, const char *name, double value);
void bf_hdf_attr_reals(bf_hdf *h, hid_t at, const char *name, int count, const double *value);

/* Data sets [rows] (ncomp 1) or [rows][ncomp]; type is that of the memory and, in this machine's byte order,
 * of the file. Written in one call.  The data set, for attributes (closed by the file). */
hid_t bf_hdf_array(bf_hdf *h, hid_t at, const char *name, hid_t type, int64_t rows, int ncomp,
                   const void *data);
void  bf_hdf_texts(bf_hdf *h, hid_t at, const char *name, int count, const char *const *text);
void  bf_hdf_bytes(bf_hdf *h, hid_t at, const char *name, const char *text, size_t length); /* one text */

/* One text of variable length for the reader of VTK, which rejects UTF-8: marked as ASCII.
 */
void bf_hdf_vtk_text(bf_hdf *h, hid_t at, const char *name, const char *text);
void bf_hdf_vtk_texts(bf_hdf *h, hid_t at, const char *name, int count, const char *const *text);

/* A data set in pieces: create, then all rows in parts.  With compression a part of bf_hdf_part_rows(...)
 * rows, a multiple of the chunk, is compressed once. */
hid_t   bf_hdf_array_create(bf_hdf *h, hid_t at, const char *name, hid_t type, int64_t rows, int ncomp);
int64_t bf_hdf_part_rows(size_t row_bytes); /* rows of a part: at most BF_HDF_PART_BYTES */
void    bf_hdf_array_part(bf_hdf *h, hid_t set, hid_t type, int64_t first, int64_t count, int ncomp,
                          const void *data);

int  bf_hdf_failed(bf_hdf *h); /* 1 after a failure, also of the file below HDF5 */
void bf_hdf_keep_error(
    bf_hdf *h); /* stores the message of a failed call of HDF5 if it is the first failure */

/* hdf_driver.c: the file driver, and its use for a file whose bytes go to `out`. */
hid_t  bf_hdf_driver_register(void);
herr_t bf_hdf_driver_use(hid_t fapl, hid_t driver, bf_atomic_file *out);
#endif
