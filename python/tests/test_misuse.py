"""Calls with what should be refused end in a result or an exception: runs of fuzz_calls.py with fixed
seeds. Minutes are run by hand."""

import fuzz_calls
import pytest

import espalier


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_no_call_crashes(seed):
    failed, said = fuzz_calls.run_seed(seed)
    assert failed is None, failed
    assert "result" in said


def test_a_crash_is_seen(monkeypatch):
    monkeypatch.setenv("ESPALIER_FUZZ_CRASH_AT", "50")
    failed, _ = fuzz_calls.run_seed(1)
    assert failed is not None and "ends with -" in failed and "crash on purpose" in failed


def test_remarks_that_were_handed_out_stay():
    remarks = espalier.Diagnostics()
    remarks.add(espalier.Diagnostic(what="a remark that is too long to be kept in place"))
    first = remarks.all[0]
    for _ in range(100):
        remarks.add(espalier.Diagnostic(what="another"))
    assert first.what == "a remark that is too long to be kept in place"
