"""The architecture as it is drawn in ARCHITECTURE.md: who may import whom, read from the source."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchmark
from benchmark.tracks import track_names

ROOT = Path(benchmark.__file__).parent
TRACKS = tuple(path.parent.name for path in sorted(ROOT.glob("*/track.py")))  # a new one needs no line here
# From the bottom to the top. Each may import from its own layer's package and from layers above it in this list.
LAYERS = (
    ("bundled", "errors", "redaction"),
    (
        "authoring", "checked", "expressions", "files", "jsonl", "limits", "package_paths", "paths",
        "progress", "tasks", "text", "tracks", "trials", "untrusted", "versions", "yaml_reader",
    ),
    ("runtime",),
    ("assets", "cache"),
    ("projects",),
    ("replay",),
    ("workbench",),
    ("agents", "judges"),
    ("results",),
    ("running", "verify_run"),
    ("project_trial",),
    TRACKS,
    ("public_benchmarks",),
    ("suite",),
    ("commands",),
    ("cli",),
    ("__main__",),
)  # fmt: skip
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
# Names that bring no other part of the benchmark: constants of the package itself.
FREE = {"benchmark"}


def part_of(module: str) -> str:
    """`benchmark.replay.evidence` → `craft`."""
    return [*module.split("."), "benchmark"][1]


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Modules of the benchmark that a file imports when it runs; what is for the type checker alone does not count."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names if name.name.startswith("benchmark"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("benchmark"):
            names = node.names if node.module == "benchmark" else ()
            yield from ((f"benchmark.{name.name}", node.lineno) for name in names)
            if not names:
                yield node.module or "", node.lineno
        waiting += ast.iter_child_nodes(node)


def sources() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).parts[0].removesuffix(".py"), path


def test_every_part_has_its_layer() -> None:
    parts = {part for part, _ in sources()} - {"__init__"}
    assert parts == HEIGHT.keys() & parts, f"place them in LAYERS: {sorted(parts - HEIGHT.keys())}"
    assert HEIGHT.keys() <= parts, f"no longer there: {sorted(HEIGHT.keys() - parts)}"


def test_nothing_imports_from_a_layer_above_it() -> None:
    wrong = []
    for part, path in sources():
        for module, line in imports(path):
            other = part_of(module)
            if part == "__init__" or other == part or other.startswith("__") or other in FREE:
                continue
            if HEIGHT[other] > HEIGHT[part]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {module}")
    assert not wrong, "\n".join(wrong)


def test_parts_do_not_import_each_other_in_a_circle() -> None:
    edges: dict[str, set[str]] = {}
    for part, path in sources():
        found = {part_of(module) for module, _ in imports(path)} - {part} - FREE
        edges.setdefault(part, set()).update(one for one in found if not one.startswith("__"))
    left = dict(edges)
    while left:
        free = [part for part, below in left.items() if not below & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for part in free:
            del left[part]


def keys_of_other_tables(tree: ast.AST) -> set[int]:
    """Names of tracks are ordinary words: of a table that has other keys too, they are no track's name."""
    tables = [node.keys for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    values = [[key.value for key in keys if isinstance(key, ast.Constant)] for keys in tables]
    others = [keys for keys, said in zip(tables, values, strict=True) if set(said) - set(track_names())]
    return {id(key) for keys in others for key in keys}


@pytest.mark.parametrize("track", track_names())
def test_shared_code_says_no_track_s_name(track: str) -> None:
    """But for tracks and commands nobody asks for one by its name: adding a track is adding a folder."""
    said = []
    for part, path in sources():
        if part in (*TRACKS, "commands"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = keys_of_other_tables(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value == track and id(node) not in words:
                said.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not said, "\n".join(said)


def test_only_commands_import_a_track() -> None:
    """A command may be about one track. All else asks the registry, also what stands above the tracks."""
    parts = {part for part, _ in sources()} - {*TRACKS, "commands"}
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for part, path in sources()
        for module, line in imports(path)
        if part in parts and part_of(module) in TRACKS
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("track", TRACKS)
def test_a_track_imports_no_other(track: str) -> None:
    """They stand side by side: what two of them use belongs below them."""
    files = [path for part, path in sources() if part == track]
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files
        for module, line in imports(path)
        if part_of(module) in set(TRACKS) - {track}
    ]
    assert files
    assert not found, "\n".join(found)


def test_no_two_classes_have_one_name() -> None:
    """Whoever reads `Finding` somewhere should not have to ask which."""
    places = defaultdict(list)
    for _, path in sources():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    twins = {name: where for name, where in places.items() if len(where) > 1}
    assert not twins
