"""Differences of two rule sets as people read them: rules, numbers, tables, what runs when, and the rulebook."""

from .rule_changes import RuleChange, RuleSide, StatementChange, changes_between, folder_side, variant_side

__all__ = ["RuleChange", "RuleSide", "StatementChange", "changes_between", "folder_side", "variant_side"]
