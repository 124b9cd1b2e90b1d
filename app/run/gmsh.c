/* app/run/gmsh.c - a .geo as mesh.file: meshed by the gmsh program
 *
 * A .geo is a program: gmsh executes its commands, SystemCall included. bandfem does this only for a file
 * whose name ends in .geo and that the deck or the command line names.  gmsh is started without a shell, in
 * the process group of bandfem, so Ctrl-C ends both.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/interrupt.h"
#include "app/job.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int bf_is_geo(const char *path)
{
  const size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".geo") == 0;
}

enum { PARAMETERS = BF_PARAMETERS_MAX };

static bf_err refuse(bf_job *job, const char *what)
{
  bf_diag_add(&job->diags, BF_ERROR, 201, job->config.mesh.file_where, "%s", what);
  return BF_FAIL(BF_E_MODEL, "%s", what);
}

/* Runs argv with an empty stdin and its output in the file `log`; 0 and *status as from waitpid, or the errno
 * of the failed start. */
static int run(char *const argv[], const char *log, int *status)
{
  posix_spawn_file_actions_t files;
  pid_t                      pid = 0;
  int                        err = posix_spawn_file_actions_init(&files);
  if (err) return err;
  err = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!err)
    err = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!err) err = posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  if (!err) err = posix_spawnp(&pid, argv[0], &files, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  for (pid_t ended = 0; !err && ended == 0;) {
    ended = waitpid(pid, status, WNOHANG);
    if (ended < 0) err = errno;
    if (ended == 0 && bf_interrupted(NULL)) kill(pid, SIGTERM);
    if (ended == 0) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  return err;
}

typedef struct words { /* from the log of gmsh */
  char version[32], error[200];
} words;

/* "[Gmsh 4.8.4, ..." in the first lines, and the last line with "Error". */
static words read_log(const char *path)
{
  words w = {"of unknown version", ""};
  char  line[512];
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f)) {
    const char *version         = strstr(line, "[Gmsh ");
    line[strcspn(line, "\r\n")] = '\0';
    if (version) snprintf(w.version, sizeof w.version, "%.*s", (int)strcspn(version + 6, ",]"), version + 6);
    const char *error = strncmp(line, "Error", 5) == 0 ? strchr(line, ':') : NULL;
    if (error) snprintf(w.error, sizeof w.error, "%s", error + 1 + strspn(error + 1, " "));
  }
  if (f) fclose(f);
  return w;
}

/* The result of gmsh: NULL for a mesh, else the error. */
static const char *judge(int status, const words *w, const char *mesh, char *text, size_t size)
{
  struct stat st;
  if (WIFSIGNALED(status))
    snprintf(text, size, "was terminated by signal %d", WTERMSIG(status));
  else if (w->error[0])
    snprintf(text, size, "reports: %s", w->error);
  else if (WEXITSTATUS(status) != 0)
    snprintf(text, size, "failed with exit status %d", WEXITSTATUS(status));
  else if (stat(mesh, &st) != 0 || st.st_size == 0)
    snprintf(text, size, "wrote no mesh");
  else
    return NULL;
  return text;
}

bf_err bf_job_geo(bf_job *job, const char *geo, char *mesh, size_t size)
{
  char           smaller[32], divided[16], source[2050], log[1100], made[1100], text[2600], what[300];
  const bf_space space  = job->problem.space;
  const int      order  = job->config.mesh.order;
  const int      plane  = space == BF_SPACE_PLANE_STRESS || space == BF_SPACE_PLANE_STRAIN;
  int            status = 0;
  const double   t0     = bf_seconds();
  BF_TRY(bf_job_folder(job));
  snprintf(source, sizeof source, "%s%s", geo[0] == '-' ? "./" : "", geo); /* not an option */
  snprintf(made, sizeof made, "%s%s/mesh.msh", job->dir[0] == '-' ? "./" : "", job->dir);
  snprintf(log, sizeof log, "%s/mesh.log", job->dir);
  if (unlink(made) != 0 && errno != ENOENT) {
    bf_diag_add(&job->diags, BF_ERROR, 601, (bf_where){0}, "cannot replace '%s': %s", made, strerror(errno));
    return BF_E_FILE;
  }
  const char *argv[28 + 3 * PARAMETERS] = {
      "gmsh", plane ? "-2" : "-3", "-v",    "5",    "-setnumber", "Mesh.SecondOrderIncomplete",
      "1",    "-format",           "msh41", "-bin", "-o",         made,
      source};
  int n = 13;
  if (order) argv[n++] = "-order";
  if (order) argv[n++] = order == 1 ? "1" : "2";
  char                number[PARAMETERS][32];
  int                 nparameters;
  const bf_parameter *p = bf_deck_parameters(job->deck, &nparameters);
  for (int i = 0; i < nparameters && i < PARAMETERS; i++) {
    snprintf(number[i], sizeof number[i], "%.17g", p[i].value);
    argv[n++] = "-setnumber";
    argv[n++] = p[i].name;
    argv[n++] = number[i];
  }
  if (job->halvings) {
    snprintf(smaller, sizeof smaller, "%.10g", 1.0 / (double)(1 << job->halvings));
    argv[n++] = "-clscale";
    argv[n++] = smaller;
    snprintf(divided, sizeof divided, "%d", 1 << job->halvings);
    argv[n++] = "-setnumber";
    argv[n++] = "refinement";
    argv[n++] = divided;
  }
  bf_interrupt_hold("interrupted: terminating gmsh");
  const int err = run((char *const *)argv, log, &status);
  if (bf_interrupted(NULL)) unlink(made);
  bf_interrupt_settle();
  if (err) {
    snprintf(text, sizeof text,
             "'%s' must be meshed by the gmsh program, which cannot be started (%s): install it (Debian: "
             "apt-get install gmsh), or mesh it elsewhere (gmsh -3 file.geo -o file.msh) and use the .msh",
             geo, err == ENOENT ? "it is not on the PATH" : strerror(err));
    return refuse(job, text);
  }
  const words w = read_log(log);
  if (judge(status, &w, made, what, sizeof what)) {
    snprintf(text, sizeof text, "gmsh cannot mesh '%s': it %s; its output is in %s", geo, what, log);
    return refuse(job, text);
  }
  bf_phase_add(&job->phases, "mesh: gmsh", bf_seconds() - t0, 0.0, 0.0);
  bf_log_line(&job->log, "gmsh      %s meshed %s", w.version, geo);
  snprintf(mesh, size, "%s", made);
  return BF_OK;
}
