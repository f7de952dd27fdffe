"""What is known about Dutch, English, French and German themselves, whatever the game.

``numbers`` finds numbers by their value, ``force`` the small words that bind (must, may, at most), ``stems`` reduces
words to what all their forms share.
"""
