/* outputs/vtk/hdf_text.c - see hdf.h: attributes and texts */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/vtk/hdf.h"
#include <string.h>

enum { ATTRIBUTE_TEXT_MAX = 32768 };

static void attribute(bf_hdf *h, hid_t at, const char *name, hid_t type, int count, const void *value)
{
  if (bf_hdf_failed(h)) return;
  const hsize_t n     = (hsize_t)count;
  const hid_t   space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
  const hid_t   attr  = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (attr < 0 || H5Awrite(attr, type, value) < 0) bf_hdf_keep_error(h);
  if (attr >= 0) H5Aclose(attr);
  if (space >= 0) H5Sclose(space);
}

/* A fixed-length text type; HDF5 has none of length 0. */
static hid_t text_type(size_t length, H5T_cset_t set)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, set);
  return type;
}

void bf_hdf_attr_text(bf_hdf *h, hid_t at, const char *name, const char *text)
{
  if (!text) text = "";
  if (strlen(text) >= ATTRIBUTE_TEXT_MAX) {
    bf_hdf_bytes(h, at, name, text, strlen(text));
    return;
  }
  const hid_t type = text_type(strlen(text), H5T_CSET_UTF8);
  attribute(h, at, name, type, 0, text);
  H5Tclose(type);
}

void bf_hdf_attr_ascii(bf_hdf *h, hid_t at, const char *name, const char *text)
{
  const hid_t type = text_type(strlen(text), H5T_CSET_ASCII);
  attribute(h, at, name, type, 0, text);
  H5Tclose(type);
}

void bf_hdf_attr_ints(bf_hdf *h, hid_t at, const char *name, int count, const int64_t *value)
{
  attribute(h, at, name, H5T_NATIVE_INT64, count, value);
}

void bf_hdf_attr_int(bf_hdf *h, hid_t at, const char *name, int64_t value)
{
  attribute(h, at, name, H5T_NATIVE_INT64, 0, &value);
}

void bf_hdf_attr_real(bf_hdf *h, hid_t at, const char *name, double value)
{
  attribute(h, at, name, H5T_NATIVE_DOUBLE, 0, &value);
}

void bf_hdf_attr_reals(bf_hdf *h, hid_t at, const char *name, int count, const double *value)
{
  attribute(h, at, name, H5T_NATIVE_DOUBLE, count, value);
}

static void put_texts(bf_hdf *h, hid_t at, const char *name, H5T_cset_t set, int count,
                      const char *const *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, set);
  bf_hdf_array(h, at, name, type, count, 1, text);
  H5Tclose(type);
}

void bf_hdf_texts(bf_hdf *h, hid_t at, const char *name, int count, const char *const *text)
{
  put_texts(h, at, name, H5T_CSET_UTF8, count, text);
}

void bf_hdf_vtk_texts(bf_hdf *h, hid_t at, const char *name, int count, const char *const *text)
{
  put_texts(h, at, name, H5T_CSET_ASCII, count, text);
}

void bf_hdf_vtk_text(bf_hdf *h, hid_t at, const char *name, const char *text)
{
  put_texts(h, at, name, H5T_CSET_ASCII, 1, &text);
}

void bf_hdf_bytes(bf_hdf *h, hid_t at, const char *name, const char *text, size_t length)
{
  const hid_t type = text_type(length, H5T_CSET_UTF8);
  bf_hdf_array(h, at, name, type, 1, 1, length ? text : "");
  H5Tclose(type);
}
