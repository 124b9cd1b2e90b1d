# docs/doxygen.sed - makes Doxygen comments of ordinary ones (docs/Doxyfile)
# SPDX-License-Identifier: BSD-3-Clause
# a comment at the start of a line documents what follows, one behind a declaration that declaration
s#^( *)/\*([^*!])#\1/**\2#
s#([;,] +)/\*([^*!<])#\1/**<\2#
# characters that are commands or list markers of Doxygen
s#@#\\@#g
s#\\([nrt])#\\\\\1#g
s# ?\.\. *\*/#, ... */#
s#, *, \.\.\. \*/#, ... */#
