# The public names of the top level and where each is defined; what else measures are called: written by `make names`.

from interagree import crowd as crowd
from interagree import judging as judging
from interagree import measures as measures
from interagree import people as people
from interagree import spans as spans
from interagree import studies as studies
from interagree.crowd.usual import consensus as consensus
from interagree.data import Annotations as Annotations
from interagree.data import Study as Study
from interagree.data import concat as concat
from interagree.data.memory import memory_limit as memory_limit
from interagree.examples import example as example
from interagree.judging.judgement import judge as judge
from interagree.measures.ac1 import ac1 as ac1
from interagree.measures.ac2 import ac2 as ac2
from interagree.measures.alpha import alpha as alpha
from interagree.measures.bennett_s import bennett_s as bennett_s
from interagree.measures.cohen_kappa import cohen_kappa as cohen_kappa
from interagree.measures.conger_kappa import conger_kappa as conger_kappa
from interagree.measures.fleiss_kappa import fleiss_kappa as fleiss_kappa
from interagree.measures.gamma import gamma as gamma
from interagree.measures.icc import icc as icc
from interagree.measures.kendall_w import kendall_w as kendall_w
from interagree.measures.lin_ccc import lin_ccc as lin_ccc
from interagree.measures.percent import percent as percent
from interagree.measures.scott_pi import scott_pi as scott_pi
from interagree.measures.spa import spa as spa
from interagree.measures.span_f1 import span_f1 as span_f1
from interagree.monitor import Monitor as Monitor
from interagree.people.queue import disagreements as disagreements
from interagree.people.screening import annotators as annotators
from interagree.readers import read as read
from interagree.readers import write as write
from interagree.reading.scans import scan as scan
from interagree.reports import report as report
from interagree.reports.confusion import chance as chance
from interagree.reports.confusion import confusion as confusion
from interagree.results.agreement import Agreement as Agreement
from interagree.results.scales import interpret as interpret
from interagree.studies.compare import compare as compare
from interagree.studies.doctor import doctor as doctor
from interagree.studies.explain import explain as explain
from interagree.studies.plan import plan as plan
from interagree.tables import Table as Table
from interagree.writers import export as export

__version__: str

# What else measures are called
agree = percent
bennett = bennett_s
bp_coeff = bennett_s
brennan_prediger = bennett_s
ccc = lin_ccc
cohen = cohen_kappa
cohen_kappa_score = cohen_kappa
cohens_kappa = cohen_kappa
concordance_correlation = lin_ccc
conger = conger_kappa
fleiss = fleiss_kappa
gwet_ac1 = ac1
gwet_ac2 = ac2
gwets_ac1 = ac1
gwets_ac2 = ac2
intraclass_corr = icc
intraclass_correlation = icc
kappa = cohen_kappa
kappa2 = cohen_kappa
kappam_fleiss = fleiss_kappa
kendall = kendall_w
kendalls_w = kendall_w
kripp_alpha = alpha
krippendorff = alpha
krippendorff_alpha = alpha
krippendorffs_alpha = alpha
lin = lin_ccc
multi_kappa = conger_kappa
multi_pi = fleiss_kappa
observed_agreement = percent
percent_agreement = percent
percentage_agreement = percent
pi = scott_pi
raw_agreement = percent
scott = scott_pi
scotts_pi = scott_pi
sparse_probability_of_agreement = spa
