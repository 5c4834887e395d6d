"""Small treebanks."""

from __future__ import annotations

from collections.abc import Callable

CONLLU = """# sent_id = s1
# text = It doesn't rain.
1	It	it	PRON	PRP	_	4	nsubj	_	_
2-3	doesn't	_	_	_	_	_	_	_	_
2	does	do	AUX	VBZ	Mood=Ind|Tense=Pres	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	rain	rain	VERB	VB	_	0	root	_	SpaceAfter=No
4.1	rain	rain	VERB	VB	_	_	_	0:root	_
5	.	.	PUNCT	.	_	4	punct	_	_

# sent_id = s2
1	Stay	stay	VERB	VB	_	0	root	_	_
2	!	!	PUNCT	.	_	1	punct	_	_

"""
PLUS = "# global.columns = ID FORM HEAD DEPREL UPOS\n1\tStay\t0\troot\tVERB\n2\t!\t1\tpunct\tPUNCT\n\n"
BRACKETS = """( (S (NP-SBJ-1 (PRP It))
     (VP (VBZ seems) (S (NP (-NONE- *-1)) (VP (TO to) (VP (VB rain))))) (. .)))
(TOP (S (VP (VB Stay)) (. !)))
"""

SAMPLES: dict[str, dict[str, Callable[[], bytes]]] = {
    "conllu": {
        "a.conllu": CONLLU.encode,
        "plus.conllup": PLUS.encode,
        "a.conllx": CONLLU.encode,
        "a.conll": CONLLU.encode,
    },
    "ptb": {
        f"a{end}": BRACKETS.encode for end in (".tree", ".trees", ".ptb", ".mrg", ".prd", ".psd", ".parse", ".brackets")
    },
}
