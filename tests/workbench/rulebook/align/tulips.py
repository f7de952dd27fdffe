"""A small rulebook in two languages, made up for these tests; the Dutch one tells the market before the harbour."""

ENGLISH = """\
THE HARBOUR OF TULPIA

AIM OF THE GAME
The player with the most gold coins wins the game.

THE HARBOUR
At the start of a turn the player rolls the die and moves the ship
as many squares as the die shows.
A ship that reaches the lighthouse takes 3 tulips from the harbour.
If there are no tulips left in the harbour, the player takes 1 gold coin.

- Repair: a ship in the dock pays 2 gold coins.
- Storm: a ship outside the harbour loses 4 tulips.

THE MARKET
At the market a player sells tulips for gold coins.
For 5 tulips of one colour a player receives 12 gold coins.
A player may sell at most 10 tulips in a turn.
The price of the tulips falls after every sale.

END OF THE GAME
The game ends when 30 gold coins have been paid.
In case of a tie the player with the most ships wins the game.
"""
DUTCH = """\
DE HAVEN VAN TULPIA

DOEL VAN HET SPEL
De speler met de meeste gouden munten wint het spel.

DE MARKT
Op de markt verkoopt een speler tulpen voor gouden munten.
Voor 5 tulpen van één kleur ontvangt een speler 12 gouden munten.
Een speler mag in een beurt hoogstens 10 tulpen verkopen.
Na elke verkoop daalt de prijs van de tulpen.

DE HAVEN
Aan het begin van een beurt gooit de speler de dobbelsteen en verplaatst
hij het schip zoveel velden als de dobbelsteen toont.
Een schip dat de vuurtoren bereikt, neemt 3 tulpen uit de haven.
Zijn er geen tulpen meer in de haven, dan neemt de speler 1 gouden munt.

• Reparatie: een schip in het dok betaalt 2 gouden munten.
• Storm: een schip buiten de haven verliest 4 tulpen.

EINDE VAN HET SPEL
Het spel eindigt wanneer er 30 gouden munten betaald zijn.
Bij een gelijke stand wint de speler met de meeste schepen het spel.
Dit is de regel over de zeemeermin, die in geen ander boekje staat.
"""
SAME = {
    (1, 1), (3, 3), (4, 4), (6, 12), (7, 13), (9, 15), (10, 16), (12, 18), (13, 19), (15, 6), (16, 7), (17, 8),
    (18, 9), (19, 10), (21, 21), (22, 22), (23, 23),
}  # fmt: skip
"""First lines of passages that say the same: English, Dutch."""
