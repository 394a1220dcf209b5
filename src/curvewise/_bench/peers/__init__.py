"""Searches of other tools beside ours: the same candidates, in the same order, one thread."""

from curvewise._bench.peers.adapters import PEERS, Peer
from curvewise._bench.peers.roster import Numbered, Roster

__all__ = ["PEERS", "Numbered", "Peer", "Roster"]
