/* app/config.h - configuration of a run: the values of the deck as typed fields
 *
 * bf_run_config_read fills the configuration from a checked deck.  No code outside app/config/ reads the tree
 * of the deck.  A field X_where is the location of the value X in the deck; messages print it.  Texts belong
 * to the deck.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_CONFIG_H
#define BF_CONFIG_H
#include "assembly/assemble/mass.h"
#include "assembly/problem.h"
#include "inputs/deck.h"
#include "kernels/matrix/matrix.h"
#include "mesh/numbering.h"
#include "solvers/eigen.h"
#include "solvers/solver.h"

typedef struct bf_mesh_config {
  char          *path; /* owned: the mesh file, seen from the working directory; NULL: generated mesh */
  const bf_item *file; /* mesh.file, for deck.resolved.yaml; NULL: generated mesh */
  bf_where       file_where;
  int            order; /* of the elements: 1 or 2; 0: as in the file */
  bf_where       order_where;
  double         scale;   /* factor of all coordinates */
  int            dim;     /* generated mesh: 3 box, 2 rectangle */
  bf_elem_type   element; /* generated mesh: type before `order` changes it */
  double         size[3]; /* generated mesh: edge lengths, m */
  bf_int         cells[3];
  bf_where       cells_where;
} bf_mesh_config;

typedef enum { BF_STORAGE_AUTO, BF_STORAGE_FULL, BF_STORAGE_SYMMETRIC } bf_storage;

typedef struct bf_matrix_config {
  int        format_auto; /* 1: the program chooses the format */
  bf_format  format;      /* if not format_auto */
  bf_where   format_where;
  bf_storage storage;
  bf_where   storage_where;
  bf_prec    values;
  bf_order   reorder;
} bf_matrix_config;

enum { BF_BLOCK_SIZE_AUTO = 480 }; /* unknowns per block if the program chooses: the fewest iterations */

typedef struct bf_block_config { /* preconditioner: block_jacobi */
  bf_int  size;                  /* approximate number of unknowns per block */
  int     metis;                 /* 1: blocks by METIS; 0: along the couplings of the matrix */
  bf_prec values;                /* of the stored inverses */
} bf_block_config;

typedef struct bf_solver_config {
  int                  method_auto; /* 1: CG for symmetric matrices, else BiCGStab */
  bf_method            method;      /* if not method_auto */
  bf_where             method_where;
  bf_precond           precond; /* auto: Jacobi */
  bf_where             precond_where;
  bf_block_config      blocks;
  double               rtol, atol;
  int                  max_iterations; /* BF_ITERATIONS_AUTO: not given */
  int                  monitor_every;  /* iterations between two log lines */
  int                  warn_only;      /* on_failure: warn */
  bf_multigrid_options multigrid;
} bf_solver_config;

typedef enum {
  BF_EIGEN_METHOD_AUTO,
  BF_EIGEN_METHOD_LOBPCG,
  BF_EIGEN_METHOD_SHIFT_INVERT,
  BF_EIGEN_METHOD_DIRECT,
  BF_EIGEN_METHOD_CRAIG_BAMPTON
} bf_eigen_method;
const char *bf_eigen_method_word(bf_eigen_method method); /* the word of the deck */

typedef struct bf_eigensolver_config {
  bf_eigen_method  method;
  bf_where         method_where;
  int              precond_auto;
  bf_eigen_precond precond; /* if not precond_auto */
  bf_where         precond_where;
  bf_block_config  blocks;
  double           rtol;
  int              max_iterations; /* modal */
  int              interior_modes; /* dispersion, Craig-Bampton */
  bf_where         interior_modes_where;
  int              batch; /* dispersion: wave vectors per call; 0: auto */
} bf_eigensolver_config;

typedef struct bf_modal_config {
  bf_where    modes_where; /* the number is that of the problem */
  double      shift;       /* Hz */
  const char *shift_text;  /* as written */
  bf_mass     mass;
  int         largest_is_one; /* normalization: max; 0: phi^T M phi = 1 */
} bf_modal_config;

typedef struct bf_wave_point { /* a named wave vector */
  const char *name;
  bf_where    where;
  int         n;    /* numbers given */
  double      x[3]; /* in the units of the section */
} bf_wave_point;

