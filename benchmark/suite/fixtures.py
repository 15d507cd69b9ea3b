"""The fixtures of trials, from `fixtures/`: loaded by path, because a package of that name may be anybody's."""

import importlib.util
from collections.abc import Iterator
from types import ModuleType

from benchmark.bundled import bundled
from benchmark.tracks import track_names


def fixture_modules() -> Iterator[tuple[str, ModuleType]]:
    """By the name under which pytest knows them: what all trials have, then what those of one of our tracks have."""
    for name in ("suite", *track_names()):
        path = bundled("fixtures") / f"{name}.py"
        if path.is_file():
            spec = importlib.util.spec_from_file_location(f"gamecraft_fixtures_{name}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            yield spec.name, module
