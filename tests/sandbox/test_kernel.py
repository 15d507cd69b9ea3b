"""What a program in the sandbox may not ask of the kernel, and where it cannot write."""

import shutil
import struct
from dataclasses import replace

import pytest

from benchmark.runtime.enforcement import enforced_limits, reason_without_groups
from benchmark.runtime.machine import Machine
from benchmark.runtime.sandbox import PlainProcess
from benchmark.runtime.seccomp import Conduct, system_call_filter
from benchmark.runtime.workdir import work_folder
from fixtures.attacks import Saw
from tests.sandbox.conftest import AGENT, GAME, Attacker, results

pytestmark = pytest.mark.engine
BOTH = pytest.mark.parametrize("conduct", ["game", "agent"])
FORK, THREAD, NEW_USER = 17, 0x3D0F00, 0x10000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# name → number on x86-64, on 64-bit ARM
CALLS = {
    "write": (1, 64), "openat": (257, 56), "futex": (202, 98), "mmap": (9, 222), "execve": (59, 221),
    "unshare": (272, 97), "clone": (56, 220), "clone3": (435, 435), "setns": (308, 268), "mount": (165, 40),
    "shmget": (29, 194), "io_uring_setup": (425, 425), "memfd_create": (319, 279), "ptrace": (101, 117),
    "ioctl": (16, 29), "keyctl": (250, 219), "userfaultfd": (323, 282), "bpf": (321, 280),
}  # fmt: skip
OK, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026


