"""Arithmetic and comparisons written by others (score formulas, gates), evaluated without `eval`.

Only numbers, known names, + - * /, min and max; and, where truth is asked for, comparisons with and/or/not.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmark.errors import BenchmarkError

MAX_LENGTH = 4000
MAX_PARTS = 600
MAX_CONSTANT = 1e12  # a whole number may have thousands of digits, and then it is no float

_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {"min": min, "max": max}


class ExpressionError(BenchmarkError):
    """The expression is not one of ours, or cannot be evaluated for these values."""


@dataclass(frozen=True)
class Expression:
    """A parsed expression; `names` are the values it needs."""

    text: str
    tree: ast.expr
    names: frozenset[str]

    def value(self, values: Mapping[str, float]) -> float:
        """Its number. Division by zero and results that are not finite are errors, never a made-up number."""
        try:
            result = _number(self.tree, values)
        except ZeroDivisionError as error:
            raise ExpressionError(f"{self.text!r} divides by zero") from error
        if not math.isfinite(result):
            raise ExpressionError(f"{self.text!r} gives {result}")
        return result

    def holds(self, values: Mapping[str, float]) -> bool:
        """Its truth."""
        try:
            return _truth(self.tree, values)
        except ZeroDivisionError as error:
            raise ExpressionError(f"{self.text!r} divides by zero") from error


def parse_formula(text: str) -> Expression:
    """An expression with a number as result."""
    return _parse(text, truth=False)


def parse_condition(text: str) -> Expression:
    """An expression that holds or does not, such as `overall >= 0.4 and build >= 0.95`."""
    return _parse(text, truth=True)


def _parse(text: str, *, truth: bool) -> Expression:
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"an expression of {len(text)} characters; at most {MAX_LENGTH} are allowed")
    try:
        tree = ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"{text!r} is not an expression: {getattr(error, 'msg', error)}") from error
    if sum(1 for _ in ast.walk(tree)) > MAX_PARTS:
        raise ExpressionError(f"{text[:60]!r}… has more than {MAX_PARTS} parts")
    names: set[str] = set()
    _check(tree, text, names, truth)
    return Expression(text, tree, frozenset(names))


def _check(node: ast.expr, text: str, names: set[str], truth: bool) -> None:
    match node:
        case ast.BoolOp(values=values) if truth:
            parts, below = values, True
        case ast.UnaryOp(op=ast.Not(), operand=operand) if truth:
            parts, below = [operand], True
        case ast.Compare(left=left, ops=ops, comparators=others) if truth and _COMPARISONS.keys() >= set(
            map(type, ops)
        ):
            parts, below = [left, *others], False
        case _ if truth:
            raise ExpressionError(f"{text!r}: {ast.unparse(node)!r} is not a comparison", fix="e.g. overall >= 0.4")
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            if abs(value) > MAX_CONSTANT:
                raise ExpressionError(f"{text[:60]!r}: a number larger than {MAX_CONSTANT:g} stands in it")
            return
        case ast.Name(id=name):
            names.add(name)
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            parts, below = [left, right], False
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            parts, below = [operand], False
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS and args:
            parts, below = args, False
        case _:
            raise ExpressionError(
                f"{text!r}: {ast.unparse(node)!r} is not allowed; numbers, names, + - * /, min() and max() are"
            )
    for part in parts:
        _check(part, text, names, below)


def _number(node: ast.expr, values: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            if name not in values:
                raise ExpressionError(f"{name!r} is not known here; known are {', '.join(sorted(values))}")
            return float(values[name])
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](_number(left, values), _number(right, values))
        case ast.UnaryOp(op=op, operand=operand):
            return -_number(operand, values) if isinstance(op, ast.USub) else _number(operand, values)
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name]([_number(argument, values) for argument in args])
    raise AssertionError(ast.dump(node))  # _check lets nothing else pass


def _truth(node: ast.expr, values: Mapping[str, float]) -> bool:
    match node:
        case ast.BoolOp(op=op, values=parts):
            results = [_truth(part, values) for part in parts]
            return all(results) if isinstance(op, ast.And) else any(results)
        case ast.UnaryOp(operand=operand):
            return not _truth(operand, values)
        case ast.Compare(left=left, ops=ops, comparators=others):
            numbers = [_number(part, values) for part in (left, *others)]
            return all(_COMPARISONS[type(op)](a, b) for op, a, b in zip(ops, numbers, numbers[1:], strict=False))
    raise AssertionError(ast.dump(node))
