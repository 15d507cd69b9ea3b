"""Become a program in the sandbox. Playwright starts the browser itself, so the browser's "program" leads here.

Run as a script, outside of the package: it knows only the file that it is given. Descriptors 3 and 4, by which
Playwright speaks to the browser, are passed on.
"""

import base64
import json
import os
import sys


def unnamed(content: bytes) -> int:
    """A file without a name that the next program inherits."""
    descriptor = os.memfd_create("options", 0)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def main(plan_file: str, arguments: list[str]) -> None:
    with open(plan_file, encoding="utf-8") as handle:  # noqa: PTH123 (pathlib would double the start of the interpreter)
        plan = json.load(handle)
    with open(plan["process_file"], "w", encoding="utf-8") as handle:  # noqa: PTH123
        handle.write(str(os.getpid()))
    options = plan["options"]
    if plan["calls"]:
        options += ["--seccomp", str(unnamed(base64.b64decode(plan["calls"])))]
    given = unnamed(b"".join(os.fsencode(option) + b"\0" for option in options))
    if plan["user"]:
        os.setgroups([])
        os.setgid(plan["user"])
        os.setuid(plan["user"])
    command = [*plan["before"], "--args", str(given), *plan["command"], *arguments]
    os.chdir("/")
    os.execve(command[0], command, {})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
