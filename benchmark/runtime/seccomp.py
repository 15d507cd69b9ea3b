"""What a sandboxed program may not ask of the kernel, as a filter that bubblewrap loads.

Which calls, and why, is in system_calls.toml. The filter is classic BPF over `struct seccomp_data`.
"""

import errno
import platform
import struct
from functools import cache
from pathlib import Path
from typing import Literal

from benchmark.limits import MAX_TOML_BYTES
from benchmark.untrusted import read_toml

Conduct = Literal["game", "agent"]

_CALLS = Path(__file__).with_name("system_calls.toml")
# machine → (column of the table, AUDIT_ARCH_*)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # x86-64 only: the same calls under other numbers

# offsets in struct seccomp_data; of an argument, the lower half
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32
_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000

# mount, cgroup, UTS, IPC, user, PID and network; time exists for unshare only, where clone has the signal number
_NEW_NAMESPACE = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_NEW_TIME_NAMESPACE = 0x00000080
_FILES, _THREAD = 0x00000400, 0x00010000  # CLONE_*; `unshare` of the first, `clone` of the second without it
_UNSHARE_FILES = 2  # CLOSE_RANGE_UNSHARE
_TYPE_INTO_TERMINAL = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX

_Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value


@cache
def system_call_filter(conduct: Conduct, machine: str = "") -> bytes | None:
    """The filter for one kind of job, or None where this machine's system calls are not in the table."""
    if (machine or platform.machine()) not in _ARCHITECTURES:
        return None
    column, architecture = _ARCHITECTURES[machine or platform.machine()]
    table = read_toml(_CALLS, MAX_TOML_BYTES)
    program: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        _fail(errno.ENOSYS),  # a 32-bit program: its calls have other numbers
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, _X32),
        _fail(errno.ENOSYS),
    ]
    for part in ("everyone", conduct):
        for kind, reason in (("refused", errno.EPERM), ("missing", errno.ENOSYS)):
            for numbers in table.get(part, {}).get(kind, {}).values():
                program += [(_EQUAL, 0, 1, numbers[column]), _fail(reason)]
    examined = {name: numbers[column] for name, numbers in table["examined"].items()}
    refuse = _fail(errno.EPERM)
    program += _examine(
        examined["clone"], _FIRST,
        [(_ANY_BIT, 0, 1, _NEW_NAMESPACE), refuse, (_AND, 0, 0, _FILES | _THREAD), (_EQUAL, 0, 1, _THREAD), refuse],
    )  # fmt: skip
    alone = _NEW_NAMESPACE | _NEW_TIME_NAMESPACE | _FILES
    program += _examine(examined["unshare"], _FIRST, [(_ANY_BIT, 0, 1, alone), refuse])
    program += _examine(examined["close_range"], _THIRD, [(_ANY_BIT, 0, 1, _UNSHARE_FILES), refuse])
    for request in _TYPE_INTO_TERMINAL:
        program += _examine(examined["ioctl"], _SECOND, [(_EQUAL, 0, 1, request), refuse])
    program.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _fail(number: int) -> _Instruction:
    return (_RETURN, 0, 0, _FAIL | number)


def _examine(number: int, argument: int, tests: list[_Instruction]) -> list[_Instruction]:
    """For this call, load an argument and run the tests, then have the number at hand again."""
    body = [(_LOAD, 0, 0, argument), *tests, (_LOAD, 0, 0, _NUMBER)]
    return [(_EQUAL, 0, len(body), number), *body]
