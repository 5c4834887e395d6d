"""The types of arrays, said once."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]  # positions in another array
Integers: TypeAlias = NDArray[np.integer[Any]]  # of any width, such as codes
Int64s: TypeAlias = NDArray[np.int64]
Int32s: TypeAlias = NDArray[np.int32]
Booleans: TypeAlias = NDArray[np.bool_]
Array: TypeAlias = NDArray[Any]  # of anything
