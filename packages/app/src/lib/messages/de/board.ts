// Die Tafel, und Wechsel von Datensätzen von einem Status in einen anderen.

import type { board as english } from '../en/board.ts';
import type { Translated } from '../translated.ts';

export const board: Translated<typeof english> = {
  'move.here': 'Er ist hier.',
  'move.foreign': 'Kein Status seines Ablaufs.',
  'move.unlisted': 'Von „{from}“ führt kein Weg hierher.',
  'move.approval': 'Braucht die Zustimmung von jemand anderem.',
  'move.approvalBy': 'Braucht die Zustimmung von {names}.',
  'move.team': 'Team {name}',
  'move.yours': 'Braucht Zustimmung, die Sie damit geben.',
  'move.meanwhile':
    'Jemand hat ihn inzwischen nach „{status}“ verschoben. Er wurde nicht noch einmal verschoben.',
};
