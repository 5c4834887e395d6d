"""Reports: several coefficients of one study or of several, for the terminal, a paper or a program."""

from interagree.reports.make import Report as Report
from interagree.reports.make import report as report