typedef struct bf_dispersion_config {
  int                  bands; /* the lowest bands */
  bf_where             bands_where;
  int                  npoints, npath;
  const bf_wave_point *point; /* [npoints] in the order of the deck */
  const int           *path;  /* [npath] indices of points */
  bf_where             path_where;
  int                  samples;   /* wave vectors per segment of the path */
  int                  cartesian; /* 1: points in rad/m; 0: fractions of the reciprocal vectors */
  int                  nsaved_points, nsaved_bands;
  const char *const   *saved_point; /* [nsaved_points] */
  const int           *saved_band;  /* [nsaved_bands] from 1 */
} bf_dispersion_config;

typedef struct bf_device_config {
  const char    *backend;       /* "auto", "cpu", "cuda"; the command line overrides the deck */
  const bf_item *backend_item;  /* for deck.resolved.yaml */
  bf_where       backend_where; /* of the deck; {0}: command line */
  double         memory_limit;  /* largest fraction of the free memory */
  bf_where       memory_limit_where;
} bf_device_config;

typedef struct bf_probe_config {
  const char    *name;
  int            nat; /* coordinates given; others are 0 */
  double         at[3];
  bf_where       at_where;
  int            nfields;
  const bf_name *field; /* [nfields] */
} bf_probe_config;

typedef enum { BF_FILE_VTKHDF, BF_FILE_VTK } bf_file_format;

typedef struct bf_output_config {
  const char            *dir;      /* the command line overrides the deck; "": out and the name of the deck */
  const bf_item         *dir_item; /* for deck.resolved.yaml */
  bf_where               dir_where; /* {0}: default or command line */
  int                    nfields;   /* 0: every field of the run */
  const char *const     *field;
  int                    nformats; /* in the order of the deck */
  bf_file_format         format[2];
  int                    compression; /* gzip level of case.hdf, 0 = none */
  int                    refine;      /* divisions of a cell in refined.vtk; below 2: no such file */
  bf_where               refine_where;
  int                    csv;
  int                    report; /* 1: report.html */
  int                    levels; /* 1: fields of the levels of multigrid */
  bf_where               levels_where;
  int                    nflexibility; /* groups whose flexibility matrix is written */
  const bf_name         *flexibility;
  int                    nprobes;
  const bf_probe_config *probe;
} bf_output_config;
int bf_output_has(const bf_output_config *output, bf_file_format format);

typedef struct bf_check_config {
  const char *quantity, *written, *note; /* written: quantity with the names of parameters */
  bf_where    quantity_where;
  int         report;    /* 1: no expected value */
  double      expected;  /* NaN for a report */
  int         relative;  /* tolerance is rtol, else atol */
  double      tolerance; /* 0 for a report */
} bf_check_config;

typedef struct bf_case_config { /* a load case, or a sum of cases */
  const char    *name;
  bf_where       where;
  int            sum, envelope;           /* envelope: it counts there */
  const double  *factor;                  /* [ncases] of a sum; of a case 1 for itself */
  const uint8_t *boundary, *load, *check; /* 1: the entry of the deck acts in this case, is checked for it */
} bf_case_config;

typedef struct bf_run_config {
  const char            *title;                      /* "" without one */
  const char            *physics, *analysis, *space; /* words of the deck; space "" without one */
  bf_problem             problem;
  bf_mesh_config         mesh;
  bf_matrix_config       matrix;
  bf_solver_config       solver;      /* static analysis */
  bf_eigensolver_config  eigensolver; /* modal and dispersion analyses */
  bf_modal_config        modal;
  bf_dispersion_config   dispersion;
  bf_device_config       device;
  bf_output_config       output;
  int                    ncases; /* 0: the deck has no cases */
  const bf_case_config  *of_case;
  int                    nchecks;
  const bf_check_config *check;
  void                 **store; /* owned: the arrays above */
  int                    nstore;
} bf_run_config;

/* Value of output.dir alone, before a configuration is read. */
const char *bf_config_output_dir(const bf_deck *deck);
/* Fills *config, which is zero.  backend, dir: of the command line, override the values of the deck; or NULL.
 * The deck must outlive the configuration.  Call bf_run_config_clear also after an error (BF_E_MEMORY). */
bf_err bf_run_config_read(const bf_deck *deck, const char *backend, const char *dir, bf_run_config *config);
void   bf_run_config_clear(bf_run_config *config);
#endif
