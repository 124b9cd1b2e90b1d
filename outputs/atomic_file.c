/* outputs/atomic_file.c - see atomic_file.h: open(O_EXCL), write, rename; POSIX.1-2008
 *
 * A temporary file is locked by its writer, and a lock ends with its process: an unlocked one is a leftover
 * of a killed run and is removed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "base/memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, PIECE_BYTES = 1 << 28, TEMPORARY_TRIES = 100, SUFFIX_ROOM = 48 };

struct bf_atomic_file {
  char  *path, *temporary; /* owned; temporary is "" until the file exists and after the rename */
  char  *buffer;           /* owned [BUFFER_BYTES] */
  size_t used;
  int    fd;
  int    error; /* errno of the first failure, 0 = none */
};

bf_err bf_make_folder(const char *path)
{
  bf_err err  = BF_OK;
  char  *part = NULL;
  BF_CHECK(path && *path, BF_E_ARG, "no folder name");
  part = bf_host_strdup(path);
  BF_NEED(part, BF_E_MEMORY, "the name of folder '%s'", path);
  for (char *p = part + 1;; p++) {
    if (*p != '/' && *p != '\0') continue;
    const char end = *p;
    *p             = '\0';
    const int made = mkdir(part, 0777) == 0;
    const int why  = errno;
    /* for an existing folder mkdir may return EROFS or EACCES instead of EEXIST */
    struct stat s;
    if (!made) BF_NEED(stat(part, &s) == 0, BF_E_FILE, "cannot create folder '%s': %s", part, strerror(why));
    if (!made)
      BF_NEED(S_ISDIR(s.st_mode), BF_E_FILE, "cannot create folder '%s': a file has this name", part);
    *p = end;
    if (end == '\0') break;
  }
done:
  bf_host_free(part);
  return err;
}

/* 1: this process has locked the whole file. */
static int lock(int fd)
{
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &whole) == 0;
}

/* 1: the text is `name`.<digits>-<digits>.part */
static int is_part_of(const char *entry, const char *name)
{
  static const char digits[] = "0123456789";
  const size_t      n        = strlen(name);
  if (strncmp(entry, name, n) != 0 || entry[n] != '.') return 0;
  const char *process = entry + n + 1, *dash = process + strspn(process, digits);
  return dash > process && *dash == '-' && strcmp(dash + 1 + strspn(dash + 1, digits), ".part") == 0;
}

/* Removes the temporary files of path that no living process writes. */
static bf_err remove_leftovers(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char       *folder = bf_host_strdup(slash ? path : ".");
  BF_CHECK(folder, BF_E_MEMORY, "the folder of '%s'", path);
  if (slash) folder[slash == path ? 1 : slash - path] = '\0';
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    if (!is_part_of(e->d_name, name)) continue;
    const int fd = openat(dirfd(d), e->d_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0) continue;
    if (lock(fd)) unlinkat(dirfd(d), e->d_name, 0);
    close(fd);
  }
  if (d) closedir(d);
  bf_host_free(folder);
  return BF_OK;
}

bf_err bf_atomic_file_create(const char *path, bf_atomic_file **out)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(path && *path && out, BF_E_ARG, "no file name");
  *out = NULL;
  BF_GO(BF_NEW(f));
  f->fd        = -1;
  f->path      = bf_host_strdup(path);
  f->temporary = bf_host_alloc(strlen(path) + SUFFIX_ROOM, 1);
  f->buffer    = bf_host_alloc(BUFFER_BYTES, 1);
  BF_NEED(f->path && f->temporary && f->buffer, BF_E_MEMORY, "the buffer of '%s'", path);

  struct stat s; /* rename would replace a device and fail for a folder: reported before the write */
  if (stat(path, &s) == 0)
    BF_NEED(S_ISREG(s.st_mode), BF_E_FILE, "cannot write '%s': %s", path,
            S_ISDIR(s.st_mode) ? "it is a folder" : "it is not a regular file");
  BF_GO(remove_leftovers(path));
  for (int k = 0; k < TEMPORARY_TRIES && f->fd < 0; k++) {
    snprintf(f->temporary, strlen(path) + SUFFIX_ROOM, "%s.%ld-%d.part", path, (long)getpid(), k);
    f->fd = open(f->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (f->fd < 0 && errno != EEXIST) break;
  }
  if (f->fd < 0) {
    f->temporary[0] = '\0'; /* no file of this process to remove */
    BF_NEED(0, BF_E_FILE, "cannot write '%s': %s", path, strerror(errno));
  }
  (void)lock(f->fd); /* without file locks leftovers are removed as well */
  *out = f;
  f    = NULL;
done:
  bf_atomic_file_destroy(&f);
  return err;
}

