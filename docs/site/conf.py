"""Sphinx's settings for the site of scripts/docs: the pages of docs/ and the reference of the Python
package, beside Doxygen's reference in cpp/."""
import inspect
import re

from api_pages import as_rst

project = "Espalier"
copyright = "the Espalier authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "sidebar_width": "260px", "fixed_sidebar": True}
html_show_sourcelink = False
html_copy_source = False
add_module_names = False
highlight_language = "none"  # of blocks that do not say theirs
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
# Types in signatures are linked where their name is unique.
suppress_warnings = ["ref.python"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True, "inherited-members": False}


def without_module(text):
    """The extension module is where a class is made, not where users find it."""
    return text.replace("espalier._espalier.", "espalier.") if text else text


def process_docstring(app, what, name, obj, options, lines):
    # Of a property the extension module says its type first.
    found = re.match(r"\(self\) -> (.+)", lines[0]) if lines else None
    if found:
        lines[0] = f"`{without_module(found[1])}`"
    lines[:] = as_rst([without_module(line) for line in lines])


def process_signature(app, what, name, obj, options, signature, result):
    return without_module(signature), without_module(result)


nested = {}


def skip_member(app, what, name, obj, skip, options):
    """A class within another one is described there, unless it is of the module or known to a third."""
    if inspect.isclass(obj):
        if "." not in obj.__qualname__:
            return True
        place = (app.env.current_document.docname, name)
        return True if nested.setdefault(id(obj), place) != place else None
    return None


def setup(app):
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", process_signature)
