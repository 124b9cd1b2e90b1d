/* app/main.c - the program: sub-command, exit status, the only main
 *
 * A reader of stdout that leaves (run DECK | head) and a file size limit do not end the program: the work is
 * finished, and what could not be written is told.
 */
#include "app/interrupt.h"
#include "app/job.h"
#include "app/say.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "bandfem " BF_VERSION " - finite elements with banded matrices\n"
    "\n"
    "  bandfem run DECK.yaml [--backend auto|cpu|cuda] [--out DIR]   solve, write results\n"
    "  bandfem check DECK.yaml [--out DIR]                           everything that can be told before "
    "solving, and setup.vtk\n"
    "  bandfem info MESH.msh|A.mtx                                   counts, groups, quality, numbering, "
    "memory; symmetry, diagonal, formats\n"
    "  bandfem info --device                                         CPU and GPU: memory, caches, bandwidth, "
    "rate of a product (measured)\n"
    "  bandfem solve A.mtx [--rhs b.mtx] [--out x.mtx] [--csv FILE] [OPTIONS]   a system from Matrix Market "
    "files\n"
    "      --method auto|cg|bicgstab|bicg|direct   --preconditioner jacobi|block_jacobi|none   "
    "--rtol 1e-8   --max-iterations 5000\n"
    "      --block-size 64   --block-parts couplings|metis   --block-values fp32|fp64   (of block_jacobi)\n"
    "      --format auto|bdia|hybrid|csr16|csr|ell|hyb|dia|coo   --storage auto|full|symmetric   --precision "
    "fp64|fp32\n"
    "      --reorder auto|file|rcm   --backend auto|cpu|cuda\n"
    "  bandfem bench DECK.yaml [--backend ...] [--csv FILE]          time product, iteration and assembly on "
    "a deck's matrix\n"
    "  bandfem bench TABLE|all [--case NAME]... [--quick] [--backend ...] [--csv FILE] [--others FILE]\n"
    "                                                                time kernels on matrices made for it; "
    "TABLE: spmv,\n"
    "      paper, cg, bicgstab, transpose, coo2csr; batches: lu, inverse, cholesky, eigen, pencil, "
    "published; syinv; once: eigen's for a profiler\n"
    "  bandfem schema [--json]                                       the deck reference as Markdown, or a "
    "JSON schema\n"
    "  bandfem --version | --help\n"
    "\n"
    "run, check and bench: -s KEY=VALUE sets a value of the deck (-s solver.rtol=1.0e-6), as often as "
    "needed\n"
    "all: --errors=json makes every line on stderr a JSON object with severity, code, file, line, column, "
    "text\n"
    "run, check and solve: --quiet prints errors and warnings only\n"
    "exit status: 0 ok, 1 internal, 2 deck, 3 mesh, matrix or model, 4 device or memory, 5 not converged, "
    "6 a check failed,\n"
    "7 a result could not be written, 130 interrupted (Ctrl-C), 143 terminated (SIGTERM)\n";

static int schema(int as_json, int json_errors)
{
  const bf_err err = as_json ? bf_schema_json(stdout) : bf_schema_markdown(stdout);
  if (err == BF_E_FILE) return BF_EXIT_OK; /* all_said tells */
  if (err != BF_OK) bf_say(json_errors, "%s", bf_err_trace());
  return bf_exit_status(err);
}

static int command_line(int argc, char **argv)
{
  if (argc < 2) {
    fputs(usage, stderr);
    return BF_EXIT_INTERNAL;
  }
  const char *command = argv[1];
  if (strcmp(command, "run") == 0) return bf_cmd_run(argc - 2, argv + 2);
  if (strcmp(command, "check") == 0) return bf_cmd_check(argc - 2, argv + 2);
  if (strcmp(command, "solve") == 0) return bf_cmd_solve(argc - 2, argv + 2);
  if (strcmp(command, "info") == 0) return bf_cmd_info(argc - 2, argv + 2);
  if (strcmp(command, "bench") == 0) return bf_cmd_bench(argc - 2, argv + 2);
  const int json    = bf_say_json(argc - 2, argv + 2);
  int       as_json = 0;
  for (int i = 2; i < argc && (strcmp(command, "schema") == 0 || command[0] == '-'); i++) {
    const int asks = command[0] != '-' && strcmp(argv[i], "--json") == 0;
    as_json |= asks;
    if (asks || bf_say_option(argv[i])) continue;
    bf_say(json, "%s: cannot use '%s'; see bandfem --help", command, argv[i]);
    return BF_EXIT_INTERNAL;
  }
  if (strcmp(command, "schema") == 0) return schema(as_json, json);
  if (strcmp(command, "--version") == 0) {
    printf("bandfem %s (%s, %s, %s)\n", BF_VERSION, BF_GIT, BF_COMPILER, BF_CUDA_COMPILER);
    return BF_EXIT_OK;
  }
  if (strcmp(command, "--help") == 0 || strcmp(command, "help") == 0) {
    fputs(usage, stdout);
    return BF_EXIT_OK;
  }
  static const char *const commands[] = {"run",   "check",  "solve",     "info",
                                         "bench", "schema", "--version", "--help"};
  const char              *near       = bf_nearest(command, commands, 8);
  bf_say(json, ": no command '%s'%s%s%s; see bandfem --help", command, near ? "; did you mean '" : "",
         near ? near : "", near ? "'?" : "");
  return BF_EXIT_INTERNAL;
}

/* Exit status when text for stdout was lost: a reader that left wanted no more, all else is a file error. */
static int all_said(int exit, int json_errors)
{
  struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};
  const int     lost   = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || (poll(&reader, 1, 0) == 1 && (reader.revents & POLLERR))) return exit;
  bf_say(json_errors, ": the text for the standard output could not be written (is its disk full?)");
  return exit == BF_EXIT_OK ? BF_EXIT_FILE : exit;
}

/* Where 0, 1 or 2 was closed, a result file would get its number, and the log would be written into it. */
static void open_standard_files(void)
{
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
  if (fd >= 0) close(fd);
}

int main(int argc, char **argv)
{
  open_standard_files();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  const int json = bf_say_json(argc - 1, argv + 1);
  bf_interrupt_watch(json);
  return all_said(command_line(argc, argv), json);
}
