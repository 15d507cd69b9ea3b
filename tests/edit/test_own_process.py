"""A test that looks at its own process instead of the project's is refused before it runs."""

import pytest

from benchmark.edit.hidden import KitTest
from benchmark.edit.test_source import wrong_process


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("if node is CPUParticles2D:", 't.is_a(object, "CPUParticles2D")'),
        ("if node is not Timer:", 't.is_a(object, "Timer")'),
        ("var button = node as Button", 't.is_a(object, "Button")'),
        ("var button: Button = node", "leave the type out"),
        ("func _place(node: Node2D):", "leave the type out"),
        ("func _button(t) -> Button:", "leave the type out"),
        ("if is_instance_valid(node):", "t.alive(object)"),
        ("node.free()", "t.free_now(object)"),
        ("var body = CharacterBody2D.new()", 't.make("CharacterBody2D"'),
        ('AudioServer.get_bus_index("Music")', 't.engine("AudioServer").get_bus_index'),
        ("OS.delay_msec(1)", 't.engine("OS").delay_msec'),
        ('FileAccess.file_exists("user://a")', "t.text_of, t.has_file, t.write"),
        ('var scene = load("res://main.tscn")', "t.resource"),
        ('const SCENE = preload("res://main.tscn")', "t.resource"),
        ("node.changed.connect(func(): pass)", "t.watch(object, signal)"),
        ("node.changed.emit(1)", "object.emit_signal"),
    ],
)
def test_a_form_that_means_the_wrong_process_is_named(line: str, instead: str) -> None:
    ((_, said),) = wrong_process(line)
    assert instead in said


@pytest.mark.parametrize(
    "line",
    [
        "if name is String and place is Vector2:",
        "var event = InputEventKey.new()",
        "var color = Color.from_hsv(0.5, 1, 1)",
        "t.equal('shape', node.shape, CPUParticles2D.EMISSION_SHAPE_SPHERE)",
        "const NAMES = []\nfunc _f():\n\treturn NAMES.size()",
        't.check("the label is Label.text", true)  # AudioServer.bus_count',
        "var found: Array = []",
        "node.queue_free()",
    ],
)
def test_values_and_constants_may_be_used(line: str) -> None:
    assert list(wrong_process(line)) == []


def test_only_what_is_called_and_not_read_is_forwarded() -> None:
    test = KitTest(
        "\tt.picture()\n\tbed.water(3)\n\tbed.size()\n\tbed.size.x\n\tbed.crop\n\tbed.sleep()\n\tbed.sleep\n"
    )
    assert test.methods == ("water",)
    assert test.ambiguous == ("sleep",)
