"""The refusals in the code of a rulebook, with the rules that they cite. The code is read, not run."""

from __future__ import annotations

import ast
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

import msgspec

from ledger import rulebooks
from ledger.kernel.language.phrase import Phrase
from ledger.kernel.rules.rulebook import Rulebook

_REFUSING = {"Impossible", "RuleBroken", "require", "require_now"}
"""The calls with a rule, the sentence in English and the sentence in French, perhaps after a condition."""
_SHORT = Phrase("the account has less than the amount", "le compte a moins que le montant")
"""The sentence for `require_funds(account, commodity, amount, rule)`: the kernel has the words."""


class CodeRefusal(NamedTuple):
    """A refusal in the code: the ids of the rules that it may cite, the sentence, and the file and line.

    Without ids, the rule is that of a card or of a question.
    """

    rules: tuple[str, ...]
    text: Phrase
    source: str


class _Scope(NamedTuple):
    module: ModuleType
    function: ast.FunctionDef | None


def refusals_of(rulebook: Rulebook[Any]) -> list[CodeRefusal]:
    """Return the refusals in the code of the rulebook's game, by file and line."""
    return sorted(_Reader(rulebook).refusals(), key=lambda refusal: refusal.source)


class _Reader:
    def __init__(self, rulebook: Rulebook[Any]) -> None:
        self.rulebook = rulebook
        self.package = f"{rulebooks.__name__}.{rulebook.engine}"
        self.calls: dict[str, list[tuple[ast.Call, _Scope]]] = defaultdict(list)
        """The calls in the code of the game, by the name of the function or class."""
        self.results: dict[str, list[tuple[ast.expr, _Scope]]] = defaultdict(list)
        """The results of the functions of the game, by the name of the function."""
        for name, module in sorted(sys.modules.items()):
            if f"{name}.".startswith(f"{self.package}."):
                self._read(module)
        self.roles: dict[str, set[str]] = defaultdict(set)
        """The rules of each role of an edition."""
        for shared in rulebook.shared.values():
            self._collect_roles(msgspec.to_builtins(getattr(shared, "rules", {})))

    def refusals(self) -> Iterator[CodeRefusal]:
        for name in (*_REFUSING, "require_funds"):
            for call, scope in self.calls[name]:
                is_funds = name == "require_funds"
                least = 1 if name.startswith("require") else 0
                if len(call.args) < (4 if is_funds else least + 3):
                    continue
                rule = call.args[3 if is_funds else least]
                text = _SHORT if is_funds else Phrase(*map(_sentence, call.args[least + 1 : least + 3]))
                file = scope.module.__name__.removeprefix(f"{self.package}.").replace(".", "/")
                cited = tuple(dict.fromkeys(self._rules(rule, scope, set())))
                yield CodeRefusal(cited, text, f"{file}.py:{call.lineno:03}")

    def _read(self, module: ModuleType) -> None:
        tree = ast.parse(inspect.getsource(module))
        scopes: dict[ast.Call, _Scope] = {}
        # The walk goes from outer to inner functions, so that the innermost function counts.
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.FunctionDef):
                scope = _Scope(module, node if isinstance(node, ast.FunctionDef) else None)
                scopes.update((call, scope) for call in ast.walk(node) if isinstance(call, ast.Call))
            if isinstance(node, ast.FunctionDef):
                results = (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
                self.results[node.name].extend((value, scope) for value in results)
        for call, scope in scopes.items():
            self.calls[ast.unparse(call.func).rpartition(".")[2]].append((call, scope))

    def _collect_roles(self, named: dict[str, Any]) -> None:
        for role, rule in named.items():
            if isinstance(rule, str):
                self.roles[role].add(rule)
            else:
                self._collect_roles(rule)

    def _rules(self, rule: Any, scope: _Scope, visited: set[Any]) -> Iterator[str]:
        """Yield the ids of an expression for a rule, or of a value: parameters are followed to the callers."""
        if isinstance(rule, ast.AST):
            if rule in visited:
                return
            visited.add(rule)
        match rule:
            case str():
                yield from [rule] if rule in self.rulebook.register else sorted(self.roles.get(rule, ()))
            case dict():
                for value in rule.values():
                    yield from self._rules(value, scope, visited)
            case ast.Constant(value=str(value)):
                yield from self._rules(value, scope, visited)
            case ast.Name(id=name):
                for value, place in self._values(name, scope):
                    yield from self._rules(value, place, visited)
            case ast.IfExp(body=first, orelse=second) | ast.BoolOp(values=[first, second]):
                yield from self._rules(first, scope, visited)
                yield from self._rules(second, scope, visited)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=args):
                for value in (table, *args):
                    yield from self._rules(value, scope, visited)
            case ast.Call(func=function, args=args):
                called = ast.unparse(function).rpartition(".")[2]
                # The role alone counts in `cite(state, role, square)`: its results have the roles of all calls.
                results = [(value, scope) for value in args[1:2]] if called == "cite" else self.results[called]
                for value, place in results:
                    yield from self._rules(value, place, visited)
            case ast.Subscript(value=table):
                yield from self._rules(table, scope, visited)

    def _values(self, name: str, scope: _Scope) -> Iterator[tuple[Any, _Scope]]:
        function = scope.function
        if function is not None:
            for node in ast.walk(function):
                yield from ((value, scope) for target, value in _assigned(node) if ast.unparse(target) == name)
            parameters = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
            if name in parameters:
                position = parameters.index(name) - (parameters[0] in {"self", "cls"})
                for call, caller in self.calls[function.name]:
                    values = [each.value for each in call.keywords if each.arg == name]
                    values = values or call.args[position : position + 1]
                    yield from ((value, caller) for value in values)
                    if not values and name in (defaults := _defaults(function)):
                        yield defaults[name], scope
                return
        yield getattr(scope.module, name, None), scope


def _defaults(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return the default of each parameter that has one."""
    arguments = function.args
    last = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    named = [
        *zip(last, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {parameter.arg: value for parameter, value in named if value is not None}


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            yield from zip(targets, values, strict=True)
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value


def _sentence(template: ast.expr) -> str:
    """Return the template of an expression; several alternatives with " / " between them."""
    words = [each.value for each in ast.walk(template) if isinstance(each, ast.Constant)]
    return " / ".join(word for word in words if isinstance(word, str)) or ast.unparse(template)
