/* app/info/info.h - parts of bandfem info: sections of unreadable meshes, devices */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_INFO_INFO_H
#define BF_APP_INFO_INFO_H

/* The sections of a .msh that cannot be read, with line numbers and the first line of each, on stdout;
 * nothing for a file without sections. */
void bf_info_sections(const char *path);

/* device.c: properties and measured rates of each backend on stdout; the exit status. */
int bf_info_device(int json_errors);
#endif
