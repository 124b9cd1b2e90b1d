/* app/cli/usage.c - the help texts of the program and of its commands */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "app/cli/usage.h"
#include "kernels/matrix/lists.h"
#include <string.h>

#define WORD(word, NAME) "|" #word
#define FORMATS          BF_FORMAT_LIST(WORD)

static const char summary[] =
    "bandfem " BF_VERSION " - finite elements with banded matrices\n"
    "\n"
    "  bandfem run DECK.yaml [OPTIONS]        solve a deck and write the results\n"
    "  bandfem check DECK.yaml [OPTIONS]      check a deck without solving; write setup.vtk\n"
    "  bandfem converge DECK.yaml [OPTIONS]   solve a deck on refined meshes; orders of convergence\n"
    "  bandfem matrix DECK.yaml [OPTIONS]     export the matrix of a deck; pictures of it, spectrum\n"
    "  bandfem info MESH.msh|A.mtx|--device   properties of a mesh, a matrix or the devices\n"
    "  bandfem solve A.mtx [OPTIONS]          solve a Matrix Market system\n"
    "  bandfem inverse A.mtx [OPTIONS]        inverse of a symmetric Matrix Market matrix\n"
    "  bandfem bench DECK.yaml|TABLE|all      time kernels\n"
    "  bandfem schema [--json]                print the deck reference\n"
    "  bandfem COMMAND --help                 options of a command\n"
    "  bandfem --version | --help\n"
    "\n"
    "run, check, bench:     -s KEY=VALUE     set a value of the deck (-s solver.rtol=1.0e-6); repeatable\n"
    "run, check, solve,\n"
    "inverse:               --quiet          print errors and warnings only\n"
    "all commands:          --errors=json    messages on stderr as JSON objects, one per line, with\n"
    "                                        severity, code, file, line, column, text\n"
    "\n"
    "exit status: 0 ok, 1 command line or internal error, 2 deck, 3 mesh, matrix or model, 4 device or "
    "memory,\n"
    "5 not converged, 6 a check failed, 7 a result could not be written, 130 interrupted (Ctrl-C),\n"
    "143 terminated (SIGTERM)\n";