def answer(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What a filter says of a call: the few instructions of classic BPF that ours has."""
    data = struct.pack("=iIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    instructions = list(struct.iter_unpack("=HBBI", program))
    value = at = 0
    while True:
        code, yes, no, operand = instructions[at]
        at += 1
        if code == 0x06:
            return int(operand)
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x54:
            value &= operand
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: value & operand != 0}[code]
            at += yes if holds else no


@pytest.mark.parametrize("column", [0, 1], ids=list(ARCHITECTURES))
def test_the_filter_says_the_same_on_every_processor(column: int) -> None:
    name, architecture = list(ARCHITECTURES.items())[column]
    game, agent = system_call_filter("game", name), system_call_filter("agent", name)
    assert game is not None
    assert agent is not None

    def ask(program: bytes, call: str, *arguments: int) -> int:
        return answer(program, architecture, CALLS[call][column], *arguments)

    for program in (game, agent):
        for call in ("write", "openat", "futex", "mmap", "execve"):
            assert ask(program, call) == OK
        assert {ask(program, call) for call in ("setns", "mount", "keyctl", "userfaultfd", "bpf")} == {EPERM}
        assert {ask(program, call) for call in ("clone3", "shmget", "io_uring_setup")} == {ENOSYS}
        assert (ask(program, "clone", FORK), ask(program, "clone", THREAD)) == (OK, OK)
        assert ask(program, "clone", FORK | NEW_USER) == ask(program, "unshare", NEW_USER) == EPERM
        assert (ask(program, "ioctl", 0, 0x5401), ask(program, "ioctl", 0, 0x5412)) == (OK, EPERM)
        assert answer(program, ARCHITECTURES["x86_64" if column else "aarch64"], CALLS["write"][column]) == ENOSYS
    assert (ask(game, "memfd_create"), ask(game, "ptrace")) == (ENOSYS, EPERM)
    assert (ask(agent, "memfd_create"), ask(agent, "ptrace")) == (OK, OK)


def test_there_is_no_filter_for_a_processor_whose_calls_are_not_known() -> None:
    assert system_call_filter("game", "riscv64") is None


def test_doctor_says_who_keeps_which_limit(machine: Machine) -> None:
    limits = {limit.name: limit.keeper for limit in enforced_limits(machine)}
    assert {limits[name] for name in ("namespaces, mounts, keys …", "files in memory, their size", "threads")} == {
        "kernel"
    }
    assert limits["an agent's disk"] == "polled"
    assert limits["memory of a tree"] == ("polled" if reason_without_groups() else "kernel")
    assert "missing" not in limits.values()
    without = enforced_limits(replace(machine, sandbox=PlainProcess(machine.userland)))
    assert "network, other files, other processes" in {limit.name for limit in without if limit.keeper == "missing"}


@BOTH
@pytest.mark.attack("{conduct}: a namespace of its own, by six calls", "none is given, it can still fork")
def test_no_namespace_can_be_made(attacker: Attacker, conduct: Conduct, saw: Saw) -> None:
    said = results(attacker("namespaces", conduct=conduct)[0])
    saw(said)
    assert said.pop("fork") == "ok"
    assert len(said) >= 4
    assert all(result in ("EPERM", "ENOSYS") for result in said.values()), said


@BOTH
@pytest.mark.attack("{conduct}: mounts, keys, bpf, io_uring, shared memory of System V …", "refused")
def test_what_nobody_needs_is_refused(attacker: Attacker, conduct: Conduct, saw: Saw) -> None:
    said = results(attacker("calls", conduct=conduct)[0])
    saw(said)
    mine = {name: said.pop(name) for name in ("ptrace", "memfd_create")}
    assert len(said) > 12
    assert all(result in ("EPERM", "ENOSYS") for result in said.values()), said
    assert mine == ({"ptrace": "EPERM", "memfd_create": "ENOSYS"} if conduct == "game" else dict.fromkeys(mine, "ok"))


@pytest.mark.attack("a thread with open files of its own, where nobody counts them", "refused")
def test_all_threads_share_their_open_files(attacker: Attacker, saw: Saw) -> None:
    said = results(attacker("own-descriptors", conduct="agent")[0])
    saw(said)
    assert said == {"unshare": "EPERM", "clone": "EPERM", "close_range": "EPERM"}


@pytest.mark.attack("a file on every mount, until it is full", "three places, each full at 128 MiB")
def test_every_writable_mount_has_a_size(attacker: Attacker, saw: Saw) -> None:
    said, _ = attacker("everywhere", limits=AGENT, conduct="agent")
    saw(said)
    assert sorted(said.splitlines()) == ["/dev/shm 128 MiB", "/home 128 MiB", "/tmp 128 MiB"]


@pytest.mark.attack("300,000 empty files in memory", "disk limit")
def test_empty_files_in_memory_are_counted(attacker: Attacker, saw: Saw) -> None:
    _, ended = attacker("many-files", "/tmp", "300000", "0")
    saw(ended)
    assert ended == "ended at its disk limit"


@pytest.mark.attack("settings of the kernel, its log, its signals", "nothing can be opened for writing")
def test_settings_of_the_kernel_cannot_be_changed(attacker: Attacker, saw: Saw) -> None:
    said = results(attacker("settings")[0])
    saw(said)
    assert len(said) == 7
    assert "ok" not in said.values()


@pytest.mark.attack("setuid(0), in a program with the setuid bit", "stays who it is")
def test_nothing_makes_it_root(attacker: Attacker, saw: Saw) -> None:
    with work_folder("setuid", on_disk=True) as folder:
        folder.chmod(0o755)
        program = folder / "attack"
        shutil.copyfile(attacker.program, program)
        program.chmod(0o4755)  # root's, if the tests run as root
        said = results(replace(attacker, program=program)("root", conduct="agent")[0])
    saw(said)
    assert said == {"euid": "65534", "setuid": "EINVAL"}


@pytest.mark.attack("taking over the sandbox's own first process", "the same limits and filter hold there")
def test_the_first_process_has_the_limits_too(attacker: Attacker, saw: Saw) -> None:
    said, _ = attacker("take-over")
    saw(said)
    assert said.splitlines()[1:] == ["limited", "limited", "filtered"]


@pytest.mark.attack("a file of 1 TiB without content", "EFBIG")
def test_a_sparse_file_ends_at_the_limit(attacker: Attacker, saw: Saw) -> None:
    said = results(attacker("sparse", "/tmp", limits=GAME)[0])
    saw(said)
    assert said == {"ftruncate": "EFBIG", "pwrite": "EFBIG"}
