"""The contract of games."""

from typing import get_args

from referee.contract.game import FaultKind, FaultName


def test_names_of_faults_in_files_are_those_of_the_contract():
    assert get_args(FaultName) == tuple(FaultKind)
