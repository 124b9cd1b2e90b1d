/* assembly/setup/memory_estimate.h - memory and fields of a run, estimated from a model and its numbering
 * before the matrix exists
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_SETUP_MEMORY_ESTIMATE_H
#define BF_ASSEMBLY_SETUP_MEMORY_ESTIMATE_H
#include "assembly/model.h"

typedef struct bf_field_kind { /* one result field of bf_model_recover or bf_model_recover_modes */
  const char *name;
  int         ncomp, on_cells;
  int         by_step; /* one for each mode */
} bf_field_kind;

enum { BF_FIELD_KINDS = 24 };
/* The fields of a run, into kind; returns their number. */
int bf_model_fields(const bf_model *m, bf_field_kind kind[BF_FIELD_KINDS]);
/* 1 if `word` of output.fields selects the field. A word may select several. */
int bf_field_is(const char *field, const char *word);
/* 1 if the word is element_spectrum or one of its fields. */
int bf_field_is_spectral(const char *word);

typedef struct bf_model_bytes {   /* bytes */
  int64_t mesh, model, numbering; /* host, from the start to the end of a run */
  int64_t loads;                  /* host, from the assembly on */
  int64_t tables;                 /* backend: element tables of assembly, and again of recovery */
  int64_t assembly, recovery; /* backend, beside the tables: the larger of element matrices and constraints;
                                 nodal forces */
  int64_t forces;             /* host, while nodal forces are computed */
  int64_t patches;            /* host, while stresses or fluxes at nodes are recovered */
  int64_t view, fields;       /* host, from the recovery on; fields: all that are computed */
  int64_t points, cells, corners; /* of the view: points, cells, points of all cells (not bytes) */
} bf_model_bytes;

/* on_device: chunks are larger on a device. The only error is BF_E_MEMORY. Cost: one pass over the elements
 * if there is more than one material. */
bf_err bf_model_forecast(const bf_model *m, const bf_numbering *num, int on_device, bf_model_bytes *out);
#endif
