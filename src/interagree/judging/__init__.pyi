# The public names of the room, and where each is defined.

from interagree.judging.alternative import AltTest as AltTest
from interagree.judging.alternative import alt_test as alt_test
from interagree.judging.ceiling import Ceiling as Ceiling
from interagree.judging.ceiling import noise_ceiling as noise_ceiling
from interagree.judging.consistency import self_consistency as self_consistency
from interagree.judging.judgement import Judgement as Judgement
from interagree.judging.judgement import judge as judge
from interagree.judging.preferences import Preferences as Preferences
from interagree.judging.preferences import preferences as preferences