/* All of count bytes at the file's position (offset < 0) or at offset. */
static void to_system(bf_atomic_file *f, int64_t offset, const char *p, size_t count)
{
  while (count > 0 && !f->error) {
    const size_t  piece = count < PIECE_BYTES ? count : PIECE_BYTES;
    const ssize_t n     = offset < 0 ? write(f->fd, p, piece) : pwrite(f->fd, p, piece, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      f->error = n < 0 ? errno : ENOSPC;
      return;
    }
    p += n;
    count -= (size_t)n;
    if (offset >= 0) offset += n;
  }
}

static void flush(bf_atomic_file *f)
{
  to_system(f, -1, f->buffer, f->used);
  f->used = 0;
}

void bf_atomic_file_write(bf_atomic_file *f, const void *bytes, size_t count)
{
  if (count > BUFFER_BYTES - f->used) flush(f);
  if (count >= BUFFER_BYTES) {
    to_system(f, -1, bytes, count);
    return;
  }
  if (count) memcpy(f->buffer + f->used, bytes, count);
  f->used += count;
}

void bf_atomic_file_print(bf_atomic_file *f, const char *fmt, ...)
{
  for (int attempt = 0; attempt < 2; attempt++) { /* repeated with an empty buffer */
    const size_t room = BUFFER_BYTES - f->used;
    va_list      args;
    va_start(args, fmt);
    const int n = vsnprintf(f->buffer + f->used, room, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < room) {
      f->used += (size_t)n;
      return;
    }
    flush(f);
  }
  if (!f->error) f->error = EOVERFLOW; /* a text longer than the buffer; texts of users use write */
}

void bf_atomic_file_print_csv(bf_atomic_file *f, const char *text)
{
  if (!strpbrk(text, ",\"\r\n")) {
    bf_atomic_file_write(f, text, strlen(text));
    return;
  }
  bf_atomic_file_write(f, "\"", 1);
  for (const char *p = text; *p; p++) {
    if (*p == '"') bf_atomic_file_write(f, p, 1);
    bf_atomic_file_write(f, p, 1);
  }
  bf_atomic_file_write(f, "\"", 1);
}

void bf_atomic_file_write_at(bf_atomic_file *f, int64_t offset, const void *bytes, size_t count)
{
  to_system(f, offset, bytes, count);
}

void bf_atomic_file_read_at(bf_atomic_file *f, int64_t offset, void *bytes, size_t count)
{
  char *p = bytes;
  while (count > 0) {
    const ssize_t n = pread(f->fd, p, count, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (n < 0 && !f->error) f->error = errno;
      memset(p, 0, count);
      return;
    }
    p += n;
    offset += n;
    count -= (size_t)n;
  }
}

void bf_atomic_file_truncate(bf_atomic_file *f, int64_t length)
{
  if (f->error) return;
  if (ftruncate(f->fd, (off_t)length) != 0) f->error = errno;
}

bf_err bf_atomic_file_status(const bf_atomic_file *f)
{
  BF_CHECK(!f->error, BF_E_FILE, "cannot write '%s': %s", f->path, strerror(f->error));
  return BF_OK;
}

const char *bf_atomic_file_path(const bf_atomic_file *f)
{
  return f->path;
}

bf_err bf_atomic_file_commit(bf_atomic_file *f)
{
  BF_CHECK(f && f->fd >= 0, BF_E_ARG, "no open file");
  flush(f);
  if (close(f->fd) != 0 && !f->error) f->error = errno; /* network file systems report a full disk here */
  f->fd = -1;
  if (!f->error && rename(f->temporary, f->path) != 0) f->error = errno;
  BF_TRY(bf_atomic_file_status(f));
  f->temporary[0] = '\0';
  return BF_OK;
}

void bf_atomic_file_destroy(bf_atomic_file **f)
{
  if (!f || !*f) return;
  if ((*f)->fd >= 0) close((*f)->fd);
  if ((*f)->temporary && (*f)->temporary[0]) unlink((*f)->temporary);
  bf_host_free((*f)->path);
  bf_host_free((*f)->temporary);
  bf_host_free((*f)->buffer);
  bf_host_free(*f);
  *f = NULL;
}
