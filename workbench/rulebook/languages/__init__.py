"""Knowledge of Dutch, English, French and German that no game changes.

``numbers`` finds numbers by their value, ``force`` the small words that bind (must, may, at most), ``stems`` reduces
words to what all their forms share.
"""
