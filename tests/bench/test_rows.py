# SPDX-License-Identifier: BSD-3-Clause
import json

import pytest

from sheaf_tools.bench import rows

COMMON = {"bench": "tile_io", "mpi": "ompi4", "ranks": 4, "fs": "tmpfs", "dir": "/dev/shm",
          "seed": 1}  # fmt: skip


def raw(metric="write", impl="mpi", seconds=1.0, mebibytes=100, operations=1):
    return {"bench": "tile_io", "case": "64B", "metric": metric, "impl": impl, "ranks": 4,
            "seed": 1, "seconds": seconds, "bytes": mebibytes * rows.MIB,
            "operations": operations, "settings": {"tile_rows": 8}}  # fmt: skip


def results(*sides):
    commits = {side: f"commit-of-{side}" for side in sides}
    return rows.Results(COMMON, {"pairs": 3}, commits)


def test_values_have_the_unit_of_their_metric():
    assert rows.measured_value(raw("write", seconds=0.5)) == 200
    assert rows.measured_value(raw("time", seconds=0.5, operations=50)) == pytest.approx(10000)
    assert rows.measured_value(raw("memory", mebibytes=7)) == 7


def test_memory_that_did_not_grow_can_still_be_compared():
    assert rows.measured_value(raw("memory", mebibytes=0)) == rows.MEMORY_FLOOR_MIB


def three_pairs():
    measured = results("sheaf", "host")
    for pair, (ours, theirs) in enumerate([(1.0, 2.0), (0.5, 1.0), (1.0, 4.0)]):
        measured.add("sheaf", pair, [raw(seconds=ours), raw(impl="posix", seconds=0.5)])
        measured.add("host", pair, [raw(seconds=theirs), raw(impl="posix", seconds=0.25)])
    return measured


def test_one_row_per_side_with_all_runs():
    by_impl = {row["impl"]: row for row in three_pairs().rows()}
    assert by_impl["sheaf"]["runs"] == [100, 200, 100]
    assert by_impl["sheaf"]["value"] == 100
    assert by_impl["host"]["runs"] == [50, 100, 25]
    assert by_impl["posix"]["runs"] == [200, 200, 200, 400, 400, 400]
    assert by_impl["host"]["commit"] == "commit-of-host"
    assert by_impl["sheaf"]["settings"] == {"tile_rows": 8, "pairs": 3}


def test_posix_is_compared_within_the_same_launch():
    by_name = {line["vs"]: line for line in three_pairs().summaries()}
    assert by_name["host"]["ratio"] == 2
    assert by_name["posix"]["ratio"] == 0.5


def test_everything_written_is_valid_json_of_the_promised_shape():
    measured = three_pairs()
    for row in measured.rows():
        rows.validate_row(json.loads(json.dumps(row)))
        assert list(row) == list(rows.ROW_FIELDS)
    for line in measured.summaries():
        rows.validate_summary(json.loads(json.dumps(line)))
        assert list(line) == list(rows.SUMMARY_FIELDS)


def test_a_peer_given_up_is_a_row_without_value_and_no_summary():
    measured = results("sheaf", "host")
    measured.add("sheaf", 0, [raw()])
    measured.give_up("host", "not finished in 180 s")
    by_impl = {row["impl"]: row for row in measured.rows()}
    assert by_impl["host"]["value"] is None
    assert by_impl["host"]["settings"]["given_up"] == "not finished in 180 s"
    rows.validate_row(by_impl["host"])
    assert list(measured.summaries()) == []


def test_another_revision_is_a_side_like_any_other():
    measured = results("sheaf", "sheaf@main")
    measured.add("sheaf", 0, [raw(seconds=1)])
    measured.add("sheaf@main", 0, [raw(seconds=3)])
    (line,) = measured.summaries()
    assert (line["vs"], line["ratio"]) == ("sheaf@main", 3)
    rows.validate_summary(line)


GOOD_ROW = next(three_pairs().rows())
GOOD_SUMMARY = next(three_pairs().summaries())


@pytest.mark.parametrize("change", [
    {"impl": "romio"}, {"unit": "us"}, {"metric": "speed"}, {"ranks": "4"}, {"ranks": True},
    {"value": None}, {"runs": []}, {"runs": [1, -1]}, {"runs": [1, "2"]}, {"extra": 1},
])  # fmt: skip
def test_wrong_rows_are_refused(change):
    rows.validate_row(GOOD_ROW)
    with pytest.raises(ValueError):
        rows.validate_row({**GOOD_ROW, **change})


@pytest.mark.parametrize("change", [{"ci_low": 3}, {"ci_high": 1}, {"ci_low": 0}, {"vs": "mpi"}])
def test_wrong_summaries_are_refused(change):
    rows.validate_summary(GOOD_SUMMARY)
    with pytest.raises(ValueError):
        rows.validate_summary({**GOOD_SUMMARY, **change})


@pytest.mark.parametrize("name", list(rows.ROW_FIELDS))
def test_no_field_may_be_missing(name):
    with pytest.raises(ValueError):
        rows.validate_row({key: value for key, value in GOOD_ROW.items() if key != name})
