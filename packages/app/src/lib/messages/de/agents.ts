// Einen Agenten verbinden.

import type { agents as english } from '../en/agents.ts';
import type { Translated } from '../translated.ts';

export const agents: Translated<typeof english> = {
  'agent.connect': 'Agent verbinden',
  'agent.text':
    'Ein Agent, etwa ein KI-Assistent, arbeitet hier über MCP, ein Protokoll für solche Programme, mit einem eigenen Schlüssel. Er sieht, was die Person oder der Agent des Schlüssels sieht. Wechsel, die Zustimmung brauchen, bleiben bei Menschen.',
  'agent.nameText':
    'Der Agent, der den Schlüssel benutzt. Der Schlüssel läuft nach {days} Tagen ab.',
  'agent.rights': 'Der Agent darf',
  'agent.read': 'Nur lesen',
  'agent.write': 'Lesen, anlegen, ändern und kommentieren',
  'agent.which': 'Einrichtung für',
  'agent.inTerminal': 'In einem Terminal',
  'agent.inFile': 'In der Datei {file}',
  'agent.variable':
    'Geben Sie das Geheimnis in der Variable AGENT_KEY an, dort, wo der Agent danach fragt, oder statt „…“.',
  'agent.copy': 'Einrichtung kopieren',
  'audit.byMcp': 'Agent über MCP',
  'consent.title': 'Programm verbinden',
  'consent.thisComputer': 'Ein Programm auf diesem Rechner',
  'consent.calledByAddress': 'Es nennt sich „{name}“.',
  'consent.calledByItself':
    'Es nennt sich „{name}“. Niemand hat diesen Namen geprüft: Fahren Sie nur fort, wenn Sie es gerade selbst verbunden haben.',
  'consent.calledByAdministrator': '„{name}“, von der Administration eingetragen.',
  'consent.returnsTo': 'Die Antwort erhält: {place}',
  'consent.asYou':
    'Es möchte in {workspace} als Sie arbeiten ({person}) und sieht nie mehr als Sie.',
  'consent.may': 'Es darf:',
  'consent.write': 'Es darf auch Daten ändern:',
  'consent.never':
    'Es stimmt niemals zu, und Wechsel, die Zustimmung brauchen, bleiben bei Menschen. Sie können den Zugriff jederzeit unter API-Schlüssel widerrufen.',
  'consent.give': 'Zugriff geben',
  'consent.decline': 'Ablehnen',
  'consent.given': 'Das Programm hat Zugriff. Machen Sie dort weiter.',
  'consent.refused':
    'Die Anfrage des Programms ist nicht gültig, deshalb kann es keinen Zugriff erhalten: {reason}',
  'consent.back': 'Zurück zum Programm',
  'programs.title': 'Programme',
  'programs.text':
    'Fremde Programme, denen Personen Zugriff gegeben haben. Wird eines ausgeschaltet, endet sein Zugriff sofort überall.',
  'programs.none': 'Kein fremdes Programm hat Zugriff.',
  'programs.off': 'Dieser Dienst gibt Zugriff nur über Schlüssel: OAUTH ist aus.',
  'programs.grants': { one: 'Zugriff einmal gegeben', other: 'Zugriff {count}-mal gegeben' },
  'programs.switchedOff': 'Ausgeschaltet',
  'programs.switchOff': 'Ausschalten',
  'programs.switchOn': 'Einschalten',
  'programs.switchOffNamed': '{name} ausschalten',
  'programs.switchOnNamed': '{name} einschalten',
  'keys.ofFeed': 'Kalender-Abo',
  'keys.ofProgram': 'Zugriff von {client}',
  'keys.ofSomeProgram': 'Zugriff eines Programms',
};
