"""Looking at trees and rebuilding them."""

from dataclasses import replace

from iir.base import Node
from iir.builder import add, assign, at, constant, do, field, mul, parallel, stage, stencil, value_of, when
from iir.expressions import Constant, FieldAccess, ScalarRef
from iir.nodes import Stencil
from iir.traversal import children, depth, rewrite, walk
from tests.unit.iir.test_printer import everything


def ir() -> Stencil:
    body = (
        assign("t", add("u", mul(2.0, value_of("alpha")))),
        when("c", assign("v", "w"), orelse=(assign("x", 1.0),)),
    )
    return stencil("s", (field("u"),), parallel(stage(do(*body))))


def test_walk_is_in_program_order() -> None:
    leaves = [node for node in walk(ir()) if isinstance(node, FieldAccess | ScalarRef | Constant)]
    assert leaves == [
        at("t"),
        at("u"),
        constant(2.0),
        value_of("alpha"),
        at("c"),
        at("v"),
        at("w"),
        at("x"),
        constant(1.0),
    ]
    assert next(walk(ir())) == ir()


def test_children_are_the_nodes_directly_below() -> None:
    statement = assign("t", add("u", 1.0))
    assert list(children(statement)) == [at("t"), add("u", 1.0)]
    assert list(children(at("u"))) == []


def test_depth_counts_nodes_on_the_longest_way_down() -> None:
    assert depth(at("u")) == 1
    assert depth(add("u", "u", "u")) == 3
    assert depth(assign("t", add("u", "u", "u"))) == 4


def test_rewrite_without_a_change_is_the_same_tree() -> None:
    tree = everything()
    assert rewrite(tree, lambda node: node) is tree


def test_rewrite_reuses_what_no_rule_changed() -> None:
    before = stencil("s", (), parallel(stage(do(assign("t", "u"))), stage(do(assign("v", "w")))))
    after = rewrite(before, lambda node: at("z") if node == at("w") else node)
    assert after.multistages[0].stages[0] is before.multistages[0].stages[0]
    assert after.multistages[0].stages[1] == stage(do(assign("v", "z")))


def test_rewrite_goes_bottom_up() -> None:
    def fold(node: Node) -> Node:
        match node:
            case Constant(value, dtype):
                return Constant(value + 1, dtype)
            case FieldAccess("u"):
                return constant(1.0)
            case _:
                return node

    assert rewrite(add("u", 1.0), fold) == add(1.0, 2.0)


def test_rewrite_keeps_spans_of_rebuilt_nodes() -> None:
    statement = replace(assign("t", "u"), span=None)
    assert rewrite(statement, lambda node: at("z") if node == at("u") else node).span is statement.span
