"""Small valid files of tools, by reader and name, to be damaged by the fuzzing tests."""
