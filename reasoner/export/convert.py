"""An interaction graph as a networkx graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasoner.export.flat import flatten
from reasoner.export.model import InteractionGraph

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: InteractionGraph) -> nx.MultiDiGraph[str]:
    """Return `graph` for networkx: flat attributes (see reasoner.export.flat), stable order, stable edge keys.

    The graph attributes are `game`, `as_of`, and `node_lists` and `edge_lists`, which name the attributes that
    `split_list` takes apart.
    """
    import networkx as nx  # takes a fifth of a second: only who asks for it should wait

    flat = flatten(graph)
    result: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    result.graph.update(flat.attributes)
    result.add_nodes_from((node.id, node.attributes) for node in flat.nodes)
    for edge in flat.edges:
        result.add_edge(edge.source, edge.target, edge.key, **edge.attributes)
    return result
