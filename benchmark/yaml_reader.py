"""YAML as plain values: texts, numbers, true and false, lists, tables. Nothing else, and nothing twice.

The library's own safe loader follows aliases without end, lets a later key win over an earlier one, and makes dates.
"""

import re
from typing import Any

import yaml

_PREFIX = "tag:yaml.org,2002:"
_SCALARS = {f"{_PREFIX}{kind}" for kind in ("str", "int", "float", "bool", "null")}
_MERGE = f"{_PREFIX}merge"


class _Loader(yaml.SafeLoader):
    pass


# `no`, `on` and dates stay texts: a slug or a word of a game is not to become something else.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag in _SCALARS | {_MERGE} and not tag.endswith(":bool")]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(f"{_PREFIX}bool", re.compile("^(?:true|True|false|False)$"), list("tTfF"))


def load_plain(text: str, most: int) -> Any:
    """Raises ValueError, with the line, also for more than `most` values: what an alias stands for counts each time."""
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            return None if node is None else _Reading(loader, most).value(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        raise ValueError(f"{where}{getattr(error, 'problem', None) or error}") from error


class _Reading:
    def __init__(self, loader: _Loader, most: int) -> None:
        self._loader = loader
        self._most = most
        self._count = 0

    def value(self, node: yaml.Node) -> Any:
        self._count += 1
        if self._count > self._most:
            raise ValueError(f"holds more than {self._most} values, with its aliases written out")
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_PREFIX}map":
            return self._table(node)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_PREFIX}seq":
            return [self.value(one) for one in node.value]
        if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
            return self._loader.construct_object(node)
        raise ValueError(f"line {node.start_mark.line + 1}: {node.tag} is not taken")

    def _table(self, node: yaml.MappingNode) -> dict[Any, Any]:
        merged: dict[Any, Any] = {}
        own: dict[Any, Any] = {}
        for key, value in node.value:
            if key.tag == _MERGE:
                for one in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    found = self.value(one)
                    if not isinstance(found, dict):
                        raise ValueError(f"line {key.start_mark.line + 1}: << wants a table")
                    merged = {**found, **merged}
                continue
            name = self.value(key)
            if isinstance(name, int) and not isinstance(name, bool):
                name = str(name)
            if not isinstance(name, str):
                raise ValueError(f"line {key.start_mark.line + 1}: {name!r} is no name of an entry")
            if name in own:
                raise ValueError(f"line {key.start_mark.line + 1}: {name!r} is there twice")
            own[name] = self.value(value)
        return {**merged, **own}
