"""The contract's own words."""

from typing import get_args

from referee.game import FaultKind, FaultName


def test_files_name_faults_as_the_contract_does():
    assert get_args(FaultName) == tuple(FaultKind)
