"""Static analysis: facts about a Program that can be known without running it."""
