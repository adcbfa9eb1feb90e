"""scripts/check_isa.py: an inline function without v4 in its name is found in a wide object."""
import shutil
import subprocess

import check_isa
import pytest

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")


@pytest.fixture
def compiled(tmp_path):
    def build(name, text):
        source = tmp_path / name
        source.write_text(text)
        subprocess.run(["c++", "-std=c++20", "-c", source, "-o", f"{source}.o"], check=True)
        objects, found = check_isa.breaches(tmp_path)
        return len(objects), [function for _, function in found]

    return build


def test_a_shared_inline_function_leaks(compiled):
    text = """
        inline double twice(double x) { return x + x; }
        namespace lib::inline v4 { double four(double x) { return twice(twice(x)); } }
        """
    assert compiled("kernel_v4.cpp", text) == (1, ["twice(double)"])


def test_named_and_private_functions_do_not(compiled):
    text = """
        #include <cmath>
        namespace lib::inline v4 {
        struct Pack { double x; };
        inline Pack twice(Pack p) { return {p.x + p.x}; }
        template <class T> T same(T t) { return t; }
        Pack four(Pack p) { return same(twice(twice(p))); }
        }
        static double mine(double x) { return std::sqrt(x); }
        namespace { double hidden(double x) { return mine(x); } }
        double root_v4(double x) { return hidden(x); }
        """
    assert compiled("kernel_v4.cpp", text) == (1, [])


def test_other_objects_are_not_looked_at(compiled):
    assert compiled("kernel.cpp", "double open(double x) { return x; }") == (0, [])
