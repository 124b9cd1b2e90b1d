/* app/cli/exit_status.c - exit status of the program for an error */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"

int bf_exit_status(bf_err err)
{
  switch (err) {
  case BF_OK: return BF_EXIT_OK;
  case BF_E_INPUT: return BF_EXIT_DECK;
  case BF_E_MODEL: return BF_EXIT_MODEL;
  case BF_E_MEMORY:
  case BF_E_DEVICE:
  case BF_E_UNSUPPORTED: return BF_EXIT_DEVICE;
  case BF_E_FILE: return BF_EXIT_FILE;
  case BF_E_ARG:
  case BF_E_INTERNAL: break;
  }
  return BF_EXIT_INTERNAL;
}
