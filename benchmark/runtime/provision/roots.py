"""Private roots: packages with all they need, fetched without root rights and laid into one folder of the cache."""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from benchmark.errors import SetupError
from benchmark.paths import beside, cache_root
from benchmark.progress import Progress
from benchmark.runtime.provision.apt import PackageFile, PrivateApt
from benchmark.runtime.provision.layout import Manifest, runtime_folder, write_manifest


def unpack_root(
    apt: PrivateApt, packages: tuple[str, ...], name: str, unpack_factor: float, progress: Progress
) -> tuple[Path, Manifest]:
    """Fetch and unpack into `NAME.partial`, which nobody uses before `finish_root` has renamed it.

    `unpack_factor` is the unpacked size over the download size.
    """
    archives = apt.plan(packages)
    _announce(archives, apt.suite, name, unpack_factor, progress)
    apt.download(packages, progress.update)
    partial = beside(runtime_folder() / name, ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    apt.unpack(archives, partial, progress.update)
    for folder in ("bin", "lib", "lib64"):  # the layout every Debian program expects
        if not (partial / folder).exists():
            (partial / folder).symlink_to(f"usr/{folder}")
    manifest = Manifest(
        requested=packages,
        suite=apt.suite,
        versions={archive.package: archive.version for archive in archives},
        fetched_bytes=sum(archive.size_bytes for archive in archives),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return partial, manifest


def finish_root(apt: PrivateApt, partial: Path, manifest: Manifest) -> None:
    """Give a root that has been found to work its final name, and drop the downloads it came from."""
    write_manifest(partial, manifest)
    os.sync()  # a power cut must not leave a complete-looking manifest over empty files
    final = partial.with_name(partial.name.removesuffix(".partial"))
    if final.exists():
        shutil.rmtree(final)
    partial.rename(final)
    shutil.rmtree(apt.home, ignore_errors=True)


def _announce(archives: list[PackageFile], suite: str, name: str, unpack_factor: float, progress: Progress) -> None:
    size = sum(archive.size_bytes for archive in archives)
    need = round(size * (1 + unpack_factor))
    free = shutil.disk_usage(cache_root()).free
    progress.say(
        f"fetching {len(archives)} packages, {size / 1e6:.0f} MB, from the {suite} suite; "
        f"unpacked about {size * unpack_factor / 1e6:.0f} MB in {runtime_folder() / name}"
    )
    if free < need:
        raise SetupError(
            f"{need / 1e6:.0f} MB are needed below {cache_root()}, {free / 1e6:.0f} MB are free",
            fix="free some space, or set GAMECRAFT_CACHE to a folder on a larger disk",
        )
