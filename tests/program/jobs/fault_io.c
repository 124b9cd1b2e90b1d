/* tests/program/jobs/fault_io.c - a library for LD_PRELOAD that lets the k-th file operation of a program
 * fail
 *
 * Counted are the operations that change a folder or its files: open with O_CREAT, write, pwrite, ftruncate,
 * rename, unlink.  They count where the path, or that of the open file, begins with FAULT_FOLDER.
 *
 *     FAULT_AT    k, from 1; 0: none fails, the number of operations is printed to stderr at the end
 *     FAULT_KIND  kill: the process ends by SIGKILL before the operation
 *                 once: the operation fails with EIO
 *                 full: it and all later ones that need space fail with ENOSPC
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 1024 };
static int  counted_file[FILES_MAX];
static long calls;

static int counts(const char *path)
{
  const char *folder = getenv("FAULT_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

/* 1: this operation fails; errno is set. */
static int fails(int needs_space)
{
  const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
  const long  k = at ? atol(at) : 0;
  calls++;
  if (k <= 0 || calls < k || !kind) return 0;
  if (strcmp(kind, "kill") == 0) raise(SIGKILL);
  errno = strcmp(kind, "once") == 0 ? EIO : ENOSPC;
  return strcmp(kind, "once") == 0 ? calls == k : needs_space;
}

static int counted(int fd)
{
  return fd >= 0 && fd < FILES_MAX && counted_file[fd];
}

#define REAL(type, name, ...) type (*real)(__VA_ARGS__) = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                                                                           \
  int name(const char *path, int flags, ...)                                                                 \
  {                                                                                                          \
    REAL(int, name, const char *, int, ...);                                                                 \
    va_list args;                                                                                            \
    va_start(args, flags);                                                                                   \
    const mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;                                          \
    va_end(args);                                                                                            \
    const int here = (flags & O_CREAT) && counts(path);                                                      \
    if (here && fails(1)) return -1;                                                                         \
    const int fd = real(path, flags, mode);                                                                  \
    if (fd >= 0 && fd < FILES_MAX) counted_file[fd] = here;                                                  \
    return fd;                                                                                               \
  }
OPEN(open)
OPEN(open64)

int close(int fd)
{
  REAL(int, close, int);
  if (fd >= 0 && fd < FILES_MAX) counted_file[fd] = 0;
  return real(fd);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
  REAL(ssize_t, write, int, const void *, size_t);
  return counted(fd) && fails(1) ? -1 : real(fd, bytes, count);
}

#define PWRITE(name)                                                                                         \
  ssize_t name(int fd, const void *bytes, size_t count, off_t offset)                                        \
  {                                                                                                          \
    REAL(ssize_t, name, int, const void *, size_t, off_t);                                                   \
    return counted(fd) && fails(1) ? -1 : real(fd, bytes, count, offset);                                    \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

#define TRUNCATE(name)                                                                                       \
  int name(int fd, off_t length)                                                                             \
  {                                                                                                          \
    REAL(int, name, int, off_t);                                                                             \
    return counted(fd) && fails(1) ? -1 : real(fd, length);                                                  \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

int rename(const char *from, const char *to)
{
  REAL(int, rename, const char *, const char *);
  return counts(to) && fails(0) ? -1 : real(from, to);
}

int unlink(const char *path)
{
  REAL(int, unlink, const char *);
  return counts(path) && fails(0) ? -1 : real(path);
}

__attribute__((destructor)) static void tell(void)
{
  const char *at = getenv("FAULT_AT");
  if (at && atol(at) == 0) fprintf(stderr, "operations %ld\n", calls);
}
