"""Interaction graphs: which cards refer to, match and interact with which, as networkx graphs and as files."""

from reasoner.export.convert import to_networkx
from reasoner.export.flat import join_list, split_list
from reasoner.export.formats import FORMATS, render, write
from reasoner.export.model import Edge, InteractionGraph, Node

__all__ = [
    "FORMATS",
    "Edge",
    "InteractionGraph",
    "Node",
    "join_list",
    "render",
    "split_list",
    "to_networkx",
    "write",
]
