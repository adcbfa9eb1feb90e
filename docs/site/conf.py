"""Sphinx's settings for the site of scripts/docs: the pages of docs/ and the reference of the Python
package, beside Doxygen's reference in cpp/."""
import re

project = "Espalier"
copyright = "the Espalier authors"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "sidebar_width": "260px", "fixed_sidebar": True}
html_show_sourcelink = False
html_copy_source = False
add_module_names = False
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True, "inherited-members": False}


def as_rst(lines):
    """Our docstrings are plain text: lines with an indent are kept as they are, `name` is code, and no
    other sign means anything."""
    result, is_kept = [], False
    for line in lines:
        indented = line.startswith(" ")
        if indented and not is_kept:
            result += ["", "::", ""]
        elif not indented and is_kept and line:
            result.append("")
        is_kept = indented or (is_kept and not line)
        result.append("   " + line if indented else plain(line))
    return result


def plain(line):
    """Text in which only `name` and a doctest mean something to Sphinx."""
    if line.startswith((">>>", "...")):
        return line
    parts = re.split(r"(``[^`]+``|`[^`]+`)", line)
    return "".join("``" + part.strip("`") + "``" if part.startswith("`") and part.endswith("`")
                   and len(part) > 2 else re.sub(r"([\\*`|_])", r"\\\1", part) for part in parts)


def without_module(text):
    """The extension module is where a class is made, not where users find it."""
    return text.replace("espalier._espalier.", "espalier.") if text else text


def process_docstring(app, what, name, obj, options, lines):
    # Of a property the extension module says its type first.
    found = re.match(r"\(self\) -> (.+)", lines[0]) if lines else None
    if found:
        lines[0] = f"`{without_module(found[1])}`"
    lines[:] = as_rst(lines)


def process_signature(app, what, name, obj, options, signature, result):
    return without_module(signature), without_module(result)


def setup(app):
    app.connect("autodoc-process-docstring", process_docstring)
    app.connect("autodoc-process-signature", process_signature)
