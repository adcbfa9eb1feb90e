"""Calls with what should be refused end in a result or an exception: a few seconds of fuzz_calls.py
with a fixed seed. Minutes are run by hand."""

import fuzz_calls


def test_no_call_crashes():
    failures, _, runs, calls = fuzz_calls.fuzz(seconds=4, seed=1)
    assert not failures, "\n".join(failures)
    assert runs > 0 and calls > 1000


def test_a_crash_is_seen(monkeypatch):
    monkeypatch.setenv("ESPALIER_FUZZ_CRASH_AT", "50")
    failed, _ = fuzz_calls.run_seed(1)
    assert failed is not None and "ends with -" in failed and "crash on purpose" in failed
