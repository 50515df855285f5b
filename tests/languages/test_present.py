"""A missing compiler skips a test, except for the promised languages in continuous integration."""

from languages.present import missing, needs


def is_skipped(*names: str) -> bool:
    return bool(needs(*names).args[0])


def test_a_missing_compiler_skips_a_test_and_names_its_package(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    assert missing("java") == "javac is not installed: sudo apt install default-jdk-headless"
    assert is_skipped("java")
    assert is_skipped("go", "java")
    assert needs("go", "pascal").kwargs["reason"] == (
        "go is not installed: sudo apt install golang-go; fpc is not installed: sudo apt install fpc"
    )


def test_continuous_integration_skips_nothing_that_is_promised(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", "true")
    for name in ("cpp", "pascal", "java", "javascript"):
        assert not is_skipped(name)
    assert is_skipped("go")
    assert not is_skipped("go", "java")
