"""The papers behind the coefficients, as sentences and as BibTeX."""

from __future__ import annotations

import re
from typing import NamedTuple


class Reference(NamedTuple):
    """One publication."""

    kind: str  # "article", "book" or "inproceedings"
    author: str
    year: int
    title: str
    where: str  # journal, volume and pages; publisher; proceedings

    def text(self) -> str:
        """As a line in a list of references."""
        return f"{self.author} ({self.year}). {self.title.rstrip('.')}. {self.where}."

    def bibtex(self, key: str) -> str:
        """As a BibTeX entry."""
        place = {"article": "journal", "book": "publisher", "inproceedings": "booktitle"}[self.kind]
        names = " and ".join(part.strip() for part in self.author.replace("&", ";").split(";") if part.strip())
        found = re.fullmatch(r"(?P<name>.+?)(?: (?P<volume>\d+)\((?P<number>\d+)\))?, (?P<pages>\d+-\d+)", self.where)
        parts = {place: self.where} if found is None else {place: found["name"], **found.groupdict()}
        fields = {"author": names, "year": self.year, "title": self.title, **parts}
        lines = [
            f"  {name} = {{{_latex(entry)}}}," for name, entry in fields.items() if entry is not None and name != "name"
        ]
        return "\n".join([f"@{self.kind}{{{key},", *lines, "}"])


def _latex(entry: object) -> str:
    return re.sub(r"(?<=\d)-(?=\d)", "--", str(entry).replace("&", r"\&"))


def _article(author: str, year: int, title: str, where: str) -> Reference:
    return Reference("article", author, year, title, where)


REFERENCES: dict[str, Reference] = {
    "bennett1954": _article(
        "Bennett, E. M.; Alpert, R. & Goldstein, A. C.",
        1954,
        "Communications through limited-response questioning",
        "Public Opinion Quarterly 18(3), 303-308",
    ),
    "braylan2022": Reference(
        "inproceedings",
        "Braylan, A.; Alonso, O. & Lease, M.",
        2022,
        "Measuring Annotator Agreement Generally across Complex Structured, Multi-object, and Free-text Annotation "
        "Tasks",
        "Proceedings of the ACM Web Conference 2022, 1720-1730",
    ),
    "brennan1981": _article(
        "Brennan, R. L. & Prediger, D. J.",
        1981,
        "Coefficient kappa: Some uses, misuses, and alternatives",
        "Educational and Psychological Measurement 41(3), 687-699",
    ),
    "cohen1960": _article(
        "Cohen, J.",
        1960,
        "A coefficient of agreement for nominal scales",
        "Educational and Psychological Measurement 20(1), 37-46",
    ),
    "conger1980": _article(
        "Conger, A. J.",
        1980,
        "Integration and generalization of kappas for multiple raters",
        "Psychological Bulletin 88(2), 322-328",
    ),
    "fleiss1971": _article(
        "Fleiss, J. L.",
        1971,
        "Measuring nominal scale agreement among many raters",
        "Psychological Bulletin 76(5), 378-382",
    ),
    "fleiss1969": _article(
        "Fleiss, J. L.; Cohen, J. & Everitt, B. S.",
        1969,
        "Large sample standard errors of kappa and weighted kappa",
        "Psychological Bulletin 72(5), 323-327",
    ),
    "fournier2013": Reference(
        "inproceedings",
        "Fournier, C.",
        2013,
        "Evaluating text segmentation using boundary edit distance",
        "Proceedings of ACL 2013, 1702-1712",
    ),
    "gwet2008": _article(
        "Gwet, K. L.",
        2008,
        "Computing inter-rater reliability and its variance in the presence of high agreement",
        "British Journal of Mathematical and Statistical Psychology 61(1), 29-48",
    ),
    "gwet2014": Reference(
        "book", "Gwet, K. L.", 2014, "Handbook of Inter-Rater Reliability, 4th ed.", "Advanced Analytics"
    ),
    "hripcsak2005": _article(
        "Hripcsak, G. & Rothschild, A. S.",
        2005,
        "Agreement, the F-measure, and reliability in information retrieval",
        "Journal of the American Medical Informatics Association 12(3), 296-298",
    ),
    "hubert1977": _article("Hubert, L.", 1977, "Kappa revisited", "Psychological Bulletin 84(2), 289-297"),
    "kendall1939": _article(
        "Kendall, M. G. & Babington Smith, B.",
        1939,
        "The problem of m rankings",
        "The Annals of Mathematical Statistics 10(3), 275-287",
    ),
    "krippendorff2004": Reference(
        "book", "Krippendorff, K.", 2004, "Content Analysis: An Introduction to Its Methodology, 2nd ed.", "Sage"
    ),
    "light1971": _article(
        "Light, R. J.",
        1971,
        "Measures of response agreement for qualitative data: Some generalizations and alternatives",
        "Psychological Bulletin 76(5), 365-377",
    ),
    "lin1989": _article(
        "Lin, L. I.-K.",
        1989,
        "A concordance correlation coefficient to evaluate reproducibility",
        "Biometrics 45(1), 255-268",
    ),
    "mathet2015": _article(
        "Mathet, Y., Widlöcher, A. & Métivier, J.-P.",
        2015,
        "The unified and holistic method gamma (γ) for inter-annotator agreement measure and alignment",
        "Computational Linguistics 41(3), 437-479",
    ),
    "randolph2005": Reference(
        "inproceedings",
        "Randolph, J. J.",
        2005,
        "Free-marginal multirater kappa: An alternative to Fleiss' fixed-marginal multirater kappa",
        "Joensuu Learning and Instruction Symposium",
    ),
    "rosenberg2004": Reference(
        "inproceedings",
        "Rosenberg, A. & Binkowski, E.",
        2004,
        "Augmenting the kappa statistic to determine interannotator reliability for multiply labeled data points",
        "Proceedings of HLT-NAACL 2004: Short Papers, 77-80",
    ),
    "scott1955": _article(
        "Scott, W. A.",
        1955,
        "Reliability of content analysis: The case of nominal scale coding",
        "Public Opinion Quarterly 19(3), 321-325",
    ),
    "shrout1979": _article(
        "Shrout, P. E. & Fleiss, J. L.",
        1979,
        "Intraclass correlations: Uses in assessing rater reliability",
        "Psychological Bulletin 86(2), 420-428",
    ),
    "vanoest2019": _article(
        "van Oest, R.",
        2019,
        "A new coefficient of interrater agreement: The challenge of highly unequal category proportions",
        "Psychological Methods 24(4), 439-451",
    ),
}
