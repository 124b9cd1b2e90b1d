/* assembly/basis/von_mises.h - the von Mises equivalent stress
 *
 *     sqrt(((xx-yy)^2 + (yy-zz)^2 + (zz-xx)^2)/2 + 3 (xy^2 + yz^2 + xz^2))
 *
 * Source: R. von Mises, Mechanik der festen Koerper im plastisch-deformablen Zustand, Nachrichten der
 * Gesellschaft der Wissenschaften zu Goettingen (1913) 582-592.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BF_ASSEMBLY_BASIS_VON_MISES_H
#define BF_ASSEMBLY_BASIS_VON_MISES_H

/* Of a stress s = (xx yy zz xy yz xz). */
double bf_von_mises(const double s[6]);
#endif
