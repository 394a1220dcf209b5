"""What an attacker would try: hostile candidates, files and requests, and whether it is contained.

    python -m tests.attacks                                   all of them, as tables
    python -m tests.attacks --kind candidates --on processes  one kind; candidates on one executor
    python -m tests.attacks --kind stores --cases 5000        so many stores, as seeds say

`SECURITY.md` says for each promise which kinds of attack are about it. Hostile candidates have a
module of their own (`tests.attacks.hostile_candidates`). Each of the other kinds is a module that
offers ``attacks(folder, n_cases)`` (`tests.attacks.attack`); `KINDS` has them.
The test suite runs a short form of each.
"""

KINDS = ("stores", "files", "models", "tables", "spaces", "curves", "pages", "network")
