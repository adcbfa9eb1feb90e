"""Calls with what should be refused end in a result or an exception: a few seconds of fuzz_calls.py
with a fixed seed. Minutes are run by hand."""

import fuzz_calls

import espalier


def test_no_call_crashes():
    failures, _, runs, calls = fuzz_calls.fuzz(seconds=4, seed=1)
    assert not failures, "\n".join(failures)
    assert runs > 0 and calls > 1000


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
