"""Differences of two rule sets as people read them: rules, numbers, tables, what runs when, and the rulebook."""

from .changes import Change, RuleSide, Statement, changes_between, folder_side, variant_side

__all__ = ["Change", "RuleSide", "Statement", "changes_between", "folder_side", "variant_side"]
