"""The error of one value that breaks one rule."""


class BrokenRuleError(Exception):
    """One value breaks one rule; never leaves this package."""

    def __init__(self, rule: str, value: object) -> None:
        super().__init__(rule, value)
        self.rule, self.value = rule, value
