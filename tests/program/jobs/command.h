/* tests/program/jobs/command.h - a command of the program from within: its status and what it writes to
 * stderr
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_TESTS_PROGRAM_JOBS_COMMAND_H
#define BF_TESTS_PROGRAM_JOBS_COMMAND_H
#include "tests/test.h"
#include <fcntl.h>
#include <unistd.h>

static char t_said[1 << 16]; /* stderr of the last command */

/* stderr goes through a file `stderr` in folder, stdout is dropped. */
static inline int t_command(const char *folder, int (*run)(int, char **), int argc, char **argv)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/stderr", folder);
  const int err = dup(STDERR_FILENO), out = dup(STDOUT_FILENO);
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666), null = open("/dev/null", O_WRONLY);
  assert_true(err >= 0 && out >= 0 && fd >= 0 && null >= 0);
  fflush(stderr);
  fflush(stdout);
  dup2(fd, STDERR_FILENO);
  dup2(null, STDOUT_FILENO);
  const int status = run(argc, argv);
  fflush(stderr);
  fflush(stdout);
  dup2(err, STDERR_FILENO);
  dup2(out, STDOUT_FILENO);
  const ssize_t n       = pread(fd, t_said, sizeof t_said - 1, 0);
  t_said[n > 0 ? n : 0] = '\0';
  close(err);
  close(out);
  close(fd);
  close(null);
  return status;
}
#endif
