"""What the extension module asks of the processor, looked at before it is loaded: code for x86-64-v3
ends the process on an older one, which nobody could catch."""

import platform
from pathlib import Path

# What x86-64-v3 has beyond v2, as Linux spells it.
NEEDED = ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")
CPUINFO = Path("/proc/cpuinfo")


def missing(cpuinfo: str) -> list[str]:
    """Those of NEEDED that the first processor of /proc/cpuinfo lacks; [] where nothing is told."""
    for line in cpuinfo.splitlines():
        name, _, flags = line.partition(":")
        if name.strip() == "flags":
            return [flag for flag in NEEDED if flag not in flags.split()]
    return []


def require() -> None:
    """Raises ImportError where this processor cannot run the extension module."""
    if platform.machine() not in ("x86_64", "AMD64") or not CPUINFO.is_file():
        return
    lacking = missing(CPUINFO.read_text())
    if lacking:
        raise ImportError(
            f"this processor lacks {', '.join(lacking)}; Espalier is built for x86-64-v3 "
            "(Intel since 2013, AMD since 2015)"
        )
