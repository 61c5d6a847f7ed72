"""Passes from IIR to IIR; a pipeline is a tuple of them."""

from typing import Final

from iir.passes.eliminate_dead_code import eliminate_dead_code
from iir.passes.flatten_conditionals import flatten_conditionals
from iir.passes.fold_constants import fold_constants
from iir.passes.hold_outputs import hold_outputs
from iir.passes.merge_multistages import merge_multistages
from iir.passes.merge_stages import merge_stages
from iir.passes.prune_unreachable import prune_unreachable
from iir.passes.recompute_temporaries import recompute_temporaries
from iir.passes.relax_loop_order import relax_loop_order
from iir.passes.split_multistages import split_multistages
from iir.passes.split_stages import split_stages
from iir.passes.version_fields import version_fields
from iir.passes.zero_unset_temporaries import zero_unset_temporaries
from iir.pipeline import Pass

DEFAULT: Final[tuple[Pass, ...]] = (
    fold_constants,
    prune_unreachable,
    eliminate_dead_code,
    flatten_conditionals,
    version_fields,
    zero_unset_temporaries,
    split_multistages,
    relax_loop_order,
    merge_multistages,
    split_stages,
    merge_stages,
    recompute_temporaries,
    merge_stages,
    eliminate_dead_code,
    hold_outputs,
)
"""From what the front end emits to what back ends schedule (`verify` with ``scheduled=True``).

Temporaries are recomputed when stages are known: then it shows which statements share a loop. Stages
that have lost statements may be joined after that.

Dead code is eliminated at the end for more than speed: where nobody reads a temporary any more its statement
would run on the domain, and might then reach further than the front end's program.
"""
