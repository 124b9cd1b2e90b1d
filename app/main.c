/* app/main.c - the program: sub-command, exit status, the only main
 *
 * The program continues if the reader of stdout exits (run DECK | head) or a file size limit is reached; it
 * reports output that could not be written.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/cli/message.h"
#include "app/cli/shell.h"
#include "app/cli/usage.h"
#include "app/converge/converge.h"
#include "app/job.h"
#include "app/matrix/matrix.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { AS_MARKDOWN, AS_JSON, AS_MAN, AS_COMPLETION };

/* The form that an option of schema asks for, or -1 */
static int form_of(const char *word)
{
  static const char *const words[] = {"", "--json", "--man", "--completion"};
  for (int i = AS_JSON; i <= AS_COMPLETION; i++)
    if (strcmp(word, words[i]) == 0) return i;
  return -1;
}

static int schema(int form, int json_errors)
{
  if (form == AS_MAN) bf_man_page(stdout);
  if (form == AS_COMPLETION) bf_bash_completion(stdout);
  if (form >= AS_MAN) return BF_EXIT_OK;
  const bf_err err = form == AS_JSON ? bf_schema_json(stdout) : bf_schema_markdown(stdout);
  if (err == BF_E_FILE) return BF_EXIT_OK; /* flush_streams reports it */
  if (err != BF_OK) bf_say(json_errors, "%s", bf_err_trace());
  return bf_exit_status(err);
}

static int command_line(int argc, char **argv)
{
  if (argc < 2) {
    bf_usage(stderr);
    return BF_EXIT_INTERNAL;
  }
  const char *command = argv[1];
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 && bf_usage_command(stdout, command)) return BF_EXIT_OK;
  if (strcmp(command, "run") == 0) return bf_cmd_run(argc - 2, argv + 2);
  if (strcmp(command, "check") == 0) return bf_cmd_check(argc - 2, argv + 2);
  if (strcmp(command, "solve") == 0) return bf_cmd_solve(argc - 2, argv + 2);
  if (strcmp(command, "inverse") == 0) return bf_cmd_inverse(argc - 2, argv + 2);
  if (strcmp(command, "info") == 0) return bf_cmd_info(argc - 2, argv + 2);
  if (strcmp(command, "matrix") == 0) return bf_cmd_matrix(argc - 2, argv + 2);
  if (strcmp(command, "converge") == 0) return bf_cmd_converge(argc - 2, argv + 2);
  if (strcmp(command, "bench") == 0) return bf_cmd_bench(argc - 2, argv + 2);
  const int json = bf_say_json(argc - 2, argv + 2);
  int       form = AS_MARKDOWN;
  for (int i = 2; i < argc && (strcmp(command, "schema") == 0 || command[0] == '-'); i++) {
    const int asks = command[0] != '-' ? form_of(argv[i]) : -1;
    form           = asks > 0 ? asks : form;
    if (asks > 0 || bf_say_option(argv[i])) continue;
    bf_say(json, "%s: unknown option or argument '%s'; see bandfem --help", command, argv[i]);
    return BF_EXIT_INTERNAL;
  }
  if (strcmp(command, "schema") == 0) return schema(form, json);
  if (strcmp(command, "--version") == 0) {
    const int with_cuda = strcmp(BF_CUDA_COMPILER, "none") != 0;
    printf("bandfem %s (commit %s, compiler %s, %s%s)\n", BF_VERSION, BF_GIT, BF_COMPILER,
           with_cuda ? "CUDA compiler " : "without CUDA", with_cuda ? BF_CUDA_COMPILER : "");
    return BF_EXIT_OK;
  }
  if (strcmp(command, "--help") == 0 || strcmp(command, "help") == 0) {
    if (argc < 3 || !bf_usage_command(stdout, argv[2])) bf_usage(stdout);
    return BF_EXIT_OK;
  }
  static const char *const commands[] = {"run",    "check", "solve",  "inverse",   "info",  "converge",
                                         "matrix", "bench", "schema", "--version", "--help"};
  const char              *near       = bf_nearest(command, commands, sizeof commands / sizeof *commands);
  bf_say(json, ": no command '%s'%s%s%s; see bandfem --help", command, near ? "; did you mean '" : "",
         near ? near : "", near ? "'?" : "");
  return BF_EXIT_INTERNAL;
}

/* Exit status if text for stdout was lost: no error if the reader has exited, otherwise a file error. */
static int flush_streams(int exit, int json_errors)
{
  struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};
  const int     lost   = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || (poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR))) return exit;
  bf_say(json_errors, ": cannot write to standard output; possible cause: the disk is full");
  return exit == BF_EXIT_OK ? BF_EXIT_FILE : exit;
}

/* Opens descriptors 0, 1 and 2 if closed: otherwise a result file could get their number and receive the log.
 */
static void open_standard_files(void)
{
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd >= 0) close(fd);
}

/* Blocks of this size and larger are mapped one by one: the system gets them back when they are freed.  By
 * default glibc lets the limit grow to 32 MiB and keeps freed blocks, up to a quarter of the peak. */
static void return_large_blocks(void)
{
  enum { FROM = 1 << 20 };
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, FROM);
#endif
}

int main(int argc, char **argv)
{
  return_large_blocks();
  open_standard_files();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  const int json = bf_say_json(argc - 1, argv + 1);
  bf_interrupt_watch(json);
  return flush_streams(command_line(argc, argv), json);
}
