"""UIMA's common analysis structures, as XMI and as JSON: typed feature structures over a text."""
