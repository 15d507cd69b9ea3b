"""What CONTRIBUTING.md asks of the code and no linter checks."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmark", "fixtures", "examples", "tests")
MANY = 4


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def values_with_many_fields() -> set[str]:
    fields = defaultdict(set)
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(one) for one in node.decorator_list):
                fields[node.name].add(sum(isinstance(one, ast.AnnAssign) for one in node.body))
    return {name for name, counts in fields.items() if min(counts) > MANY}


def test_values_with_many_fields_are_built_by_keyword() -> None:
    """A few leading fields may stand by position, as in `Event("key_press", 10, keycode="A")`."""
    names = values_with_many_fields()
    assert "TrialRecord" in names
    found = []
    for path, tree in sources():
        for node in (one for one in ast.walk(tree) if isinstance(one, ast.Call)):
            by_place = len(node.args) > MANY or any(isinstance(one, ast.Starred) for one in node.args)
            if by_place and ast.unparse(node.func).rpartition(".")[2] in names:
                found.append(f"{path}:{node.lineno}: {ast.unparse(node.func)}")
    assert not found, "\n".join(found)
