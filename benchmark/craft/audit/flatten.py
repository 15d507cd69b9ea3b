"""`plain`: pictures lose what is drawn on them and keep their size and their mean colour."""

import re
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmark.tasks import Task

_PIXELS = {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga"}
_SVG_SIZE = re.compile(r"<svg\b[^>]*>", re.S)
_ATTRIBUTE = re.compile(r'\b(width|height|viewBox)\s*=\s*"([^"]*)"')
_COLOUR = re.compile(r"#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")


def flatten_images(task: Task, project: Path) -> None:
    """Every image file of the project. One that cannot be read stays as it is."""
    for path in sorted(project.rglob("*")):
        if path.suffix.lower() in _PIXELS:
            _flatten(path)
        elif path.suffix.lower() == ".svg":
            path.write_text(_flat_svg(path.read_text(encoding="utf-8", errors="replace")), encoding="utf-8")


def _flatten(path: Path) -> None:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        return
    flat = np.empty((*picture.shape[:2], 3), np.uint8)
    flat[:] = mean_colour(np.asarray(picture))
    path.unlink()  # a submission's files may be read-only
    cv2.imwrite(str(path), flat)


def mean_colour(picture: NDArray[np.generic]) -> NDArray[np.uint8]:
    """Blue, green, red; what is transparent does not count."""
    pixels = picture.astype(np.float64) * (255 / 65535 if picture.dtype == np.uint16 else 1)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    weights = pixels[..., 3] if pixels.shape[2] == 4 else np.ones(pixels.shape[:2])
    if weights.sum() == 0:
        weights = np.ones(pixels.shape[:2])
    mean = (pixels[..., :3] * weights[..., None]).sum(axis=(0, 1)) / weights.sum()
    return np.asarray(mean.round(), np.uint8)


def _flat_svg(text: str) -> str:
    """A rectangle over the whole drawing, in the mean of the colours that the file names."""
    found = _SVG_SIZE.search(text)
    given = dict(_ATTRIBUTE.findall(found.group())) if found else {}
    colours = [_channels(code) for code in _COLOUR.findall(text)] or [(128, 128, 128)]
    mean = [round(sum(channel) / len(colours)) for channel in zip(*colours, strict=True)]
    size = " ".join(f'{name}="{value}"' for name, value in given.items())
    left, top, width, height = (given.get("viewBox", "0 0 100% 100%").replace(",", " ").split() + ["0"] * 4)[:4]
    shape = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="rgb({mean[0]},{mean[1]},{mean[2]})"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{shape}</svg>\n'


def _channels(code: str) -> tuple[int, int, int]:
    whole = code if len(code) == 6 else "".join(digit * 2 for digit in code)
    return int(whole[:2], 16), int(whole[2:4], 16), int(whole[4:], 16)
