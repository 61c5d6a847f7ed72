"""Tests of the loop program."""
