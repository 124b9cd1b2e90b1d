/* outputs/view_script.c - view.py: a script for ParaView that opens the result with field, warp, colours and
 * legend
 *
 * The script alone decides on numbers: range and warp factor come from the data when it runs.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "outputs/atomic_file.h"
#include "outputs/result.h"
#include <stdio.h>
#include <string.h>

static const char *const preferred[] = {"von_mises_nodal", "von_mises",  "temperature",  "concentration",
                                        "displacement",    "mode_shape", "mode_shape_re"};
static const char *const moving[]    = {"displacement", "mode_shape", "mode_shape_re"};

static const char script[] =
    "import os\n"
    "import sys\n"
    "\n"
    "from paraview.simple import *  # noqa: F403\n"
    "\n"
    "HERE = os.path.dirname(os.path.abspath(globals().get(\"__file__\") or "
    "sys._getframe().f_code.co_filename))\n"
    "if not os.path.isfile(os.path.join(HERE, FILE)):  # ParaView does not tell where the script is\n"
    "    HERE = os.getcwd()\n"
    "SHARE = 0.08  # of the size of the body: the largest displacement in the picture\n"
    "\n"
    "\n"
    "def length(bounds):\n"
    "    return sum((bounds[2 * i + 1] - bounds[2 * i]) ** 2 for i in range(3)) ** 0.5\n"
    "\n"
    "\n"
    "data = OpenDataFile(os.path.join(HERE, FILE))\n"
    "view = GetActiveViewOrCreate(\"RenderView\")\n"
    "picture = sys.argv[-1] if len(sys.argv) > 1 and sys.argv[-1].endswith(\".png\") else \"\"\n"
    "if picture:\n"
    "    view.ViewSize = [1200, 800]\n"
    "scene = GetAnimationScene()\n"
    "scene.UpdateAnimationUsingDataTimeSteps()\n"
    "times = list(getattr(data, \"TimestepValues\", None) or [])\n"
    "if times:\n"
    "    scene.AnimationTime = times[min(STEP, len(times)) - 1]\n"
    "data.UpdatePipeline(scene.AnimationTime)\n"
    "bounds, source = data.GetDataInformation().GetBounds(), data\n"
    "if MOVES:\n"
    "    largest = max(abs(x) for x in data.PointData[MOVES].GetRange(-1))\n"
    "    factor = float(f\"{SHARE * length(bounds) / largest:.2g}\") if largest > 0.0 else 0.0\n"
    "    source = WarpByVector(Input=data, Vectors=[\"POINTS\", MOVES], ScaleFactor=factor)\n"
    "    RenameSource(f\"{MOVES} x {factor:g}\", source)\n"
    "    Hide(data, view)\n"
    "shown = Show(source, view)\n"
    "shown.Representation = \"Surface\"\n"
    "shown.NonlinearSubdivisionLevel = 2\n"
    "shown.Ambient, shown.Diffuse = 0.7, 0.3  # the colours of the legend on faces towards the viewer\n"
    "if FIELD:\n"
    "    ColorBy(shown, (ON, FIELD, \"Magnitude\") if COMPONENTS == 3 else (ON, FIELD))\n"
    "    shown.RescaleTransferFunctionToDataRange(False, True)\n"
    "    colours = GetColorTransferFunction(FIELD)\n"
    "    colours.ApplyPreset(\"Viridis (matplotlib)\", True)\n"
    "    bar = GetScalarBar(colours, view)\n"
    "    bar.Title = TITLE\n"
    "    bar.ComponentTitle = \"magnitude\" if COMPONENTS == 3 else \"\"\n"
    "    bar.TitleFontSize = bar.LabelFontSize = 14\n"
    "    bar.AutomaticLabelFormat = 0\n"
    "    bar.LabelFormat = bar.RangeLabelFormat = \"%.4g\"\n"
    "    bar.WindowLocation, bar.Position, bar.ScalarBarLength = \"Any Location\", [0.86, 0.2], 0.6\n"
    "    bar.TitleColor = bar.LabelColor = [0.15, 0.15, 0.15]\n"
    "    shown.SetScalarBarVisibility(view, True)\n"
    "view.Background = [1.0, 1.0, 1.0]\n"
    "view.UseColorPaletteForBackground = 0\n"
    "view.OrientationAxesLabelColor = [0.15, 0.15, 0.15]\n"
    "text = Text(Text=CASE)\n"
    "words = Show(text, view)\n"
    "words.WindowLocation = \"Upper Left Corner\"\n"
    "words.Color = [0.15, 0.15, 0.15]\n"
    "words.FontSize = 16\n"
    "SetActiveSource(source)\n"
    "if bounds[5] - bounds[4] > 1e-9 * length(bounds):\n"
    "    centre = [0.5 * (bounds[2 * i] + bounds[2 * i + 1]) for i in range(3)]\n"
    "    view.CameraFocalPoint = centre\n"
    "    view.CameraPosition = [c + length(bounds) * d for c, d in zip(centre, (0.45, -1.0, 0.5))]\n"
    "    view.CameraViewUp = [0.0, 0.0, 1.0]\n"
    "view.CameraParallelProjection = 1\n"
    "ResetCamera(view)\n"
    "Render(view)\n"
    "if picture:\n"
    "    SaveScreenshot(picture, view, ImageResolution=[1200, 800])\n";

/* A string of Python. */
static void put_text(bf_atomic_file *f, const char *name, const char *text)
{
  bf_atomic_file_print(f, "%s = \"", name);
  for (const char *p = text; *p; p++) {
    const unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\')
      bf_atomic_file_print(f, "\\%c", c);
    else if (c < ' ' || c == 0x7f)
      bf_atomic_file_print(f, "\\x%02x", c);
    else
      bf_atomic_file_write(f, p, 1);
  }
  bf_atomic_file_print(f, "\"\n");
}

