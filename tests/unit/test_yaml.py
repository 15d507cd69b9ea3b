"""YAML that strangers wrote: plain values, nothing twice, and an end."""

import pytest

from benchmark.untrusted import UnreadableFileError, parse_yaml


def test_plain_values_come_as_they_stand() -> None:
    text = "a: 1\nb: [x, no, true, 2020-01-01, 1.5]\nc: {<<: {d: 2, e: 9}, e: 3}\nd: &n [1]\nf: *n"
    assert parse_yaml(text) == {
        "a": 1, "b": ["x", "no", True, "2020-01-01", 1.5], "c": {"d": 2, "e": 3}, "d": [1], "f": [1],
    }  # fmt: skip


BOMB = "- &b [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"- &{name} [{','.join([f'*{last}'] * 10)}]\n" for last, name in zip("bcdefghi", "cdefghij", strict=True)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\na: 2", "line 2: 'a' is there twice"),
        ("a: !!python/object/apply:os.system [x]", "is not taken"),
        ("a: !!binary aGk=", "is not taken"),
        ("a: &a [*a]", "nested deeper"),
        ("a: &a {b: *a}", "nested deeper"),
        (BOMB, "more than 50000 values"),
        ("x: [", "line 1"),
        ("a: " + "[" * 3000, "nested deeper"),
        ("? [a]\n: b", "is no name of an entry"),
        ("a: " + "9" * 9000, "digits"),
        ("a: 1\n---\nb: 2", "another document"),
        ("\0", "line 1|special characters"),
    ],
)
def test_the_rest_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(UnreadableFileError, match=said):
        parse_yaml(text)
