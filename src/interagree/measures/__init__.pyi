# The coefficients.  Lines of measures, and what else they are called, are written by `make names`.

from interagree.measures.ac1 import ac1 as ac1
from interagree.measures.ac2 import ac2 as ac2
from interagree.measures.alpha import alpha as alpha
from interagree.measures.alpha_u_1995 import alpha_u_1995 as alpha_u_1995
from interagree.measures.attachment import attachment as attachment
from interagree.measures.auc import auc as auc
from interagree.measures.augmented_kappa import augmented_kappa as augmented_kappa
from interagree.measures.bennett_s import bennett_s as bennett_s
from interagree.measures.boundary_kappa import boundary_kappa as boundary_kappa
from interagree.measures.boundary_pi import boundary_pi as boundary_pi
from interagree.measures.boundary_similarity import boundary_similarity as boundary_similarity
from interagree.measures.cohen_kappa import cohen_kappa as cohen_kappa
from interagree.measures.conger_kappa import conger_kappa as conger_kappa
from interagree.measures.coref_alpha import coref_alpha as coref_alpha
from interagree.measures.coref_f1 import coref_f1 as coref_f1
from interagree.measures.corrected_boundary_similarity import (
    corrected_boundary_similarity as corrected_boundary_similarity,
)
from interagree.measures.corrected_span_f1 import corrected_span_f1 as corrected_span_f1
from interagree.measures.f_score import f_score as f_score
from interagree.measures.fleiss_kappa import fleiss_kappa as fleiss_kappa
from interagree.measures.gamma import gamma as gamma
from interagree.measures.gamma_cat import gamma_cat as gamma_cat
from interagree.measures.hubert_kappa import hubert_kappa as hubert_kappa
from interagree.measures.icc import icc as icc
from interagree.measures.kendall_w import kendall_w as kendall_w
from interagree.measures.ks import ks as ks
from interagree.measures.light_kappa import light_kappa as light_kappa
from interagree.measures.lin_ccc import lin_ccc as lin_ccc
from interagree.measures.percent import percent as percent
from interagree.measures.pk import pk as pk
from interagree.measures.randolph_kappa import randolph_kappa as randolph_kappa
from interagree.measures.relation_f1 import relation_f1 as relation_f1
from interagree.measures.scott_pi import scott_pi as scott_pi
from interagree.measures.segmentation_similarity import segmentation_similarity as segmentation_similarity
from interagree.measures.sigma import sigma as sigma
from interagree.measures.spa import spa as spa
from interagree.measures.span_f1 import span_f1 as span_f1
from interagree.measures.u_alpha import u_alpha as u_alpha
from interagree.measures.van_oest import van_oest as van_oest
from interagree.measures.window_diff import window_diff as window_diff
from interagree.results.agreement import Interval as Interval

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
f1 = f_score
f1_score = f_score
f_measure = f_score
fleiss = fleiss_kappa
free_marginal_kappa = randolph_kappa
gwet_ac1 = ac1
gwet_ac2 = ac2
gwets_ac1 = ac1
gwets_ac2 = ac2
hubert = hubert_kappa
intraclass_corr = icc
intraclass_correlation = icc
kappa = cohen_kappa
kappa2 = cohen_kappa
kappam_fleiss = fleiss_kappa
kappam_light = light_kappa
kendall = kendall_w
kendalls_w = kendall_w
kripp_alpha = alpha
krippendorff = alpha
krippendorff_alpha = alpha
krippendorffs_alpha = alpha
light = light_kappa
lin = lin_ccc
multi_kappa = conger_kappa
multi_pi = fleiss_kappa
observed_agreement = percent
percent_agreement = percent
percentage_agreement = percent
pi = scott_pi
randolph = randolph_kappa
raw_agreement = percent
scott = scott_pi
scotts_pi = scott_pi
sparse_probability_of_agreement = spa
unitizing_alpha = u_alpha
windowdiff = window_diff
