"""Runs Google Benchmark programs, pinned to one core, and takes medians of thread CPU time."""

import json
import os
import statistics
import subprocess
import sys


def choose_core():
    """The last core this process may use: the first ones serve interrupts and the shell."""
    return max(os.sched_getaffinity(0))


def run_once(command, core, repetitions, min_time):
    """{benchmark: (median CPU time of one iteration in ns, its median counters)}."""
    flags = [f"--benchmark_repetitions={repetitions}", f"--benchmark_min_time={min_time}",
             "--benchmark_format=json", "--benchmark_report_aggregates_only=false"]
    done = subprocess.run([*map(str, command), *flags], capture_output=True, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stderr}")
    return _medians(json.loads(done.stdout)["benchmarks"])


_KNOWN = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads",
          "iterations", "real_time", "cpu_time", "time_unit", "family_index",
          "per_family_instance_index", "label"}
_TO_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


def _medians(rows):
    times, counters = {}, {}
    for row in rows:
        if row.get("error_occurred"):
            sys.exit(f"{row['run_name']}: {row['error_message']}")
        if row["run_type"] != "iteration":
            continue
        name = row["run_name"]
        times.setdefault(name, []).append(row["cpu_time"] * _TO_NS[row["time_unit"]])
        for key, value in row.items():
            if key not in _KNOWN and isinstance(value, (int, float)):
                counters.setdefault(name, {}).setdefault(key, []).append(value)
    return {name: (statistics.median(ts),
                   {k: statistics.median(v) for k, v in counters.get(name, {}).items()})
            for name, ts in times.items()}


def run_interleaved(programs, rounds, repetitions, min_time, core):
    """Every program once a round, there and back, so that a slow minute of the machine meets all
    of them alike; {program: {benchmark: (ns, counters)}} with medians over the rounds."""
    results = {name: {} for name in programs}
    for k in range(rounds):
        for name in (list(programs) if k % 2 == 0 else reversed(programs)):
            for benchmark, measured in run_once(programs[name], core, repetitions,
                                                min_time).items():
                results[name].setdefault(benchmark, []).append(measured)
    return {name: {benchmark: _median_of(measured) for benchmark, measured in found.items()}
            for name, found in results.items()}


def _median_of(measured):
    keys = measured[0][1]
    return (statistics.median(ns for ns, _ in measured),
            {key: statistics.median(counters[key] for _, counters in measured) for key in keys})
