"""What the tests written in Python share: where the project is."""
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

# Hulls are computed, not remembered from an older build.
os.environ["ESPALIER_CACHE"] = "off"
