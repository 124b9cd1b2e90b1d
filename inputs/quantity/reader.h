/* inputs/quantity/reader.h - a quantity of `checks` being read: its text, and the names in it */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_INPUTS_QUANTITY_READER_H
#define BF_INPUTS_QUANTITY_READER_H
#include "inputs/quantity.h"

typedef struct bf_qreader {
  const char *text, *at;
  int         depth;
  int         only_syntax;
  bf_qlookup  lookup;
  void       *context; /* borrowed: of the lookup */
} bf_qreader;

static inline int bf_qreader_digit(char c)
{
  return c >= '0' && c <= '9';
}
static inline int bf_qreader_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline void bf_qreader_skip_blanks(bf_qreader *r)
{
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') r->at++;
}
/* Consumes the character if it is next, after blanks. */
static inline int bf_qreader_accept(bf_qreader *r, char c)
{
  bf_qreader_skip_blanks(r);
  if (*r->at != c) return 0;
  r->at++;
  return 1;
}

/* A quantity's name with its arguments into *ref.  BF_E_ARG where it is none; r->at is where the error is. */
bf_err bf_qreader_name(bf_qreader *r, bf_qref *ref);
#endif
