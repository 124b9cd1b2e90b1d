/* app/run/clear_results.c - removes the results of an earlier run, so that the folder never holds files of
 * two runs
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/job.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files with the verdict of a run first. deck.resolved.yaml has none, may be the deck of this run, and is
 * written before any file with a verdict: it is not removed. */
static const char *const results[] = {
    "report.json",     "report.html",     "case.hdf",   "case.vtk.series", "case.vtk",  "refined.vtk",
    "checks.csv",      "residuals.csv",   "probes.csv", "reactions.csv",   "modes.csv", "bands.csv",
    "flexibility.mtx", "flexibility.csv", "sweep.csv",  "sweep.json",      "view.py"};
enum { RESULTS = sizeof results / sizeof *results };

static int same_file(const struct stat *a, const char *path)
{
  struct stat b;
  return path && stat(path, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* Is the file read by this run: its deck, mesh or a table? */
static int is_input(const bf_job *job, const char *path)
{
  struct stat          s;
  int                  n;
  const bf_deck_table *table = bf_deck_tables(job->deck, &n);
  if (stat(path, &s) != 0) return 0;
  if (same_file(&s, job->deck_path) || (job->mesh && same_file(&s, job->mesh->file))) return 1;
  for (int i = 0; i < n; i++)
    if (same_file(&s, table[i].path)) return 1;
  return 0;
}

/* A path that is not a regular file is reported by the writer of this file. */
static bf_err remove_one(const bf_job *job, const char *name, int *removed)
{
  char        path[1400];
  struct stat s;
  snprintf(path, sizeof path, "%s/%.300s", job->dir, name);
  if (lstat(path, &s) != 0 || !(S_ISREG(s.st_mode) || S_ISLNK(s.st_mode)) || is_input(job, path))
    return BF_OK;
  const int failed = unlink(path) != 0 ? errno : 0;
  BF_CHECK(!failed || failed == ENOENT, BF_E_FILE, "cannot remove '%s' of an earlier run: %s", path,
           strerror(failed));
  *removed += !failed;
  return BF_OK;
}

/* case_0000.vtk, case_0001.vtk, ...: a step of a series */
static int is_step(const char *name)
{
  static const char digits[] = "0123456789";
  if (strncmp(name, "case_", 5) != 0) return 0;
  const size_t n = strspn(name + 5, digits);
  return n >= 4 && strcmp(name + 5 + n, ".vtk") == 0;
}

bf_err bf_job_clear(bf_job *job)
{
  bf_err err     = BF_OK;
  int    removed = 0;
  DIR   *d       = NULL;
  for (int i = 0; i < RESULTS; i++) BF_TRY(remove_one(job, results[i], &removed));
  d = opendir(job->dir);
  for (struct dirent *e; d && (e = readdir(d)) != NULL;)
    if (is_step(e->d_name)) BF_GO(remove_one(job, e->d_name, &removed));
  if (removed)
    bf_log_line(&job->log, "folder    %s: %d file%s of an earlier run removed", job->dir, removed,
                removed == 1 ? "" : "s");
done:
  if (d) closedir(d);
  return err;
}
