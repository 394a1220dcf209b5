"""The check that a change of the package has its line in the changelog, in a small repository."""

import os
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / ".ci" / "changelog"


@pytest.fixture
def repository(tmp_path):
    """A repository with one commit that has the tag ``base``."""
    (tmp_path / "src").mkdir()
    git(tmp_path, "init", "--quiet")
    commit(tmp_path, "begin", {"src/module.py": "1", "CHANGELOG.md": "", "README.md": ""})
    git(tmp_path, "tag", "base")
    return tmp_path


def git(folder, *arguments):
    author = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    committer = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    environment = {**os.environ, **author, **committer, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *arguments], cwd=folder, check=True, env=environment)


def commit(folder, message, contents):
    for name, text in contents.items():
        (folder / name).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def check(folder, *arguments):
    command = [str(CHECK), *(arguments or ["base"])]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_change_of_the_package_needs_a_line(repository):
    commit(repository, "core: faster", {"src/module.py": "2"})

    outcome = check(repository)

    assert outcome.returncode == 1
    assert "CHANGELOG.md has not" in outcome.stderr


def test_a_change_with_its_line_passes(repository):
    commit(repository, "core: faster", {"src/module.py": "2", "CHANGELOG.md": "- faster"})

    assert check(repository).returncode == 0


def test_a_change_elsewhere_needs_no_line(repository):
    commit(repository, "docs: clearer", {"README.md": "clear"})

    assert check(repository).returncode == 0


def test_a_commit_may_say_that_no_user_will_notice(repository):
    commit(repository, "core: a name\n\nChangelog: none, a private name", {"src/module.py": "2"})

    assert check(repository).returncode == 0


def test_a_base_that_does_not_exist_is_a_mistake_of_its_own(repository):
    assert check(repository, "nowhere").returncode == 2
