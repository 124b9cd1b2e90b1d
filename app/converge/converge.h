/* app/converge/converge.h - bandfem converge: a deck on refined meshes */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_CONVERGE_CONVERGE_H
#define BF_APP_CONVERGE_CONVERGE_H

int bf_cmd_converge(int argc, char **argv); /* exit status */
#endif
