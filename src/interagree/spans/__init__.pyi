# The public names of the room, and where each is defined.

from interagree.documents.edges import in_tokens as in_tokens
from interagree.documents.edges import trimmed as trimmed
from interagree.documents.segmenting import as_segments as as_segments
from interagree.documents.sequences import from_tags as from_tags
from interagree.documents.sequences import to_tags as to_tags
from interagree.documents.unit_columns import from_units as from_units
from interagree.spans.alignment import align as align
from interagree.spans.alignment import gamma_k as gamma_k
from interagree.spans.attributes import attribute_agreement as attribute_agreement
from interagree.spans.marked_text import MarkedText as MarkedText
from interagree.spans.marked_text import marked_text as marked_text
from interagree.spans.pairwise import PairwiseF1 as PairwiseF1
from interagree.spans.pairwise import pairwise_f1 as pairwise_f1
from interagree.spans.pairwise import semeval as semeval
from interagree.spans.panel import span_panel as span_panel
from interagree.spans.relations import relation_agreement as relation_agreement
from interagree.spans.report import span_report as span_report
from interagree.spans.timeline import timeline as timeline
from interagree.spans.tokens import token_agreement as token_agreement
from interagree.spans.typology import span_types as span_types
