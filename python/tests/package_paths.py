"""Where the project is, and the build tree with the package; the name conftest would be that of tests/, too."""
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("ESPALIER_BUILD", ROOT / "build" / "release"))
