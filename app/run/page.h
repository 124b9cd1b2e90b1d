/* app/run/page.h - report.html of a run */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_APP_PAGE_H
#define BF_APP_PAGE_H
#include "app/job.h"

/* r: of bf_job_result; seconds: of the run so far.  BF_E_FILE names the file that could not be written. Cost:
 * passes over the elements, limited by counts: resultants up to 100 000 elements, pictures up to 150 000
 * cells, the picture of the matrix by a sample of the elements. */
bf_err bf_job_page(bf_job *job, const bf_result *r, const char *path, double seconds);
#endif
