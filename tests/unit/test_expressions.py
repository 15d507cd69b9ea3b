"""Formulas and gates: what is allowed, what is refused, and that nothing is ever executed."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.expressions import ExpressionError, parse_condition, parse_formula


def test_a_formula_is_arithmetic_over_names() -> None:
    formula = parse_formula("BUILD * (0.15*((M1+M2)/2)\n + 0.85*max(D1, min(V1, 1)))")
    assert formula.names == {"BUILD", "M1", "M2", "D1", "V1"}
    assert formula.value({"BUILD": 1, "M1": 1, "M2": 0, "D1": 0.2, "V1": 0.4}) == pytest.approx(0.075 + 0.34)
    assert parse_formula("-x + +3").value({"x": 1}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "M1.__class__", "M1 if 1 else 2", "[M1]", "'a'*9", "lambda: 1", "M1 ** 9",
        "9 % 2", "M1 // 2", "True", "M1 < 2", "f(M1)", "max()", "max(*M1)", "max(M1, key=M1)", "(x := 2)", "", "M1 +",
        "(" * 400 + "1" + ")" * 400, "1+" * 3000 + "1", "1j",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_formula(text).value({"M1": 1.0})


@pytest.mark.attack("a formula or a gate with a number of {digits} digits", "refused, no exception of another kind")
@pytest.mark.parametrize("digits", [13, 400, 3990])
def test_a_number_that_is_no_float_is_refused(digits: int) -> None:
    for parse, text in ((parse_formula, "9" * digits), (parse_condition, f"x >= {'9' * digits}")):
        with pytest.raises(ExpressionError, match="a number larger than"):
            parse(text)
    with pytest.raises(ExpressionError, match="a number larger than"):
        parse_formula("1e400 - 1e400")


def test_a_number_is_never_made_up() -> None:
    with pytest.raises(ExpressionError, match="divides by zero"):
        parse_formula("1/x").value({"x": 0})
    with pytest.raises(ExpressionError, match="nan"):
        parse_formula("x").value({"x": math.nan})
    with pytest.raises(ExpressionError, match="'y' is not known here; known are x"):
        parse_formula("y").value({"x": 1})


def test_conditions_compare() -> None:
    gate = parse_condition("overall >= 0.4 and (build >= 0.95 or not trials > 3) and 0 <= M < 1")
    assert gate.holds({"overall": 0.4, "build": 0.9, "trials": 3, "M": 0})
    assert not gate.holds({"overall": 0.39, "build": 1, "trials": 3, "M": 0})


@pytest.mark.parametrize("text", ["overall", "1", "overall >= 0.4 and 1", "overall in build", "overall is 1", "not 1"])
def test_a_condition_needs_comparisons(text: str) -> None:
    with pytest.raises(ExpressionError, match="not a comparison"):
        parse_condition(text)


@given(st.text(max_size=60))
def test_no_text_is_executed_or_crashes(text: str) -> None:
    for parse in (parse_formula, parse_condition):
        try:
            parse(text)
        except ExpressionError:
            continue


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_the_published_formula_is_a_weighted_mean(values: list[float]) -> None:
    m, d, v, a = values
    formula = parse_formula("BUILD * (0.15*M1 + 0.35*D1 + 0.15*V1 + 0.35*A1)")
    result = formula.value({"BUILD": 1, "M1": m, "D1": d, "V1": v, "A1": a})
    assert result == pytest.approx(0.15 * m + 0.35 * d + 0.15 * v + 0.35 * a)
    assert min(values) - 1e-9 <= result <= max(values) + 1e-9
