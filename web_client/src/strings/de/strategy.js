// The tips for playing well in German. Their first use loads them.

/** @import {Wide} from '../language.js' */

/** @type {Wide<typeof import('../en/strategy.js').default>} */
export default {
  PAGE: {
    lead: 'Gewohnheiten, mit denen man Spider gewinnt, und Karten, die sie zeigen. Goldene Ränder haben die Karten, die bewegt werden.',
    contents: 'Spiele',
    ours: 'Unser eigener Rat.',
  },
  KINDS: {
    before: 'Vorher',
    step: 'Zuerst',
    good: 'Besser',
    bad: 'Schlechter',
    table: 'Der Tisch',
    'suits-4': 'Vier Farben',
    'suits-2': 'Zwei Farben',
    'suits-1': 'Eine Farbe',
  },
  SOURCES: {
    dos: 'dem DOS-Handbuch von 1987',
    xspider: 'xspider (1989)',
    arachnid: 'Arachnid',
    family: 'einer Seite über die Spider-Familie (2015)',
  },
  from: (sources) => `Nach ${sources}.`,
  points: (n) => `${n} Punkte`,
  worth: (dos, woods) => `DOS-Wertung ${dos} · Klassische Wertung ${woods}`,
  stepOf: (step, steps) => (step === 0 ? 'Das Blatt' : `Zug ${step} von ${steps}`),
  PRICES: {
    title: 'Was Ausnahmen in der DOS-Wertung kosten',
    head: ['Ausnahmen', 'Eine Farbe', 'Ein Paar', 'Ein Sieg'],
  },
  FAMILIES: {
    spider: {
      title: 'Spider',
      lead: 'Zehn Stapel, zwei Kartenspiele, und am Anfang liegen 44 Karten verdeckt. Das Handbuch von 1987 ist sicher: Hier zählt Können mehr als Glück. Mit diesen Gewohnheiten fängt es an.',
    },
    spiderette: {
      title: 'Spiderette',
      lead: 'Spider mit einem Kartenspiel und sieben Stapeln. Alles von oben gilt auch hier, nur ist weniger Platz, und es kommt weniger nach: Mit vier Farben gewinnt man nach einer alten Schätzung eins von hundert Spielen.',
    },
    'little-spider': {
      title: 'Little Spider',
      lead: 'Ein ganz anderes Spiel: vier Ablagen zwischen zwei Reihen mit je vier Stapeln. Zwei Ablagen wachsen vom Ass aufwärts, zwei vom König abwärts. Solange der Talon reicht, wandert keine Karte von Stapel zu Stapel. Du hast also wenig zu entscheiden: Entscheide gut. Nach einer alten Schätzung gewinnt man eins von 25 Spielen.',
    },
  },
  TIPS: {
    suit: [
      'Gleiche Farbe zuerst',
      'Eine Karte passt auf jede, die um eins höher ist, aber nur Karten einer Farbe lassen sich zusammen bewegen. Such darum zuerst nach Zügen in einer Farbe: So ein Paar bleibt beweglich. Ein gemischtes ist ein Schloss, das du später wieder öffnen musst.',
      'Die Karo 9 passt auf beide Zehnen.',
      'Mit der Karo 10 bildet sie ein Paar, und das Paar wandert weiter auf den Pik-Buben. Zwei neue Karten liegen offen.',
      'Auf der Kreuz 10 sperrt sie nur: Diese beiden lassen sich nicht zusammen bewegen.',
    ],
    high: [
      'Zwischen Farben: hohe Karten zuerst',
      'Sind nur noch gemischte Züge übrig, beginn mit der höchsten Karte. Die nächste kann ihr dann folgen, und es entsteht eine lange Folge. Wer unten anfängt, hält die Karten fest, die als Nächstes an der Reihe wären.',
      'Kreuz-König, Karo-Dame, Pik-Bube: Zwei Züge sind möglich.',
      'Erst die Dame, dann der Bube: Auf beiden Stapeln wird eine Karte aufgedeckt.',
      'Erst der Bube, und die Dame sitzt unter ihm fest.',
    ],
    dig: [
      'Karten aufdecken, kurze Stapel zuerst',
      'Mit Karten, die du nicht siehst, kannst du nicht planen. Nimm von zwei gleich guten Zügen den, der eine Karte aufdeckt. Tun das beide, nimm den Stapel, auf dem weniger Karten verdeckt liegen: Er ist als Erster leer.',
      'Beide roten Neunen passen auf die Kreuz 10.',
      'Unter der Karo 9 liegt die Kreuz 8 und folgt ihr gleich: Der erste Stapel ist leer.',
      'Unter der Herz 9 liegen die Karo 3 und drei weitere Karten, und die Karo 9 muss bleiben.',
    ],
    space: [
      'Früh einen Stapel leeren, und ihn wieder leeren',
      'Auf einen leeren Stapel darf jede Karte und jede Folge. Nichts ist nützlicher. Sorg dafür, bevor du sortierst: Dann kannst du gemischte Stapel zerlegen und nach Farben neu bauen. Am besten sind die Züge, nach denen der Stapel wieder leer ist.',
      'Zwei gemischte Paare. Ohne leeren Stapel geht hier nichts.',
      'Die Herz 8 weicht auf den leeren Stapel aus.',
      'Pik 8 auf Pik 9, Herz 8 auf Herz 9: zwei Paare in einer Farbe, und der Stapel ist wieder leer.',
    ],
    king: [
      'Einen leeren Stapel nicht leichtfertig einem König geben',
      'Ein König passt nur auf einen leeren Stapel, und dort bleibt er, bis seine Farbe vollständig ist. Gib ihm den Platz, wenn es sich sofort lohnt: weil andere Karten ihm folgen können und am besten gleich ein neuer Stapel leer wird.',
      'Ein leerer Stapel, und zwei Könige hätten ihn gern.',
      'Der Pik-König bekommt ihn, und Dame bis 10 folgen in seiner Farbe: ein leerer Stapel weg, ein neuer da.',
      'Unter dem Herz-König liegt die Kreuz 8, und nichts kann folgen. Der leere Stapel ist weg.',
    ],
    tidy: [
      'Vor dem Austeilen aufräumen',
      'Beim Austeilen kommt auf jeden Stapel eine Karte, ob sie passt oder nicht. Mach vorher alle anderen Züge, vor allem die in einer Farbe: Paare halten auch unter den neuen Karten. In den meisten Räumen darf kein Stapel leer sein. Füll ihn mit Bedacht: lieber mit einer Karte, die eine andere aufdeckt, als mit einem Stück einer guten Folge.',
      'Vor dem Austeilen muss der leere Stapel gefüllt werden.',
      'Mit der Kreuz 4: Darunter liegt der Karo-Bube, und die Folge bleibt ganz.',
      'Mit der Pik 7: Die Folge ist zerrissen, und du siehst keine neue Karte.',
    ],
    suits: [
      'Vier Farben, zwei Farben, eine Farbe',
      'Dasselbe Blatt auf allen drei Stufen: Der goldene Rand zeigt, wie viele Karten du zusammen aufnehmen kannst. Je weniger Farben, desto mutiger darfst du spielen.',
      'Nur Karo 7.',
      'Herz 8 und 7.',
      'Alle vier.',
    ],
    keep: [
      'Eine vollständige Farbe ablegen oder behalten?',
      [
        'Meist ablegen: Dann sind dreizehn Karten aus dem Weg. Wo das nicht automatisch geschieht, kannst du eine Farbe eine Weile behalten. Die alten Texte tun das, um andere Karten derselben Farbe zu ordnen, und für die Punkte.',
        'Wer mit mehr als drei vollständigen Farben auf dem Tisch gewinnt, bekommt in der klassischen Wertung 2 Punkte für jede weitere. In der DOS-Wertung sind alle acht Farben auf dem Tisch, ohne Ausnahme, und danach nur noch Ablegen ein Grand Spider: 10.000 Punkte. Versuch es nur, wenn der Sieg sicher ist.',
      ],
      'Talon leer, acht Farben vollständig. Beende das Spiel hier, und es zählt klassisch 1000 Punkte statt 990. In der DOS-Wertung leg alle acht ab: Grand Spider.',
    ],
    exceptions: [
      'In der DOS-Wertung: wissen, was eine Ausnahme kostet',
      [
        'Wo Ausnahmen erlaubt sind, darfst du auch eine Folge aus gemischten Farben bewegen. Das kann ein Spiel retten, macht aber alles billiger, was du hast. Such zuerst einen Umweg: Oft kann eine Karte ausweichen.',
        'Gewinnst du, dann kostet jeder Zug von Stapel zu Stapel nach der ersten Ausnahme einen Punkt mehr. Mach die erste also so spät wie möglich. Ab der siebten kostet jede noch 10 zusätzlich.',
      ],
      'Eine Farbe ist schon abgelegt. Kreuz 9 und 8 gehören auf die Kreuz 10, aber die Karo 7 ist im Weg.',
      'Die Karo 7 weicht auf die Pik 8 aus, dann wandern 9 und 8 als Paar. Ein Paar mehr: 10 Punkte mehr.',
      'Alle drei auf einmal, als Ausnahme: dasselbe Paar, aber 4 Punkte weniger als vorher.',
    ],
    walk: [
      'Eine Partie von 1987, Zug um Zug',
      'Das DOS-Handbuch spielt eine Eröffnung vor, um seine Faustregeln zu zeigen: erst die Züge in einer Farbe, dann die höchsten Karten. Farben nennt es keine, wir haben passende gewählt. Geh sie durch und rate den nächsten Zug.',
      'Zehn Karten liegen offen. Zwei Züge in einer Farbe sind schon da: Siehst du sie?',
      'Pik 3 auf Pik 4: gleiche Farbe, also vor allem anderen. Darunter liegt die Herz 6.',
      'Herz 6 auf Herz 7, wieder in einer Farbe. Darunter liegt die Kreuz 2. Sie würde auf die Pik 3 passen, aber warte.',
      'Karo-Ass auf Karo 2: Das war der letzte Zug in einer Farbe. Darunter liegt die Kreuz 4.',
      'Jetzt die gemischten Züge, der höchste zuerst: Kreuz-Bube auf Pik-Dame. Darunter liegt die Pik 2.',
      'Pik 2 auf Pik 3, in einer Farbe, also sofort. Läge die Kreuz 2 schon dort, wäre der Platz weg.',
      'Die nächsthöchste: Herz 7 und Herz 6 wandern zusammen auf die Pik 8. Darunter liegt die Karo 7.',
      'Karo 7 auf Kreuz 8, und noch eine Karte liegt offen. Die zwei Züge, die bleiben, decken nichts auf, darum teilt das Handbuch hier aus: sieben neue Karten und vier Paare in einer Farbe.',
    ],
    short: [
      'Zuerst die kurzen Stapel leeren',
      'Auf dem ersten Stapel liegt eine Karte, auf dem letzten liegen sieben. Links ist ein Stapel nach ein, zwei Zügen leer, rechts ist das ein Vorhaben. Fang links an und nutze den leeren Stapel, um rechts zu graben.',
      'Beide roten Siebenen passen auf die Pik 8.',
      'Die Herz 7 lag allein: Stapel 1 ist nach einem Zug leer.',
      'Unter der Karo 7 wird eine Karte aufgedeckt, aber fünf weitere liegen noch darunter.',
    ],
    once: [
      'Jede Karte gibt es nur einmal',
      'Bei Spider taucht vielleicht noch eine zweite Herz 10 auf. Hier nicht: Mit vier Farben hat jede Karte genau einen Platz in ihrer Farbe. Sieh vor einem gemischten Zug nach, wo dieser Platz ist und ob du ihn frei bekommst.',
      'Die Herz 9 gehört auf die Herz 10, und die liegt unter der Kreuz 3.',
      'Erst wandert die Kreuz 3 auf die Karo 4. Jetzt passt die 9 auf ihre eigene 10.',
      'Auf der Pik 10 deckt die Herz 9 dieselbe Karte auf, aber die beiden lassen sich nicht zusammen bewegen.',
    ],
    last: [
      'Dreimal voll austeilen, dann drei Karten',
      'Der Talon hat 24 Karten: dreimal sieben, und am Ende drei für die Stapel 1 bis 3. Auf die Stapel 4 bis 7 kommt dann nichts mehr. Bring die Folgen, auf die es ankommt, nach rechts, bevor du die letzten drei austeilst.',
      'Drei Karten sind noch da. Die Folge auf Stapel 3 wird gleich bedeckt.',
      'Sie wandert vorher auf Stapel 4 und bleibt offen.',
      'Zu früh ausgeteilt: Die Herz 2 liegt auf der Folge.',
    ],
    seven: [
      'Sieben Karten fürs nächste Austeilen behalten',
      'In den meisten Räumen wird nicht ausgeteilt, wenn auf dem Tisch weniger Karten liegen, als es Stapel gibt. Wo Farben nicht automatisch abgelegt werden, warte damit, solange der Talon noch Karten hat: Die niedrigen Karten einer Farbe füllen die leeren Stapel, und später setzt du sie wieder zusammen.',
      'Eine vollständige Farbe, drei andere Karten, und zehn sind noch im Talon.',
      'Vier niedrige Karten füllen die leeren Stapel: Jetzt darfst du austeilen.',
      'Die Farbe ist abgelegt: Für sieben Stapel bleiben drei Karten, und es wird nicht ausgeteilt.',
    ],
    colour: [
      'Wählen, welche Farbe aufwärts wächst',
      'Die erste Karte auf einer Ablage entscheidet für alle: Rot oder Schwarz wächst vom Ass aufwärts, das andere vom König abwärts. Leg das erste Ass oder den ersten König nicht nur ab, weil es geht. Vergleiche vorher: Wo liegen die niedrigen Karten offen, und wo die hohen?',
      'Beide Asse lassen sich ablegen. Aber sieh dir die Herz 2 und den Pik-König an.',
      'Herz wächst aufwärts: Ass und 2 sind abgelegt. Schwarz wächst nun abwärts, darum geht auch der Pik-König.',
      'Pik wächst aufwärts, Rot also abwärts: Herz-Ass, Herz 2 und Pik-König müssen alle warten.',
    ],
    above: [
      'Aus der unteren Reihe geht es nur gerade nach oben',
      'Solange der Talon reicht, darf eine Karte der oberen Reihe auf jede Ablage, auf die sie passt, eine der unteren nur auf die Ablage direkt über ihr. Beginn eine Farbe auf der Ablage, unter der ihre nächste Karte liegt.',
      'Das Herz-Ass darf auf die erste oder die zweite Ablage.',
      'Auf der zweiten kann ihm die Herz 2 von unten sofort folgen.',
      'Auf der ersten nicht: Die Herz 2 liegt nicht gerade darunter.',
    ],
    bury: [
      'Vor dem Austeilen alles ablegen, was geht',
      'Das Austeilen bedeckt jeden Stapel, und was bedeckt ist, bleibt es, bis die Karten darüber weg sind. Leg also ab, was sich ablegen lässt, und sieh nach jeder Karte neu hin. Einen leeren Stapel aufzuheben lohnt sich nicht: Das nächste Austeilen füllt ihn.',
      'Drei Karten lassen sich ablegen: Karo 3, dann Karo 4, und der Kreuz-König.',
      'Alle drei sind abgelegt, bevor ausgeteilt wird.',
      'Zu früh ausgeteilt: Alle drei sind bedeckt.',
    ],
    wrap: [
      'Am Ende kommen Asse auf Könige',
      'Ist der Talon leer, dürfen oberste Karten auch von Stapel zu Stapel: um eins höher oder niedriger, gleich welcher Farbe, und Ass und König sind Nachbarn. Ein Ass, das als Letztes gebraucht wird, wartet am besten auf einem König, für den dasselbe gilt.',
      'Die Herz 5 wird gebraucht, aber das Pik-Ass liegt darauf. Es passt auf den Karo-König und auf die Kreuz 2.',
      'Auf dem König stört es nicht: Die Herz 5 wird abgelegt, und die Kreuz 2 auch.',
      'Auf der Kreuz 2 bedeckt es eine Karte, die auch gebraucht wird.',
    ],
    empty: [
      'Ein leerer Stapel bleibt leer',
      'Ist am Ende ein Stapel aufgebraucht, dann ist er weg: Keine Karte kommt mehr dorthin. Mit jedem fehlt dir ein Platz zum Ablegen. Beweg Karten, um aufzudecken, was die Ablagen brauchen, und nicht nur, weil sie passen.',
      'Herz wartet auf die 6, und die liegt unter der Pik-Dame.',
      'Die Dame kommt auf den Karo-König, die Herz 6 auf ihre Ablage. Alle acht Stapel sind noch da.',
      'Auch die Kreuz 6 passt auf die Karo 7, aber das bringt nichts, und der erste Stapel ist weg.',
    ],
  },
  GAMES_ADVICE: {
    'spider-4':
      'Die meisten Züge mischen zwangsläufig Farben. Halt das Gemischte kurz, nimm die Züge, die Karten aufdecken, und sortiere mit jedem leeren Stapel. Nach einer alten Schätzung gewinnt man eins von zwanzig Spielen.',
    'spider-2':
      'Die Hälfte deiner Züge kann in einer Farbe sein, also warte auf sie. Ein gemischtes Paar sind Schulden: Bezahl sie, sobald ein Stapel leer ist.',
    'spider-1':
      'Jede Reihe lässt sich als Ganzes bewegen, darum sperrt fast nichts. Deck Karten auf, leere die kurzen Stapel und sei schnell: Auf dieser Stufe entscheidet im Rennen meist das Tempo.',
  },
};
