"""Proofs: each step is an instance of its rule, and all of them end in what was asserted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyoxigraph as ox
from hypothesis import given, settings
from hypothesis import strategies as st

from reasoner.engine.inference import Branch, Inference
from reasoner.engine.pattern import Pattern, Variable
from reasoner.engine.proof import Absence, Proof, defeats_by, prove
from reasoner.engine.rule import Rule

from . import datalog
from .ember import World, exclusions, facts, rule, say, short


def nothing(_: ox.Triple) -> None:
    """No earlier run derived anything."""


def proof_of(fact: str, world: World, branch: Branch) -> Proof:
    """Return the proof of a fact given in Turtle."""
    return prove(facts(f"{fact} .")[0], branch, nothing, world.holds(branch))


def outline(proof: Proof, depth: int = 0) -> Iterator[str]:
    """Yield the lines of a proof: what is known, by which rule, and what must not hold."""
    about = (
        " ".join(short(part.rpartition(" | ")[2]) for part in proof.walk)
        if proof.fact is None and proof.walk
        else say(proof.fact)
    )  # type: ignore[arg-type]
    how = f" by {proof.rule.id}" if proof.rule else ""
    yield "  " * depth + about + how + (" as above" if proof.repeated else "")
    for premise in proof.premises:
        yield from outline(premise, depth + 1)
    for absence in proof.absences:
        yield "  " * (depth + 1) + f"not {said(absence)}"
    for defeat in proof.defeats:
        yield "  " * (depth + 1) + f"instead of {say(defeat.fact)} by {defeat.loser.rule.id} ({defeat.basis})"


def said(absence: Absence) -> str:
    """Return an absence in short, in brackets if it only keeps other things out of the way."""
    text = ", ".join(" ".join(short(part) for part in parts) for parts in absence.patterns)
    return text if absence.telling else f"[{text}]"


def the_only(found: Inference) -> Branch:
    """Return the one branch."""
    (branch,) = found.branches
    return branch


FIRE = [
    rule("dry", "?x :is :dry", "?x a :Wood FILTER NOT EXISTS { ?x :meets ?y . ?y a :Water }"),
    rule("burn", "?x :is :burning", "?x :is :dry ; :meets ?y . ?y a :Fire"),
    rule("spread", "?y :heats ?x ; a :Hearth", "?x :is :burning . ?y :near+ ?x . ?y a :Wood"),
]


def test_proof_down_to_what_was_asserted() -> None:
    """Rules, premises, absences and walks, in the order of the rule; the second time a fact is only named."""
    world = World(
        ":log a :Wood ; :meets :spark . :spark a :Fire . :mat :near :chair . :chair :near :log . :mat a :Wood ."
    )
    branch = the_only(world.run(FIRE))
    assert list(outline(proof_of(":mat a :Hearth", world, branch))) == [
        "mat a Hearth by ember:spread",
        "  log is burning by ember:burn",
        "    log is dry by ember:dry",
        "      log a Wood",
        "      not log meets ?y, ?y a Water",
        "    log meets spark",
        "    spark a Fire",
        "  mat near+ log",
        "  mat a Wood",
    ]


def test_fact_used_twice_is_proved_once() -> None:
    """What is proved elsewhere in the tree is not proved again; asserted facts are simply named."""
    rules = [
        rule("one", "?x :b ?y", "?x :a ?y"),
        rule("two", "?x :c ?y", "?x :b ?y"),
        rule("three", "?x :d ?y", "?x :b ?y . ?x :c ?y . ?x :a ?y"),
    ]
    world = World(":k :a :l .")
    assert list(outline(proof_of(":k :d :l", world, the_only(world.run(rules))))) == [
        "k d l by ember:three",
        "  k b l by ember:one",
        "    k a l",
        "  k c l by ember:two",
        "    k b l by ember:one as above",
        "  k a l",
    ]


def test_branch_of_a_union_that_was_taken() -> None:
    """Only what holds is a premise, and an OPTIONAL that was met is one."""
    either = rule("either", "?x :r ?y", "?x :o ?y { ?x :p ?y } UNION { ?x :q ?y } OPTIONAL { ?x :s ?z }")
    world = World(":a :o :b ; :q :b . :c :o :d ; :p :d ; :s 1 .")
    branch = the_only(world.run([either]))
    assert list(outline(proof_of(":a :r :b", world, branch))) == ["a r b by ember:either", "  a o b", "  a q b"]
    assert list(outline(proof_of(":c :r :d", world, branch))) == [
        "c r d by ember:either",
        "  c o d",
        "  c p d",
        "  c s 1",
    ]


def test_what_holds_only_later_is_no_premise() -> None:
    """The other branch of a UNION may hold by now because of the very fact that is proved: that would be a circle."""
    rules = [
        rule("either", "?x :r ?y", "{ ?x :p ?y } UNION { ?x :q ?y }"),
        rule("back", "?x :q ?y", "?x :r ?y"),
    ]
    world = World(":a :p :b .")
    branch = the_only(world.run(rules))
    assert say(facts(":a :q :b .")[0]) in map(say, branch.supports)
    assert list(outline(proof_of(":a :r :b", world, branch))) == ["a r b by ember:either", "  a p b"]
    assert list(outline(proof_of(":a :q :b", world, branch))) == [
        "a q b by ember:back",
        "  a r b by ember:either",
        "    a p b",
    ]


def test_what_no_solution_tells_is_walked_over() -> None:
    """Blank nodes and variables of a subquery are in no solution: the premise is said with what is known of it."""
    one = rule("one", "?x :r 1", "?x :p [ :q ?y ] { SELECT ?x { ?x :s ?z } }")
    world = World(":a :p [ :q :b ] ; :s :c .")
    assert list(outline(proof_of(":a :r 1", world, the_only(world.run([one]))))) == [
        "a r 1 by ember:one",
        "  a p ?_:1",
        "  ?_:1 q b",
        "  a s ?_:2",
    ]


def test_what_was_counted_is_proved() -> None:
    """Each derived fact that went into a count is a premise; asserted ones are not told, and others not counted."""
    rules = [
        rule("burn", "?x :burns ?y", "?x :lights ?y"),
        rule("many", "?x :lit ?n", "{ SELECT ?x (COUNT(?y) AS ?n) { ?x :burns ?y } GROUP BY ?x }"),
    ]
    world = World(":a :lights :b , :c ; :burns :d . :e :lights :f .")
    assert list(outline(proof_of(":a :lit 3", world, the_only(world.run(rules))))) == [
        "a lit 3 by ember:many",
        "  a burns b by ember:burn",
        "    a lights b",
        "  a burns c by ember:burn",
        "    a lights c",
    ]


def test_absences_under_two_negations_are_none() -> None:
    """What may be there if something else is there is not said to be absent."""
    one = rule("one", "?x :r 1", "?x :p ?y FILTER NOT EXISTS { ?x :q ?z FILTER NOT EXISTS { ?z :s ?x } }")
    also = rule("also", "?x :s ?y", "?x :t ?y")
    world = World(":a :p :b ; :q :c . :c :s :a . :d :t :a .")
    assert list(outline(proof_of(":a :r 1", world, the_only(world.run([one, also]))))) == [
        "a r 1 by ember:one",
        "  a p b",
        "  not [a q ?z]",
    ]


def test_defeats_are_named() -> None:
    """A fact that set rivals aside names each of them; a fact that had none names none."""
    rules = [
        rule("one", "?x :colour :red", "?x a :Card"),
        rule("two", "?x :colour :blue", "?x a :Card ; :isOld 1", exception_to=("one",)),
        rule("three", "?x :colour :green", "?x a :Card", more_specific_than=("one", "two")),
        rule("see", "?x :seen ?c", "?x :colour ?c"),
    ]
    world = World(":a a :Card ; :isOld 1 .")
    branch = the_only(world.run(rules, exclusions(functional=["colour"])))
    assert list(outline(proof_of(":a :seen :green", world, branch))) == [
        "a seen green by ember:see",
        "  a colour green by ember:three",
        "    a a Card",
        "    instead of a colour blue by ember:two (specificity)",
        "    instead of a colour red by ember:one (specificity)",
    ]
    assert defeats_by(facts(":a :seen :green .")[0], branch) == ()


def test_proofs_differ_between_branches() -> None:
    """Each branch proves its own value, and nothing was set aside."""
    rules = [rule("one", "?x :colour :red", "?x a :Card"), rule("two", "?x :colour :blue", "?x a :Card")]
    world = World(":a a :Card .")
    blue, red = world.run(rules, exclusions(functional=["colour"])).branches
    assert list(outline(proof_of(":a :colour :blue", world, blue))) == ["a colour blue by ember:two", "  a a Card"]
    assert list(outline(proof_of(":a :colour :red", world, red))) == ["a colour red by ember:one", "  a a Card"]
    assert list(outline(proof_of(":a :colour :blue", world, red))) == ["a colour blue"]


def test_facts_of_an_earlier_run_are_proved_too() -> None:
    """What the graph holds because an earlier run derived it is proved by the supports of that run."""
    first = World(":a :p :b .")
    earlier = the_only(first.run([rule("one", "?x :q ?y", "?x :p ?y")]))
    second = World(":a :p :b ; :q :b .")
    later = the_only(second.run([rule("two", "?x :r ?y", "?x :q ?y")]))
    proof = prove(facts(":a :r :b .")[0], later, earlier.supports.get, second.holds(later))
    assert list(outline(proof)) == ["a r b by ember:two", "  a q b by ember:one", "    a p b"]
    assert [one.id for one in proof.rules()] == ["ember:two", "ember:one"]


def test_proof_deeper_than_pythons_stack() -> None:
    """A derivation of four hundred steps is proved, and walked through, like any other."""
    length = 400
    rules = [
        rule("start", "?x :at 0", "?x a :Start"),
        *(rule(f"s{n % 5}", f"?x :at{n % 5} ?m", f"?x :at{(n - 1) % 5} ?n . ?n :next ?m") for n in range(5)),
        rule("enter", "?x :at0 ?y", "?x :at 0 . ?x :first ?y"),
    ]
    chain = " ".join(f":n{n} :next :n{n + 1} ." for n in range(length))
    world = World(f":a a :Start ; :first :n0 . {chain}")
    branch = the_only(world.run(rules))
    proof = proof_of(f":a :at{length % 5} :n{length}", world, branch)
    steps = list(proof.steps())
    assert [say(step.fact) for step in steps if step.rule][:2] == [  # type: ignore[arg-type]
        f"a at{length % 5} n{length}",
        f"a at{(length - 1) % 5} n{length - 1}",
    ]
    assert len([step for step in steps if step.rule]) == length + 2
    assert len([step for step in steps if step.rule is None]) == length + 2


# --- every step of random programs


@settings(max_examples=100)
@given(given_facts=datalog.facts, clauses=datalog.programs, split=st.integers(0, 12))
def test_every_proof_holds(given_facts: set[datalog.Fact], clauses: list[datalog.Clause], split: int) -> None:
    """Each step instantiates its rule, rests on facts that hold, on no circle, and in the end on asserted facts."""
    if datalog.model(given_facts, clauses) is None:
        return
    ordered = sorted(given_facts)
    world = World(datalog.turtle(ordered[:split]), datalog.turtle(ordered[split:]))
    branch = the_only(world.run([clause.compiled(number) for number, clause in enumerate(clauses)]))
    asserted = set(world.asserted)
    known = asserted | set(branch.supports)
    for fact in branch.supports:
        assert fact not in asserted
        proof = prove(fact, branch, nothing, world.holds(branch))
        assert proof.fact == fact
        proved = {step.fact for step in proof.steps() if step.rule and not step.repeated}
        for step, above in walk(proof, ()):
            assert step.fact not in above
            if step.rule is None:
                assert step.fact in asserted
            elif step.repeated:
                assert step.fact in proved
                assert step.premises == ()
            else:
                check_step(step, branch, known)


def walk(proof: Proof, above: tuple[ox.Triple | None, ...]) -> Iterator[tuple[Proof, tuple[ox.Triple | None, ...]]]:
    """Yield every step of a proof with the facts above it."""
    yield proof, above
    for premise in proof.premises:
        yield from walk(premise, (*above, proof.fact))


def check_step(step: Proof, branch: Branch, known: set[ox.Triple]) -> None:
    """The fact is the head and the premises are the body of the rule under one solution; what must be absent is."""
    assert step.fact is not None
    support = branch.supports[step.fact]
    one: Rule = support.rule
    assert step.rule is one
    assert step.fact in {head.instance(support.solution) for head in one.heads}
    assert [premise.fact for premise in step.premises] == [each.instance(support.solution) for each in one.required]
    assert all(premise.fact in known for premise in step.premises)
    told = [parts for absence in step.absences for parts in absence.patterns]
    assert told == [each.text(support.solution) for each in one.absent]
    assert not any(matches(each, fact, support.solution.get) for each in one.absent for fact in known)


def matches(pattern: Pattern, fact: ox.Triple, value_of: Callable[[str], object]) -> bool:
    """Return whether a fact is an instance of a pattern, of which some variables may be bound."""
    found: dict[str, object] = {}
    for slot, value in ((pattern.subject, fact.subject), (pattern.verb, fact.predicate), (pattern.object, fact.object)):
        wanted: object = slot
        if isinstance(slot, Variable):
            wanted = value_of(slot.name) or found.setdefault(slot.name, value)
        if wanted != value:
            return False
    return True
