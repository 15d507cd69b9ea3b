"""A `/usr` tree to run programs from: the private root that `setup` lays out, or the machine's own."""

import platform
import shutil
from dataclasses import dataclass
from pathlib import Path

# machine → (multiarch folder, dynamic loader), for the two architectures Godot is packaged on
_ARCHITECTURES = {
    "x86_64": ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "aarch64": ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}


@dataclass(frozen=True)
class Userland:
    """Programs and the libraries they were linked against belong together; this names both."""

    root: Path

    @property
    def is_host(self) -> bool:
        return self.root == Path("/")

    def program(self, name: str) -> Path | None:
        """The host path of a program of this userland, or None."""
        if self.is_host:
            found = shutil.which(name)
            return Path(found) if found else None
        path = self.root / "usr/bin" / name
        return path if path.exists() else None

    def inside(self, program: Path) -> str:
        """Where a program of this userland is seen when the userland stands as /usr."""
        return str(program) if self.is_host else f"/{program.relative_to(self.root)}"

    def command(self, program: Path) -> tuple[str, ...]:
        """Start `program` without a sandbox; a private root brings its own loader and libraries."""
        if self.is_host:
            return (str(program),)
        multiarch, loader = _ARCHITECTURES.get(platform.machine(), _ARCHITECTURES["x86_64"])
        libraries = self.root / "usr/lib" / multiarch
        search = f"{libraries}:{libraries / 'pulseaudio'}"
        return (str(libraries / loader), "--library-path", search, str(program))

    def environment(self) -> dict[str, str]:
        """What graphics programs need to find their data when the root does not stand as /usr."""
        if self.is_host:
            return {}
        multiarch, _ = _ARCHITECTURES.get(platform.machine(), _ARCHITECTURES["x86_64"])
        return {
            "LIBGL_DRIVERS_PATH": str(self.root / "usr/lib" / multiarch / "dri"),
            "__EGL_VENDOR_LIBRARY_DIRS": str(self.root / "usr/share/glvnd/egl_vendor.d"),
            "XKB_CONFIG_ROOT": str(self.root / "usr/share/X11/xkb"),
            "FONTCONFIG_SYSROOT": str(self.root),
        }


HOST = Userland(Path("/"))
