/* inputs/quantity.h - the language of checks[].quantity: results of a run and arithmetic
 *
 *     sum      = product { (+|-) product }
 *     product  = factor { (*|/) factor }
 *     factor   = (+|-) factor | number | ( sum ) | quantity
 *     quantity = probe.NAME.FIELD[.c] | (min|max|integral)(FIELD[.c][, GROUP])
 *              | max(hermitian_defect) | max(band.residual) | max(band.truncation)
 *              | band(N).frequency@POINT | gap(N)[.low|.high]
 *              | mode(N).PROPERTY[.c] | (min|max|sum)(mode.PROPERTY[.c])
 *              | reaction.GROUP[.c] | balance.force | balance.moment | balance.energy | balance.mass
 *              | flexibility(I, J) | error_estimate | iterations | unknowns
 *              | error.NORM(FIELD[.c], FORMULAS[, GROUP])
 *     NORM     = (L2 | H1 | H1_semi | energy)[_relative]
 *     FORMULAS = "formula" | [ "formula", "formula"[, "formula"] ], in single or double quotes, or numbers
 *     c        = x | y | z | xx | yy | zz | xy | yz | xz | r | t | rr | tt | rt | tz | rz, of which those
 * with r or t belong to the field in output.axes: stress.rr is stress_axes.rr, with zz for its axis PROPERTY
 * = frequency | residual | orthogonality | participation | effective_mass NAME, FIELD are letters, digits and
 * _;  GROUP is that, dim:tag, or any text in quotes;  N, I, J = 1, 2,
 * ...
 *
 * A vector without a component means its length.  The numbers come from the caller.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_QUANTITY_LANGUAGE_H
#define BF_QUANTITY_LANGUAGE_H
#include "base/err.h"

typedef enum bf_qkind {
  BF_Q_PROBE,
  BF_Q_MIN,
  BF_Q_MAX,
  BF_Q_INTEGRAL,
  BF_Q_REACTION,
  BF_Q_BALANCE,
  BF_Q_BAND,
  BF_Q_GAP,
  BF_Q_MODE,
  BF_Q_FLEXIBILITY,
  BF_Q_ERROR,
  BF_Q_NORM,
  BF_Q_ITERATIONS,
  BF_Q_UNKNOWNS
} bf_qkind;

enum { BF_Q_NAME_MAX = 127, BF_Q_FORMULAS = 3 };

typedef struct bf_qref { /* one quantity of an expression; texts that do not belong to its kind are empty */
  bf_qkind kind;
  char     name[BF_Q_NAME_MAX + 1]; /* of the probe; "force", "moment", "energy" or "mass" of the balance; of
                                       the point of a band; "low", "high" or "" of a gap; "frequency" .. of
                                       a mode; "L2", "H1", "H1_semi" or "energy" of an error norm */
  char field[BF_Q_NAME_MAX + 1];    /* of probe, min, max, integral, error norms; "band.residual" */
  int  number;                      /* of a band or mode; of a gap that of the band below it; from 1 */
  int  other;                       /* of flexibility: column, with the row in number */
  char over;                        /* of all modes: '<' minimum, '>' maximum, '+' sum */
  char group[BF_Q_NAME_MAX + 1];    /* of reaction, min, max, integral, error norms; "" = the whole body */
  int  component; /* -1 none; x y z = r t z = 0 1 2; xx yy zz xy yz xz = 0 .. 5 = rr tt .. */
  int  tensor;    /* the component has two letters */
  int  polar;     /* ... r or t among them: of the field in axes, FIELD_axes */
  int  relative;  /* of error norms: 1 = divided by the norm of the formula */
  int  nformulas; /* of error norms */
  const char *formula[BF_Q_FORMULAS]; /* [nformulas] borrowed: within the text, not terminated */
  int         length[BF_Q_FORMULAS];  /* [nformulas] of formula */
  int         column;                 /* column of its beginning in the text, from 1 */
} bf_qref;

/* Value of one quantity; an error ends the evaluation and is returned. */
typedef bf_err (*bf_qlookup)(void *context, const bf_qref *ref, double *value);

/* *value of the text.  Syntax error: BF_E_ARG, message in bf_err_message(), *column from 1. Error of a
 * lookup: that error, *column of the quantity.  A result that is not finite: BF_E_MODEL. */
bf_err bf_check_quantity_eval(const char *text, bf_qlookup lookup, void *context, int *column, double *value);

/* The same with a bound of the rounding errors of +, -, * and /; a value that is not finite is no error. */
bf_err bf_quantity_try(const char *text, bf_qlookup lookup, void *context, double *value, double *error);

/* envelope.c: base[BF_Q_NAME_MAX + 1] = the field without "_envelope" or "_envelope_case": 1, 2; 0: it has
 * neither, base is the field.  has: the field has an envelope over load cases. */
int bf_envelope_base(const char *field, char *base);
int bf_envelope_has(const char *base);

/* Checks the syntax; `seen`, unless NULL, is called for every quantity, its value is not used. */
bf_err bf_quantity_check(const char *text, bf_qlookup seen, void *context, int *column);
#endif
