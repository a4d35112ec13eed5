"""Which kind of term OWL 2 expects where: the tables that reasoner/owl/profile.py walks over.

Sources: OWL 2 Mapping to RDF Graphs, tables 1 and 6 to 16; OWL 2 Structural Specification, sections 2.4, 4 and 5.
"""

from __future__ import annotations

from enum import StrEnum

from pyoxigraph import NamedNode

from reasoner.owl.names import (
    ANNOTATION_PROPERTY,
    CLASS,
    DATA_PROPERTY,
    DATATYPE,
    INDIVIDUAL,
    OBJECT_PROPERTY,
    RESTRICTION,
    owl,
    rdf,
    rdfs,
)
from reasoner.terms.namespaces import OWL, RDF, RDFS, SUBCLASS, SUBPROPERTY, XSD


class Role(StrEnum):
    """What a term must be where it stands; the value is how a message calls it."""

    CLASS = "class"
    DATA = "datatype"
    CLASS_OR_DATA = "class or datatype"
    OBJECT_PROPERTY = "object property"
    DATA_PROPERTY = "data property"
    PROPERTY = "object or data property"
    ANY_PROPERTY = "property"
    ANNOTATION_PROPERTY = "annotation property"
    INDIVIDUAL = "individual"
    VALUE = "individual or literal"
    LITERAL = "literal"
    IRI = "IRI"
    FACET = "facet"
    ANYTHING = "term"


# The role that each declaration gives, and for each role the roles that fill it.
DECLARES = {
    CLASS: Role.CLASS,
    DATATYPE: Role.DATA,
    OBJECT_PROPERTY: Role.OBJECT_PROPERTY,
    DATA_PROPERTY: Role.DATA_PROPERTY,
    ANNOTATION_PROPERTY: Role.ANNOTATION_PROPERTY,
    INDIVIDUAL: Role.INDIVIDUAL,
}
FILLED_BY = {
    Role.CLASS_OR_DATA: (Role.CLASS, Role.DATA),
    Role.PROPERTY: (Role.OBJECT_PROPERTY, Role.DATA_PROPERTY),
    Role.ANY_PROPERTY: (Role.OBJECT_PROPERTY, Role.DATA_PROPERTY, Role.ANNOTATION_PROPERTY),
    Role.VALUE: (Role.INDIVIDUAL,),
}
# No IRI may have two of these roles (section 5.8.1). Class and individual may go together: that is punning.
EXCLUSIVE = (
    (Role.CLASS, Role.DATA),
    (Role.OBJECT_PROPERTY, Role.DATA_PROPERTY),
    (Role.OBJECT_PROPERTY, Role.ANNOTATION_PROPERTY),
    (Role.DATA_PROPERTY, Role.ANNOTATION_PROPERTY),
)

RANGE = rdfs("range")
# Axioms and their arguments: the roles of subject and object.
AXIOMS = {
    SUBCLASS: (Role.CLASS, Role.CLASS),
    owl("equivalentClass"): (Role.CLASS_OR_DATA, Role.CLASS_OR_DATA),
    owl("disjointWith"): (Role.CLASS, Role.CLASS),
    SUBPROPERTY: (Role.ANY_PROPERTY, Role.ANY_PROPERTY),
    owl("equivalentProperty"): (Role.PROPERTY, Role.PROPERTY),
    owl("propertyDisjointWith"): (Role.PROPERTY, Role.PROPERTY),
    owl("inverseOf"): (Role.OBJECT_PROPERTY, Role.OBJECT_PROPERTY),
    rdfs("domain"): (Role.ANY_PROPERTY, Role.CLASS),
    RANGE: (Role.ANY_PROPERTY, Role.CLASS_OR_DATA),
    owl("sameAs"): (Role.INDIVIDUAL, Role.INDIVIDUAL),
    owl("differentFrom"): (Role.INDIVIDUAL, Role.INDIVIDUAL),
    owl("sourceIndividual"): (Role.ANYTHING, Role.INDIVIDUAL),
    owl("assertionProperty"): (Role.ANYTHING, Role.PROPERTY),
    owl("targetIndividual"): (Role.ANYTHING, Role.INDIVIDUAL),
    owl("targetValue"): (Role.ANYTHING, Role.LITERAL),
    owl("complementOf"): (Role.CLASS, Role.CLASS),
    owl("datatypeComplementOf"): (Role.DATA, Role.DATA),
    owl("onDatatype"): (Role.DATA, Role.DATA),
    owl("onProperty"): (Role.CLASS, Role.PROPERTY),
    owl("onClass"): (Role.CLASS, Role.CLASS),
    owl("onDataRange"): (Role.CLASS, Role.DATA),
    owl("hasSelf"): (Role.CLASS, Role.LITERAL),
}
CHAIN = owl("propertyChainAxiom")
# The same where the object is a list; the second role is that of each member.
LISTS = {
    owl("intersectionOf"): (Role.CLASS_OR_DATA, Role.CLASS_OR_DATA),
    owl("unionOf"): (Role.CLASS_OR_DATA, Role.CLASS_OR_DATA),
    owl("oneOf"): (Role.CLASS_OR_DATA, Role.VALUE),
    owl("disjointUnionOf"): (Role.CLASS, Role.CLASS),
    owl("hasKey"): (Role.CLASS, Role.PROPERTY),
    CHAIN: (Role.OBJECT_PROPERTY, Role.OBJECT_PROPERTY),
    owl("distinctMembers"): (Role.ANYTHING, Role.INDIVIDUAL),
    owl("withRestrictions"): (Role.DATA, Role.FACET),
}
# What owl:members lists, by the type of its subject.
MEMBERS = owl("members")
MEMBER_ROLES = {
    owl("AllDisjointClasses"): Role.CLASS,
    owl("AllDisjointProperties"): Role.PROPERTY,
    owl("AllDifferent"): Role.INDIVIDUAL,
}

