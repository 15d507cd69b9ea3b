"""What a hidden test must not write, because it would mean its own process."""

import re
from collections.abc import Iterator

# Types whose values are copied, and classes that are only data or tools: these may be used as everywhere.
_VALUES = {
    "AABB", "Array", "Basis", "Callable", "Color", "Dictionary", "NodePath", "PackedByteArray", "PackedColorArray",
    "PackedFloat32Array", "PackedFloat64Array", "PackedInt32Array", "PackedInt64Array", "PackedStringArray",
    "PackedVector2Array", "PackedVector3Array", "PackedVector4Array", "Plane", "Projection", "Quaternion", "Rect2",
    "Rect2i", "String", "StringName", "Transform2D", "Transform3D", "Variant", "Vector2", "Vector2i", "Vector3",
    "Vector3i", "Vector4", "Vector4i",
}  # fmt: skip
_TOOLS = {"Curve", "Curve2D", "Curve3D", "Geometry2D", "Geometry3D", "Image", "JSON", "RegEx", "RegExMatch"}
_EVENT = re.compile(r"InputEvent\w*")
_STRING = re.compile(r'&?"(?:\\.|[^"\\\n])*"')
_CONSTANT = re.compile(r"^const\s+(\w+)", re.MULTILINE)

_TYPE = r"(?P<type>[A-Z]\w*)"
_CAST = re.compile(rf"\b(?P<form>is not|is|as)\s+{_TYPE}")
_TYPED = re.compile(rf"(?P<form>:|->)\s*{_TYPE}\b(?!\.)")
_MEMBER = re.compile(rf"(?<![\w.$]){_TYPE}\.(?P<member>[a-z_]\w*)")
_INSTEAD = {
    r"\bis_instance_valid\(": "is_instance_valid() asks about a proxy: t.alive(object)",
    r"\.free\(": "free() is for a proxy: t.free_now(object)",
    r"\.(?:dis)?connect\(": "a signal of another process cannot be connected: t.watch(object, signal)",
    r"\.emit\(": 'a signal of another process is emitted with object.emit_signal("name", …)',
    r"\.is_connected\(|\.get_signal_connection_list\(": "t.is_connected_to(object, signal, target, method)",
    r"(?<![\w.])(?:pre)?load\(": "load() reads files of the test's own process: t.resource(path)",
    r"(?<![\w.])get_tree\(": "a test is in no tree: ask a node of the project",
    r"\.(?:get_instance_id|set_script|to_string|call_deferred|set_deferred)\(": "it would be asked of a proxy",
}
_FILES = {"FileAccess": "t.text_of, t.has_file, t.write", "DirAccess": "t.remove", "ResourceLoader": "t.resource"}


def wrong_process(source: str) -> Iterator[tuple[str, str]]:
    """Each form that would silently be about the test's own process, and what to write instead."""
    bare = re.sub(r"#.*$", "", _STRING.sub('""', source), flags=re.MULTILINE)
    constants = set(_CONSTANT.findall(source))
    for match in _CAST.finditer(bare):
        if not _is_local(match["type"]):
            yield match[0], f'an object of the project is a proxy here: t.is_a(object, "{match["type"]}")'
    for match in _TYPED.finditer(bare):
        if not _is_local(match["type"]) and match["type"] not in constants:
            yield match[0], "an object of the project is a proxy here: leave the type out"
    for match in _MEMBER.finditer(bare):
        if not _is_local(match["type"]) and match["type"] not in constants:
            yield match[0], _instead_of_member(match["type"], match["member"])
    for form, instead in _INSTEAD.items():
        for match in re.finditer(form, bare):
            yield match[0], instead


def _is_local(name: str) -> bool:
    return name in _VALUES or name in _TOOLS or _EVENT.fullmatch(name) is not None


def _instead_of_member(name: str, member: str) -> str:
    if name in _FILES:
        return f"a file of the test's own process: {_FILES[name]}"
    if member == "new":
        return f'it would be made in the test\'s own process: t.make("{name}", {{"property": value}})'
    return f'it belongs to the test\'s own process: t.engine("{name}").{member}'
