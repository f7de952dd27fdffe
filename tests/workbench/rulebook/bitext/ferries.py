"""The rules of a small game, Ferries, told in English and in Dutch by two people; the Dutch one made four mistakes."""

EN = """\
FERRIES

A game for three players about busy boats and patient passengers.

Components
- 36 passenger cards in six colours
- 3 ferries of wood
- 24 coins
- 1 lighthouse

Setup
Put the lighthouse in the middle of the table. Each player takes a ferry and four
coins. Shuffle the passenger cards and deal five of them to each player. Put the
remaining cards face down beside the lighthouse: this is the draw pile.
The youngest player begins.

Your turn
On your turn you first draw a card from the draw pile. Then you may load up to two
passengers: lay their cards face up in front of your ferry.
A ferry never carries more than six passengers. Passengers of the same colour must
sit next to each other.
If your ferry is full, you must cross the harbour before you load anybody else.

Crossing the harbour
To cross the harbour, pay one coin to the lighthouse and discard all your
passengers. For each colour on your ferry you receive two coins.
The player with the most passengers on board crosses first.
You must not cross with an empty ferry.

Storm
When the draw pile is empty, a storm comes up. Every player loses three coins.
Shuffle the discard pile; it becomes the new draw pile.
After the second storm the game ends at once.

End of the game
The player with the most coins wins. In a tie, the player with the fewest cards in
hand wins the game.
Then clear the table clockwise, beginning on the left of the winner.
"""

NL = """\
VEERPONTEN

Een spel voor drie spelers over drukke boten en geduldige passagiers.

Materiaal
- 36 passagierskaarten in zes kleuren
- 3 houten veerponten
- 24 munten
- 1 vuurtoren

Voorbereiding
Zet de vuurtoren midden op tafel. Elke speler neemt een veerpont en vijf munten. Schud
de passagierskaarten en deel er vijf aan elke speler uit. Leg de overige kaarten gedekt
naast de vuurtoren: dit is de trekstapel.
De jongste speler begint.

Je beurt
In je beurt trek je eerst een kaart van de trekstapel. Daarna mag je hoogstens twee
passagiers laden: leg hun kaarten open voor je veerpont.
Een veerpont vervoert nooit meer dan zes passagiers. Passagiers van dezelfde kleur
moeten naast elkaar zitten.
Is je veerpont vol, dan moet je de haven oversteken nadat je iemand anders laadt.

De haven oversteken
Om de haven over te steken betaal je één munt aan de vuurtoren en leg je al je
passagiers af. Voor elke kleur op je veerpont ontvang je twee munten.
De speler met de meeste passagiers aan boord steekt het eerst over.
Je mag met een lege veerpont oversteken.

Storm
Als de trekstapel leeg is, steekt er een storm op. Elke speler verliest drie munten.
Schud de aflegstapel; die wordt de nieuwe trekstapel.
Na de tweede storm is het spel meteen afgelopen.

Einde van het spel
De speler met de meeste munten wint. Bij gelijke stand wint de speler met de meeste
kaarten in de hand het spel.
Ruim daarna de tafel met de klok mee af, te beginnen links van de winnaar.
"""

MISTAKES = {"number": "four", "time": "before", "negation": "not", "most": "fewest"}
"""What kind of contradiction each mistake is, and a word of the English sentence it is in."""
