/* app/check/memory.c - forecast of memory and file sizes of a run, compared with the available memory */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "app/analysis.h"
#include <stdio.h>
#include <string.h>

static double mib(int64_t bytes)
{
  return (double)bytes / 0x1p20;
}

static void table(const bf_job *job)
{
  const bf_forecast *f = &job->plan.memory;
  bf_log_line(&job->log, "memory    forecast, MiB                on the CPU   with a GPU: host         GPU");
  bf_log_line(&job->log, "          program, mesh, numbering     %10.1f         %10.1f           -",
              mib(f->held), mib(f->gpu_host_peak - f->gpu_host_more));
  bf_log_line(&job->log, "          matrix                       %10.1f                  -  %10.1f",
              mib(f->matrix), mib(f->matrix));
  bf_log_line(&job->log, "          vectors                      %10.1f                  -  %10.1f",
              mib(f->vectors), mib(f->vectors));
  if (f->factors > 0)
    bf_log_line(&job->log, "          factors and workspace        %10.1f                  -           -",
                mib(f->factors));
  if (f->blocks > 0)
    bf_log_line(&job->log, "          blocks of the preconditioner %10.1f                  -  %10.1f",
                mib(f->blocks), mib(f->blocks));
  bf_log_line(&job->log, "          element tables and buffers   %10.1f                  -  %10.1f",
              mib(f->elements), mib(f->device_elements));
  bf_log_line(&job->log, "          results                      %10.1f         %10.1f           -",
              mib(f->results), mib(f->gpu_host_more));
  bf_log_line(&job->log, "          peak                         %10.1f         %10.1f  %10.1f",
              mib(f->cpu_peak), mib(f->gpu_host_peak), mib(f->device));
}

static void free_memory(const bf_job *job, bf_backend *gpu, const char *why)
{
  char   here[24], there[24], text[128];
  size_t available = 0, total = 0;
  bf_bytes_text((double)bf_memory_available(), here);
  if (!gpu) {
    bf_log_line(&job->log, "          available: %s on the host; no GPU: %s", here, why);
    return;
  }
  gpu->ops.describe(gpu, text, sizeof text);
  if (gpu->ops.memory(gpu, &available, &total) != BF_OK) available = 0;
  bf_bytes_text((double)available, there);
  bf_log_line(&job->log, "          available: %s on the host, %s on the GPU (%s)", here, there, text);
}

static void files(const bf_job *job)
{
  const bf_output_config *output    = &job->config.output;
  char                    text[128] = "", size[24];
  size_t                  at        = 0;
  for (int i = 0; i < output->nformats; i++) {
    const int vtk = output->format[i] == BF_FILE_VTK;
    bf_bytes_text((double)(vtk ? job->plan.memory.vtk : job->plan.memory.hdf), size);
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%s %s", i ? ", " : "",
                           !vtk                        ? "case.hdf"
                           : job->analysis->steps(job) ? "case.vtk.series"
                                                       : "case.vtk",
                           size);
  }
  bf_log_line(&job->log, "files     forecast: %s%s", text,
              output->compression > 0 ? " before compression" : "");
}

/* Checks the backend that a run would use: the GPU if there is one, unless the deck selects the CPU. */
bf_err bf_job_memory(bf_job *job)
{
  bf_err      err = BF_OK;
  bf_backend *gpu = NULL, *cpu = NULL;
  char        why[256] = "";
  const char *want     = job->config.device.backend;
  const int   only_gpu = strcmp(want, "cuda") == 0;
  BF_TRY(bf_job_direct_backend(job, &want));
  const int only_cpu = strcmp(want, "cpu") == 0;
  if (bf_backend_create("cuda", NULL, &gpu) != BF_OK) snprintf(why, sizeof why, "%s", bf_err_message());
  table(job);
  free_memory(job, gpu, why);
  files(job);
  if (gpu && !only_cpu) {
    BF_GO(bf_job_fits(job, gpu));
  } else if (!only_gpu) { /* a deck for a GPU can be checked on a machine without one */
    BF_GO(bf_backend_create("cpu", NULL, &cpu));
    BF_GO(bf_job_fits(job, cpu));
  }
  if (!gpu && only_gpu)
    bf_log_line(&job->log, "          fits a GPU with %.1f MiB available; without a GPU a run ends with E403",
                mib(job->plan.memory.device));
  else
    bf_log_line(&job->log, "          fits into the memory of the %s", gpu && !only_cpu ? "GPU" : "host");
done:
  bf_backend_destroy(&gpu);
  bf_backend_destroy(&cpu);
  return err;
}
