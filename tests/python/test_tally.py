"""scripts/lib/tally.py: reports of ctest and pytest are added up, and nothing bad is lost."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts/lib"))
import tally  # noqa: E402

CTEST = """<testsuite>
<testcase name="A.Good" classname="A.Good" status="run"><system-out>fine</system-out></testcase>
<testcase name="A.Bad" classname="A.Bad" status="fail"><failure message=""/></testcase>
<testcase name="A.Skip" classname="A.Skip" status="notrun">
<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
<system-out>[ RUN      ] A.Skip
tests/a.cpp:5: Skipped
no robots
here
[  SKIPPED ] A.Skip (0 ms)</system-out></testcase>
<testcase name="Script" classname="Script" status="notrun">
<skipped message="SKIP_RETURN_CODE=77"/><system-out>no compiler</system-out></testcase>
<testcase name="Off" classname="Off" status="disabled"/>
<testcase name="Lost" classname="Lost" status="notrun">
<skipped message="Unable to find executable"/></testcase>
</testsuite>"""

PYTEST = """<testsuites><testsuite>
<testcase classname="test_a" name="test_good"/>
<testcase classname="test_a" name="test_bad"><failure message="1 != 2"/></testcase>
<testcase classname="test_a" name="test_broken"><error message="no fixture"/></testcase>
<testcase classname="test_a" name="test_skip"><skipped type="pytest.skip" message="no wheel"/></testcase>
</testsuite></testsuites>"""


def run(tmp_path, capsys, *reports):
    paths = []
    for number, text in enumerate(reports):
        path = tmp_path / f"{number}.xml"
        path.write_text(text)
        paths.append(str(path))
    code = tally.main(paths)
    return code, capsys.readouterr().out.splitlines()


def test_both_kinds_are_added_up(tmp_path, capsys):
    code, lines = run(tmp_path, capsys, CTEST, PYTEST)
    assert code == 1
    assert lines[-1] == "2 passed, 4 failed, 4 skipped"
    assert "failed: A.Bad" in lines and "failed: test_a.test_broken" in lines


def test_a_test_that_could_not_start_has_failed(tmp_path, capsys):
    _, lines = run(tmp_path, capsys, CTEST)
    assert "failed: Lost" in lines


def test_each_reason_is_said_once(tmp_path, capsys):
    _, lines = run(tmp_path, capsys, CTEST, PYTEST, PYTEST)
    assert lines.count("skipped 2 x: no wheel") == 1
    assert "skipped 1 x: no robots here" in lines
    assert "skipped 1 x: no compiler" in lines


def test_all_good_is_zero(tmp_path, capsys):
    good = '<testsuite><testcase classname="t" name="a"/></testsuite>'
    assert run(tmp_path, capsys, good) == (0, ["1 passed, 0 failed, 0 skipped"])


def test_no_report_and_no_test_are_failures(tmp_path, capsys):
    assert tally.main([str(tmp_path / "absent.xml")]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed, 0 skipped"
    assert run(tmp_path, capsys, "<testsuite/>")[0] == 1
