#!/usr/bin/env python3
"""Adds up JUnit reports (of ctest and of pytest): what failed, what was skipped and why, how many.

    tally.py REPORT.xml...

The last line is `N passed, N failed, N skipped`. Exit code 1 if a test failed, if a report is
missing or unreadable, or if no test ran at all.
"""
import re
import sys
import xml.etree.ElementTree as xml
from collections import Counter
from itertools import takewhile


def skip_reason(case):
    """pytest says it in an attribute; GoogleTest prints it, `file:line: Skipped` before it."""
    skipped = case.find("skipped")
    if case.get("status") == "disabled":
        return "disabled in CMake or by its name"
    if skipped.get("type") == "pytest.xfail":
        return f"expected to fail: {skipped.get('message') or ''}"
    if not is_chosen(skipped):
        return skipped.get("message") or "no reason given"
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines()]
    for place, line in enumerate(lines):
        if re.search(r":\d+: Skipped$", line):
            said = takewhile(lambda words: words and words[0] != "[", lines[place + 1 :])
            return " ".join(said) or "no reason given"
    return lines[-1] if lines else "no reason given"


def state_of(case):
    skipped = case.find("skipped")
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    if case.get("status") == "disabled":
        return "skipped"
    if skipped is None:
        return "passed"
    # ctest also writes `skipped` where it could not start the test, which is no choice of the test.
    could_not_start = case.get("status") == "notrun" and not is_chosen(skipped)
    return "failed" if could_not_start else "skipped"


def is_chosen(skipped):
    return (skipped.get("message") or "").startswith("SKIP_")


def read(path):
    """[(state, test, reason)] with state one of passed, failed, skipped."""
    rows = []
    for case in xml.parse(path).getroot().iter("testcase"):
        # ctest gives the same name twice.
        name = ".".join(dict.fromkeys([case.get("classname") or "", case.get("name") or ""]))
        state = state_of(case)
        rows.append((state, name, skip_reason(case) if state == "skipped" else ""))
    return rows


def main(paths):
    rows, broken = [], []
    for path in paths:
        try:
            rows += read(path)
        except (OSError, xml.ParseError) as problem:
            broken.append(f"{path}: {problem}")
    count = Counter(state for state, _, _ in rows)
    for state, name, _ in rows:
        if state == "failed":
            print(f"failed: {name}")
    reasons = Counter(reason for state, _, reason in rows if state == "skipped")
    for reason, times in reasons.most_common():
        print(f"skipped {times} x: {reason}")
    for line in broken:
        print(f"no report: {line}")
    print(f"{count['passed']} passed, {count['failed'] + len(broken)} failed, "
          f"{count['skipped']} skipped")
    return 1 if count["failed"] or broken or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
