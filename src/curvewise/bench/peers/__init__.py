"""Searches of other tools beside ours: the same candidates, in the same order, one thread."""

from curvewise.bench.peers.adapters import PEERS, Peer
from curvewise.bench.peers.roster import Numbered, Roster

__all__ = ["PEERS", "Numbered", "Peer", "Roster"]
