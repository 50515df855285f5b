from referee.testing import conformance

test_conformance = conformance("trails")
