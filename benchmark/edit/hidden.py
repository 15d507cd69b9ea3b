"""The hidden test of a task, as source text: what it is written in, and which checks it promises to make."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

PASSED, FAILED = "VALIDATION_PASSED", "VALIDATION_FAILED"  # what imported tests print
_CHECK = re.compile(r"\bt\.(?:check|equal|near|between|exists)\(\s*(\"(?P<name>[^\"\n]+)\"|(?P<other>[^\s,)]+))")
_CALLED = re.compile(r"(?<!\bt)\.([a-z_]\w*)\(")
_READ = re.compile(r"(?<!\bt)\.([a-z_]\w*)\b(?!\()")
_FUNCTION = re.compile(r"^func\s+(\w+)", re.MULTILINE)
_OF_LISTS = {"size"}
_TEST = re.compile(r"^func\s+(test_\w+)\s*\(\s*t\b", re.MULTILINE)


@dataclass(frozen=True)
class KitTest:
    """One of ours, written with the kit. Its parameters are those of the variant."""

    source: str
    parameters: dict[str, Any] = field(default_factory=dict)
    kind: Literal["kit"] = "kit"

    @property
    def checks(self) -> tuple[str, ...]:
        """The names of all its checks, in order. Each must be made and hold, or the submission has not passed."""
        return tuple(dict.fromkeys(match["name"] for match in _CHECK.finditer(_without_comments(self.source))
                                   if match["name"]))  # fmt: skip

    @property
    def unnamed(self) -> tuple[str, ...]:
        """Checks whose name is not written out, so that nobody could miss them."""
        return tuple(match["other"] for match in _CHECK.finditer(_without_comments(self.source)) if match["other"])

    @property
    def methods(self) -> tuple[str, ...]:
        """What it calls on objects of the project, maybe: such calls are forwarded. Nothing that it also reads."""
        return tuple(sorted(self._called - self._read))

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """Names that it calls and reads. They are taken for properties, so lists may be asked so, but no object."""
        return tuple(sorted((self._called & self._read) - _OF_LISTS))

    @property
    def _called(self) -> set[str]:
        return set(_CALLED.findall(_without_comments(self.source)))

    @property
    def _read(self) -> set[str]:
        return set(_READ.findall(_without_comments(self.source)))

    def function_of(self, check: str) -> str:
        """The function in which a check stands, a helper maybe."""
        before = self.source.partition(f'"{check}"')[0]
        found: list[str] = _FUNCTION.findall(before)
        return found[-1] if found else ""

    @property
    def functions(self) -> tuple[str, ...]:
        return tuple(_TEST.findall(self.source))


@dataclass(frozen=True)
class ImportedTest:
    """One of the public benchmark: a scene with a script that prints one of two words and quits.

    `files` are laid over the submission; the script among them only as an empty stand-in.
    """

    source: str
    files: dict[str, bytes]
    path: str = "scripts/test.gd"
    scene: str = "scenes/test.tscn"
    kind: Literal["imported"] = "imported"

    def with_words(self, passed: str, failed: str) -> str:
        """The source with the words of this run in place of the ones that anybody knows."""
        return self.source.replace(PASSED, passed).replace(FAILED, failed)


HiddenTest = KitTest | ImportedTest


def _without_comments(source: str) -> str:
    return re.sub(r"^\s*#.*$", "", source, flags=re.MULTILINE)


def read_kit_test(path: Path, parameters: dict[str, Any]) -> KitTest:
    """From a package's `tests/test.gd`."""
    return KitTest(path.read_text(encoding="utf-8"), parameters)
