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
};
