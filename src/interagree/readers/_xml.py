"""XML files of tools: parsed strictly, since exports come from others."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from xml.etree.ElementTree import Element

from interagree.data.files import Source
from interagree.errors import FormatError, expected


class Strict(ET.TreeBuilder):
    """A tree of elements that takes no document type, and so no entities that grow without bound."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002 -- as the parser calls it
        """Refuse."""
        raise FormatError(f"the file declares the document type {name!r:.60}, which no export does; it is not read")


def parse_xml(source: Source, *, root: str | tuple[str, ...], tool: str) -> Element:
    """The outermost element of an XML file, which has one of the names that it should have.

    Args:
        source: The file.
        root: The name, or the names, that it may have, without a namespace.
        tool: Whose files these are, as in "an ELAN file".
    """
    try:
        made = ET.fromstring(source.read(), ET.XMLParser(target=Strict()))  # noqa: S314 -- document types are refused
    except ET.ParseError as error:
        raise FormatError(f"{source.name}, line {error.position[0]}: this is not XML ({error})") from None
    except FormatError as error:
        raise error.at(source.name) from None
    except (LookupError, ValueError) as error:  # an encoding that the parser does not know
        raise FormatError(f"{source.name}: this is not XML that can be read ({error}); save it as UTF-8") from None
    names = (root,) if isinstance(root, str) else root
    if local(made) not in names:
        raise expected(source.name, f"{tool} ({' or '.join(names)})", made.tag)
    return made


def local(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def text_in(element: Element | None, *paths: str) -> str:
    """The first text that stands at one of some paths, without blanks around it; empty where there is none."""
    texts = ((element.findtext(path) or "").strip() for path in paths) if element is not None else ()
    return next(filter(None, texts), "")