static const bf_field *find(const bf_result *r, const char *const *name, size_t n)
{
  for (size_t k = 0; k < n; k++)
    for (int i = 0; i < r->nfields; i++)
      if (strcmp(r->field[i].name, name[k]) == 0) return &r->field[i];
  return NULL;
}

/* The first step that is no rigid-body motion. */
static int first_step(const bf_result *r)
{
  return r->modes && r->modes->rigid < r->modes->n ? r->modes->rigid + 1 : 1;
}

static void settings(bf_atomic_file *f, const bf_result *r, const char *file)
{
  char            title[200], status[BF_STATUS_MAX], text[BF_STATUS_MAX + 202];
  const bf_field *field = find(r, preferred, sizeof preferred / sizeof *preferred);
  const bf_field *moves = find(r, moving, sizeof moving / sizeof *moving);
  if (!field && r->nfields > 0) field = &r->field[0];
  if (moves && moves->ncomp != 3) moves = NULL;
  const int unit = field && field->unit && strcmp(field->unit, "1") != 0;
  snprintf(title, sizeof title, "%.100s%s%.60s%s", field ? field->name : "", unit ? " [" : "",
           unit ? field->unit : "", unit ? "]" : "");
  for (char *p = title; *p && *p != '['; p++)
    if (*p == '_') *p = ' ';
  put_text(f, "FILE", file);
  bf_result_status(r, status);
  snprintf(text, sizeof text, "%s%s%.200s", r->converged ? "" : status, r->converged ? "" : "\n",
           r->title ? r->title : "");
  put_text(f, "CASE", text);
  put_text(f, "FIELD", field ? field->name : "");
  put_text(f, "ON", field && field->on_cells ? "CELLS" : "POINTS");
  put_text(f, "TITLE", title);
  put_text(f, "MOVES", moves ? moves->name : "");
  bf_atomic_file_print(f, "COMPONENTS = %d\nSTEP = %d\n\n", field ? field->ncomp : 0, first_step(r));
}

bf_err bf_write_view(const bf_result *r, const char *file, const char *path)
{
  bf_err          err = BF_OK;
  bf_atomic_file *f   = NULL;
  BF_CHECK(r && file && path, BF_E_ARG, "a script needs a result and names");
  BF_GO(bf_atomic_file_create(path, &f));
  bf_atomic_file_print(
      f, "# view.py - the result in ParaView 5.11 or newer: field, deformation, colours and legend\n"
         "# paraview --script=view.py opens it, pvpython view.py PICTURE.png writes a picture\n");
  settings(f, r, file);
  bf_atomic_file_write(f, script, sizeof script - 1);
  BF_GO(bf_atomic_file_commit(f));
done:
  bf_atomic_file_destroy(&f);
  return err;
}
