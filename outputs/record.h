/* outputs/record.h - the group /bandfem of an HDF5 result: everything about the run (private) */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_RECORD_H
#define BF_RECORD_H
#include "outputs/result.h"
#include "outputs/vtk/hdf.h"

/* Writes the record below the file.  Errors of the file are stored in h; other errors (memory) are returned.
 */
bf_err bf_record_write(bf_hdf *h, const bf_result *r);
bf_err bf_record_mesh(bf_hdf *h, hid_t record, const bf_result *r); /* record_mesh.c: /bandfem/mesh */
/* record_modes.c: /bandfem/modes; nothing if m is NULL. */
void bf_record_modes(bf_hdf *h, hid_t record, const bf_modes_record *m);
/* record_dispersion.c: /bandfem/dispersion; nothing if d is NULL. */
void bf_record_dispersion(bf_hdf *h, hid_t record, const bf_dispersion_record *d);
/* record_flexibility.c: /bandfem/flexibility; nothing where f is NULL. */
void bf_record_flexibility(bf_hdf *h, hid_t record, const bf_flexibility_record *f);
#endif