# How many different members the list needs at least; a list that is not here needs one.
AT_LEAST = {
    MEMBERS: 2,
    **{
        owl(kind): 2
        for kind in ("intersectionOf", "unionOf", "disjointUnionOf", "propertyChainAxiom", "distinctMembers")
    },
}
EXPRESSION_KINDS = (CLASS, DATATYPE, RESTRICTION)
ON_PROPERTY, HAS_SELF = owl("onProperty"), owl("hasSelf")
QUALIFIED = tuple(owl(f"{kind}ualifiedCardinality") for kind in ("q", "minQ", "maxQ"))
CARDINALITIES = (*(owl(kind) for kind in ("cardinality", "minCardinality", "maxCardinality")), *QUALIFIED)
# What needs a property of one kind beside it, and what names that property.
ONLY_WITH = {
    HAS_SELF: (ON_PROPERTY, Role.OBJECT_PROPERTY),
    owl("onClass"): (ON_PROPERTY, Role.OBJECT_PROPERTY),
    owl("onDataRange"): (ON_PROPERTY, Role.DATA_PROPERTY),
    owl("targetIndividual"): (owl("assertionProperty"), Role.OBJECT_PROPERTY),
    owl("targetValue"): (owl("assertionProperty"), Role.DATA_PROPERTY),
}
# What a restriction says of its property; which role the object has depends on the property.
VALUES = {
    owl("someValuesFrom"): Role.CLASS_OR_DATA,
    owl("allValuesFrom"): Role.CLASS_OR_DATA,
    owl("hasValue"): Role.VALUE,
}
FILLERS = (*VALUES, HAS_SELF, *CARDINALITIES)
CONSTRUCTORS = (
    *(
        owl(kind)
        for kind in ("intersectionOf", "unionOf", "complementOf", "oneOf", "datatypeComplementOf", "onDatatype")
    ),
    ON_PROPERTY,
)
# An expression may stand on the left of these, which is a use of it like any other.
LEFT_HAND = (SUBCLASS, owl("equivalentClass"), owl("disjointWith"))

CHARACTERISTICS = {
    owl("FunctionalProperty"): Role.PROPERTY,
    owl("InverseFunctionalProperty"): Role.OBJECT_PROPERTY,
    owl("TransitiveProperty"): Role.OBJECT_PROPERTY,
    owl("SymmetricProperty"): Role.OBJECT_PROPERTY,
    owl("AsymmetricProperty"): Role.OBJECT_PROPERTY,
    owl("ReflexiveProperty"): Role.OBJECT_PROPERTY,
    owl("IrreflexiveProperty"): Role.OBJECT_PROPERTY,
}
# Characteristics that only a simple property may have (section 11.2).
NEED_SIMPLE = tuple(owl(f"{kind}Property") for kind in ("Functional", "InverseFunctional", "Asymmetric", "Irreflexive"))
STRUCTURE = frozenset(
    {owl(kind) for kind in ("Ontology", "Restriction", "Axiom", "Annotation", "NegativePropertyAssertion")}
    | {*MEMBER_ROLES, rdf("List")}
)
_FACETS = "length minLength maxLength pattern minInclusive minExclusive maxInclusive maxExclusive"
FACETS = frozenset({rdf("langRange")} | {NamedNode(XSD + kind) for kind in _FACETS.split()})
HEADER = frozenset(owl(kind) for kind in ("imports", "versionIRI"))
ANNOTATING = tuple(owl(kind) for kind in ("annotatedSource", "annotatedProperty", "annotatedTarget"))
# Axioms that are nodes of their own, and the parts that each must have: one of these, and one of those.
PARTS = {
    owl("AllDisjointClasses"): ((MEMBERS,),),
    owl("AllDisjointProperties"): ((MEMBERS,),),
    owl("AllDifferent"): ((MEMBERS, owl("distinctMembers")),),
    owl("NegativePropertyAssertion"): (
        (owl("sourceIndividual"),),
        (owl("assertionProperty"),),
        (owl("targetIndividual"), owl("targetValue")),
    ),
    owl("Axiom"): tuple((part,) for part in ANNOTATING),
}

_XSD = """
decimal integer nonNegativeInteger nonPositiveInteger positiveInteger negativeInteger long int short byte
unsignedLong unsignedInt unsignedShort unsignedByte double float string normalizedString token language Name
NCName NMTOKEN boolean hexBinary base64Binary anyURI dateTime dateTimeStamp
"""
INTEGERS = frozenset(
    XSD + name for name in _XSD.split() if name.lower().endswith(("integer", "int", "long", "short", "byte"))
)
BUILTIN = {
    Role.CLASS: frozenset({OWL + "Thing", OWL + "Nothing"}),
    Role.OBJECT_PROPERTY: frozenset({OWL + "topObjectProperty", OWL + "bottomObjectProperty"}),
    Role.DATA_PROPERTY: frozenset({OWL + "topDataProperty", OWL + "bottomDataProperty"}),
    # rdf:langString is newer than OWL 2, which calls it rdf:PlainLiteral.
    Role.DATA: frozenset(
        {f"{OWL}real", f"{OWL}rational", f"{RDFS}Literal"}
        | {RDF + name for name in ("XMLLiteral", "PlainLiteral", "langString")}
        | {XSD + name for name in _XSD.split()}
    ),
}
