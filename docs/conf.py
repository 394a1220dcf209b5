"""How the documentation is built: `make docs`.

The build needs no network. Links into the documentation of other projects are made only if the
environment variable CURVEWISE_DOCS_ONLINE is set, because they need the inventories of those.
"""

import os
import re

# One thread per fit: the examples are small, and several threads only get into each other's way.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

from docutils.nodes import Element
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import curvewise

project = "curvewise"
author = "the curvewise developers"
copyright = "the curvewise developers"  # noqa: A001 (the name is Sphinx's)
version = release = curvewise.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "**/GALLERY_HEADER.rst", "gallery/**/*.ipynb", "gallery/**/*.py"]
templates_path = ["_templates"]

# Broken references are warnings, and warnings fail the build.
nitpicky = True
# `Name` in a docstring is a link if there is such a page, and code otherwise.
default_role = "py:obj"
nitpick_ignore_regex = [
    # Whatever can be a dictionary key.
    (r"py:class", "Candidate"),
    # Parts of what users are given, and what `advise` asks of a search or a run; nobody makes them.
    (r"py:class", r"curvewise\.(advice\._|_selection\.|_watch\.).*"),
    (r"py:class", r"curvewise\.(core\._row_pairs\.RowPair|executors\._packed_rows\.RowLosses)"),
    (r"py:class", r"curvewise.*\.(DrawnPipeline|Projection)"),
    # Types of other packages, and names that stand for them in annotations.
    (r"py:.*", r"(numpy|np|pandas|pd|sklearn|scipy|matplotlib|distributed)(\..*)?"),
    (r"py:.*", r"(optuna|skrub|smac)(\..*)?"),
    (r"py:.*", r"(collections|datetime|enum|pathlib|sqlite3|types|typing)(\..*)?"),
    (r"py:class", r"(ArrayLike|Path|DataFrame|Axes|IntervalKind|TestPart|Configuration|Seed)"),
    (r"py:class", r"(BaseSampler|DataOp|ParamSearch)"),
    # Annotations that Sphinx cuts at their comma.
    (r"py:class", r"(tuple|dict)\[str"),
    # Annotations of a result that its subclass takes over, from another module.
    (r"py:class", r"Decision|RememberedResults"),
]

if os.environ.get("CURVEWISE_DOCS_ONLINE"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
    }

# Markdown pages. A ```python-norun block is shown as Python and not run by the tests.
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Reference pages: types stand in the annotations, so they are shown in the signatures.
autosummary_generate = True
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
maximum_signature_line_length = 88
python_use_unqualified_type_names = True
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
add_module_names = False

sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["gallery"],
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("curvewise",),
    "within_subsection_order": "ExampleTitleSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "image_srcset": ["2x"],
    # Large enough for the words in a picture to be read.
    "thumbnail_size": (800, 560),
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    # That page would load scripts from elsewhere.
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "curvewise"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    # With enough contrast to be read.
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Pages without neighbours need no list of them.
html_sidebars = {"index": [], "tutorial/index": []}


def _show_norun_as_python(_app: Sphinx, _docname: str, source: list[str]) -> None:
    source[0] = re.sub(r"^```python-norun$", "```python", source[0], flags=re.MULTILINE)


def _find_by_short_name(
    app: Sphinx, env: BuildEnvironment, node: Element, content: Element
) -> Element | None:
    """Resolve `Name` to the only public object of that name."""
    if node.get("reftype") != "obj":
        return None
    objects = env.domains.python_domain.objects
    ending = "." + node["reftarget"]
    found = [name for name, entry in objects.items() if name.endswith(ending) and not entry.aliased]
    if len(found) != 1:
        return content
    page, anchor = objects[found[0]].docname, objects[found[0]].node_id
    return make_refnode(app.builder, node["refdoc"], page, anchor, content, found[0])


def setup(app: Sphinx) -> None:
    """Connect what is ours to Sphinx."""
    app.connect("missing-reference", _find_by_short_name)
    app.connect("source-read", _show_norun_as_python)
    app.add_lexer("mermaid", TextLexer)
