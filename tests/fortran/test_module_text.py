"""The text of modules: intents as the spec says, line and name lengths, the same bytes each time."""

import json
import re
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from fparser.common.readfortran import FortranStringReader
from fparser.two import Fortran2003
from fparser.two.parser import ParserFactory
from fparser.two.utils import FortranSyntaxError, walk

from backends.fortran.document import document_text
from backends.fortran.module_text import module_text
from backends.fortran.spec import LibrarySpec, StencilSpec, stencil_spec
from stencil import from_iir
from tests.fortran.forms import STENCILS
from tests.fortran.reference_programs import reference_programs

SCHEMA: Final = Path(__file__).parents[2] / "docs" / "driver-interface.schema.json"
WORD: Final = re.compile(r"\w+")


def specs() -> tuple[StencilSpec, ...]:
    irs = (*(f.iir for f in STENCILS), *reference_programs().values())
    # With a workspace, so that texts hold all that they can hold.
    return tuple(stencil_spec(ir, has_workspace=number % 2 == 0) for number, ir in enumerate(irs))


LIBRARY: Final = LibrarySpec("programs", "x86-64-v3", specs())
BY_NAME: Final = {spec.name: spec for spec in LIBRARY.stencils}
PARSED: Final = LibrarySpec(
    "parsed", "x86-64-v3", tuple(BY_NAME[name] for name in ("switched", "half_levels", "size"))
)
ONE: Final = LibrarySpec("one", "x86-64-v3", (BY_NAME["half_levels"],))


def declared_intents(text: str) -> dict[str, dict[str, str]]:
    """The intent of each argument of each subroutine, as a Fortran parser reads them."""
    parse = ParserFactory().create(std="f2008")
    tree = parse(FortranStringReader(text, ignore_comments=True))
    found: dict[str, dict[str, str]] = {}
    for subroutine in walk(tree, Fortran2003.Subroutine_Subprogram):
        (head,) = walk(subroutine, Fortran2003.Subroutine_Stmt)
        own = found.setdefault(str(head.items[1]), {})
        for declaration in walk(subroutine, Fortran2003.Type_Declaration_Stmt):
            intents = [str(item.items[1]) for item in walk(declaration, Fortran2003.Intent_Attr_Spec)]
            for entity in walk(declaration, Fortran2003.Entity_Decl):
                if intents:
                    own[str(entity.items[0])] = intents[0].lower()
    return found


def without_directives(text: str) -> str:
    """What is compiled where nothing is defined."""
    return re.sub(r"^#ifdef.*?^#else\n|^#endif\n", "", text, flags=re.MULTILINE | re.DOTALL)


def test_a_parser_of_fortran_finds_the_intents_of_the_spec() -> None:
    found = declared_intents(without_directives(module_text(PARSED)))
    document = json.loads(document_text(PARSED))
    for stencil in document["stencils"]:
        has_logicals = any(item["kind"] == "bool" for item in (*stencil["fields"], *stencil["scalars"]))
        for procedure in stencil["procedures"].values():
            for ending in ("_c", "_l") if has_logicals else ("",):
                intents = found[procedure + ending]
                for field in stencil["fields"]:
                    assert intents[field["dummy"]] == field["fortran_intent"]
                for scalar in stencil["scalars"]:
                    assert intents[scalar["dummy"]] == "in"


def test_a_broken_module_is_not_parsed() -> None:
    text = without_directives(module_text(ONE)).replace("intent(inout)", "intent(inout", 1)
    with pytest.raises(FortranSyntaxError):
        declared_intents(text)


def test_an_intent_that_is_another_is_noticed() -> None:
    text = without_directives(module_text(ONE))
    changed = text.replace("intent(inout), target :: out(:, :, :)", "intent(in), target :: out(:, :, :)", 1)
    assert changed != text
    assert declared_intents(changed)["half_levels_run"]["out"] == "in"


def test_lines_and_names_are_as_long_as_fortran_allows() -> None:
    text = module_text(LIBRARY)
    assert max(map(len, text.splitlines())) <= 132
    assert max(map(len, WORD.findall(text))) <= 63


def test_texts_are_the_same_each_time() -> None:
    again = LibrarySpec("programs", "x86-64-v3", specs())
    assert module_text(again) == module_text(LIBRARY)
    assert document_text(again) == document_text(LIBRARY)


def test_documents_obey_the_published_schema() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(document_text(LIBRARY)), schema)


@pytest.mark.parametrize(
    ("key", "value"), [("fortran_intent", "out"), ("intent", "out"), ("levels", "nk+0"), ("more", 1)]
)
def test_documents_that_say_something_else_break_the_schema(key: str, value: Any) -> None:
    document = json.loads(document_text(ONE))
    document["stencils"][0]["fields"][0][key] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, json.loads(SCHEMA.read_text()))


def test_arguments_whose_names_fortran_cannot_tell_apart_get_others() -> None:
    ir = from_iir(
        "stencil s(u: f64[IJK], U: f64[IJK], rc: f64[IJK], first_point: f64)\n"
        "  multistage parallel\n    stage\n      do [start, end)\n        U = u + rc * first_point\n"
    ).iir
    document = json.loads(document_text(LibrarySpec("s", "native", (stencil_spec(ir),))))
    (stencil,) = document["stencils"]
    dummies = [item["dummy"] for item in (*stencil["fields"], *stencil["scalars"])]
    assert dummies == ["u", "U_", "rc_", "first_point_"]
