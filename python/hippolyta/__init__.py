"""The Game of the Amazons and its relatives: rules, a strong engine, analysis and learning."""

from ._hippolyta import Board

__all__ = ["Board"]