static const struct {
  const char *command, *text;
} commands[] = {
    {"run",
     "bandfem run DECK.yaml [OPTIONS]\n"
     "Solves the problem of a deck and writes the results. Deck language: bandfem schema\n"
     "\n"
     "  -s KEY=VALUE               set a value of the deck, such as -s solver.rtol=1.0e-6; repeatable\n"
     "  --backend auto|cpu|cuda    device; replaces device.backend\n"
     "  --out DIR                  output folder; replaces output.dir\n"
     "  --verbose                  print numberings, matrix formats, iterations and times of all phases too\n"
     "  --quiet                    print errors and warnings only\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"check", "bandfem check DECK.yaml [OPTIONS]\n"
              "Checks a deck, its mesh and its model without solving. Prints loads, matrix formats and the\n"
              "memory forecast; writes setup.vtk.\n"
              "\n"
              "  -s KEY=VALUE               set a value of the deck; repeatable\n"
              "  --out DIR                  output folder; replaces output.dir\n"
              "  --quiet                    print errors and warnings only\n"
              "  --errors=text|json         format of the messages on stderr\n"},
    {"converge",
     "bandfem converge DECK.yaml [OPTIONS]\n"
     "Solves a deck on refined meshes. Prints and writes (convergence.csv) the mesh size, unknowns,\n"
     "errors, observed orders and time of each level. Errors are the deck's checks of error norms, such as\n"
     "error.L2(temperature, \"..\"); without any, all other checked quantities are extrapolated "
     "(Richardson).\n"
     "Each level halves the cells of the one before: a generated mesh gets twice the cells per direction, "
     "the\n"
     "elements of a .msh are divided (curved sides stay those of the file), a .geo is meshed by gmsh with\n"
     "half the sizes. solver.rtol must be below the errors.\n"
     "\n"
     "  --levels 4                 number of meshes, 2 to 10; the first is that of the deck\n"
     "  --order 1|2|1,2            order of the elements (mesh.order); 1,2: both, one after the other\n"
     "  --quantity TEXT            study this quantity instead of the checks of the deck; repeatable\n"
     "  --all                      also the quantities that are no error norms\n"
     "  -s KEY=VALUE               set a value of the deck, such as -s mesh.generate.box.cells=[4,4,4]\n"
     "  --backend auto|cpu|cuda    device; replaces device.backend\n"
     "  --out DIR                  output folder; default out/DECK/converge\n"
     "  --quiet                    print errors and warnings only\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"matrix",
     "bandfem matrix DECK.yaml [OPTIONS]\n"
     "Assembles the matrix of a deck and writes it as Matrix Market files and pictures; solves nothing.\n"
     "\n"
     "  --out A.mtx                the matrix; symmetric storage if it is symmetric\n"
     "  --rhs b.mtx                the right-hand side of the same stage\n"
     "  --mass M.mtx               (modal) the mass matrix\n"
     "  --rows rows.csv            node, component, coordinates of each row\n"
     "  --stage constrained        as the solver gets it: rows and columns of prescribed unknowns are 0 but\n"
     "                             for the diagonal\n"
     "          assembled          before the prescribed values, with convection and springs\n"
     "          element            the element matrices as diagonal blocks of one matrix\n"
     "  --gather P.mtx             (stage element) gather matrix: P^T E P is the assembled matrix\n"
     "  --order file|chosen        rows in the order of the mesh file (default) or of the solver\n"
     "  --spy A.png                picture of the nonzeros before and after numbering\n"
     "  --diagonals D.png          picture of the stored diagonals: node rows by diagonals of bDIA\n"
     "  --spectrum                 extreme Ritz values and condition, without and with Jacobi\n"
     "  -s KEY=VALUE               set a value of the deck; repeatable\n"
     "  --backend auto|cpu|cuda    device; replaces device.backend\n"
     "  --quiet                    print errors and warnings only\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"info",
     "bandfem info MESH.msh       nodes, elements, groups, quality, numberings, memory\n"
     "bandfem info A.mtx          symmetry, diagonal, numberings, formats, predicted iterations of CG\n"
     "bandfem info --device       CPU and GPU: memory, caches; measures bandwidth and product rate\n"
     "\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"solve",
     "bandfem solve A.mtx [OPTIONS]\n"
     "Solves A x = b. The files are in Matrix Market format. Values: default first.\n"
     "\n"
     "  --rhs b.mtx                right-hand side; default: A times a vector of ones\n"
     "  --out x.mtx                write the solution\n"
     "  --csv FILE                 write the residuals: iteration, residual, true residual, seconds\n"
     "  --json FILE                write a report\n"
     "  --method auto|cg|bicgstab|bicg|direct|inverse\n"
     "  --preconditioner jacobi|block_jacobi|multigrid|none\n"
     "  --components 1|2|3         multigrid: consecutive rows that belong to one node\n"
     "  --coordinates xyz.mtx      multigrid of elasticity: a row per node, a column per component\n"
     "  --block-size 64            block_jacobi: approximate number of rows per block\n"
     "  --block-parts couplings|metis\n"
     "  --block-values fp32|fp64\n"
     "  --rtol 1e-8                tolerance of the true residual |b - A x| / |b|\n"
     "  --max-iterations 5000\n"
     "  --format auto" FORMATS "\n"
     "  --storage auto|full|symmetric\n"
     "  --precision fp64|fp32      fp32: products with rounded values; residuals and solution are fp64\n"
     "  --reorder auto|file|rcm\n"
     "  --backend auto|cpu|cuda\n"
     "  --memory-limit 0.9         method inverse: part of the available memory that may be used\n"
     "  --quiet                    print errors and warnings only\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"inverse",
     "bandfem inverse A.mtx [OPTIONS]\n"
     "Computes the inverse X of a symmetric matrix of order 1 to 32768 as a dense matrix, with the residual\n"
     "and a bound of the error. The files are in Matrix Market format. Values: default first.\n"
     "\n"
     "  --out X.mtx                write the inverse, as a symmetric array\n"
     "  --json FILE                write a report\n"
     "  --precision fp64|fp32      of the inverse; residual and bounds are fp64\n"
     "  --backend auto|cpu|cuda\n"
     "  --memory-limit 0.9         part of the available memory that may be used\n"
     "  --quiet                    print errors and warnings only\n"
     "  --errors=text|json         format of the messages on stderr\n"},
    {"bench", "bandfem bench DECK.yaml [-s KEY=VALUE] [--backend NAME] [--csv FILE]\n"
              "Times the matrix-vector product, an iteration and the assembly with the matrix of a deck.\n"
              "\n"
              "bandfem bench preconditioners DECK.yaml [-s KEY=VALUE] [--backend NAME] [--csv FILE]\n"
              "Solves the system of a static deck with each preconditioner and directly:\n"
              "iterations, set-up, solve, memory.\n"
              "\n"
              "bandfem bench list\n"
              "Prints this text.\n"
              "\n"
              "bandfem bench TABLE|all [OPTIONS]\n"
              "Times kernels on generated matrices. Tables:\n"
              "  spmv         sparse matrix-vector products in every format\n"
              "  paper        products of one band of 3 to 101 diagonals, as in the bDIA paper\n"
              "  cg           iterations of conjugate gradients\n"
              "  bicgstab     iterations of BiCGStab\n"
              "  transpose    transposition of sparse matrices\n"
              "  coo2csr      triplets into compressed rows\n"
              "  lu           batched LU factorisations\n"
              "  inverse      batched inverses\n"
              "  cholesky     batched Cholesky factorisations\n"
              "  eigen        batched Hermitian eigen-decompositions\n"
              "  pencil       batched generalised eigenvalue problems\n"
              "  syinv        inverse of one large dense symmetric matrix\n"
              "  published    batched kernels of published papers, as a baseline\n"
              "  once         one call of each case of eigen, for a profiler\n"
              "\n"
              "  --list                     print the names of the cases, measure nothing\n"
              "  --case NAME                only this case of the table; repeatable\n"
              "  --quick                    fewer and smaller cases\n"
              "  --backend auto|cpu|cuda    device\n"
              "  --csv FILE                 write the table to a file\n"
              "  --others FILE              add results of other programs from a file\n"
              "  --errors=text|json         format of the messages on stderr\n"},
    {"schema", "bandfem schema              print the deck reference as Markdown\n"
               "bandfem schema --json       print the deck language as a JSON schema for editors\n"
               "bandfem schema --man        print the man page\n"
               "bandfem schema --completion print the completion for bash\n"}};

void bf_usage(FILE *out)
{
  fputs(summary, out);
}

int bf_usage_command(FILE *out, const char *command)
{
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(commands[i].command, command) != 0) continue;
    fputs(commands[i].text, out);
    return 1;
  }
  return 0;
}

const char *bf_usage_summary(void)
{
  return summary;
}

const char *bf_usage_name(int i, const char **text)
{
  if (i < 0 || (size_t)i >= sizeof commands / sizeof *commands) return NULL;
  *text = commands[i].text;
  return commands[i].command;
}
