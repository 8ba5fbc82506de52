"""Free memory, as the kernel and the control groups report it."""

from __future__ import annotations

from pathlib import Path

from support.needs import needs

from tabwarden.memory import free_memory_mb, memory_of_trees

MB = 1 << 20
MACHINE = {"proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable:    8192000 kB\n"}


def told(root: Path, files: dict[str, str]) -> float | None:
    for name, text in {**MACHINE, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "ascii")
    return free_memory_mb(root)


def group(folder: str, most: str, used: int, droppable: int) -> dict[str, str]:
    """The files of a control group of version 2."""
    return {
        f"{folder}/memory.max": f"{most}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": f"anon 1\ninactive_file {droppable}\n",
    }


def test_free_memory_without_control_group_limits_is_the_machines(tmp_path: Path) -> None:
    assert told(tmp_path, {}) == 8000


def test_tightest_control_group_limits_the_free_memory(tmp_path: Path) -> None:
    top = "sys/fs/cgroup/system.slice"
    files = {
        "proc/self/cgroup": "0::/system.slice/tabwarden.service\n",
        **group(f"{top}/tabwarden.service", "max", 900 * MB, 0),
        **group(top, str(1000 * MB), 900 * MB, 200 * MB),
    }
    assert told(tmp_path, files) == 300


def test_free_memory_uses_the_only_mounted_group_in_a_container(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/not/mounted/here\n",
        **group("sys/fs/cgroup", str(512 * MB), 500 * MB, 0),
    }
    assert told(tmp_path, files) == 12


def test_free_memory_uses_control_groups_of_version_1(tmp_path: Path) -> None:
    folder = "sys/fs/cgroup/memory/docker/abc"
    files = {
        "proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n",
        f"{folder}/memory.limit_in_bytes": str(300 * MB),
        f"{folder}/memory.usage_in_bytes": str(290 * MB),
        f"{folder}/memory.stat": f"inactive_file 1\ntotal_inactive_file {50 * MB}\n",
    }
    assert told(tmp_path, files) == 60


def test_free_memory_is_zero_when_usage_exceeds_the_limit(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/\n",
        **group("sys/fs/cgroup", str(100 * MB), 200 * MB, 0),
    }
    assert told(tmp_path, files) == 0


def test_free_memory_is_none_on_a_system_that_does_not_report_it(tmp_path: Path) -> None:
    assert free_memory_mb(tmp_path) is None


@needs("linux")
def test_free_memory_is_known_on_this_machine() -> None:
    free = free_memory_mb()
    assert free is not None
    assert free > 0


def test_memory_of_trees_adds_up_the_processes_of_each_tree(tmp_path: Path) -> None:
    def process(pid: int, parent: int, name: str, file: str, kb: int) -> None:
        folder = tmp_path / f"proc/{pid}"
        folder.mkdir(parents=True)
        (folder / "stat").write_text(f"{pid} ({name}) S {parent} {pid} 0")
        key = "Pss:" if file == "smaps_rollup" else "VmRSS:"
        (folder / file).write_text(f"Rss:  1 kB\n{key}  {kb} kB\n")

    process(10, 1, "chrome", "smaps_rollup", 100)
    process(11, 10, "a) b (c", "smaps_rollup", 20)
    process(12, 11, "renderer", "status", 3)  # it hides its parts
    process(13, 1, "another", "smaps_rollup", 5000)
    (tmp_path / "proc/meminfo").write_text("")
    assert memory_of_trees([10, 99], tmp_path) == {10: 123 * 1024, 99: 0}
    assert memory_of_trees([], tmp_path) == {}
