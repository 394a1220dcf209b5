"""What an attacker would try, as lists; ``python -m tests.attacks`` runs all of it."""
