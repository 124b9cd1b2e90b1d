/* app/info.h - what info says of a file that is no mesh */
#ifndef BF_INFO_H
#define BF_INFO_H

/* The sections of a .msh that cannot be read, with their lines and what follows their names, on stdout;
 * nothing for a file without sections. */
void bf_info_sections(const char *path);
#endif
