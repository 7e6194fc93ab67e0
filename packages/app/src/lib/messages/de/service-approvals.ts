// Messages of the service about moves that need approval, in German.

import type { Sentences } from '../sentences.ts';

export const approvalSentences: Sentences = [
  ['You can make this move without approval.', 'Für diesen Wechsel brauchen Sie keine Zustimmung.'],
  [
    'This move of the record is waiting for approval already.',
    'Um diesen Wechsel wurde schon gebeten.',
  ],
  ['There is no such status request.', 'Diese Anfrage gibt es nicht.'],
  [
    'The record has changed since the move was asked for.',
    'Der Datensatz wurde geändert, seit um den Wechsel gebeten wurde.',
  ],
  [
    'The record has moved to another status since.',
    'Der Datensatz hat seitdem einen anderen Status.',
  ],
  [
    'The move is not possible for the person who asked: {}',
    'Wer gefragt hat, kann den Wechsel nicht mehr machen: {}',
  ],
  ['The request is {}.', 'Die Anfrage ist nicht mehr offen ({}).'],
  [
    'The workflow no longer has this move, or it no longer needs approval.',
    'Der Workflow hat diesen Wechsel nicht mehr, oder er braucht keine Zustimmung mehr.',
  ],
  [
    'Only approvers of the move can decide about it.',
    'Nur wer dem Wechsel zustimmen darf, kann entscheiden.',
  ],
  [
    'People cannot decide about their own requests.',
    'Über eigene Anfragen können Sie nicht entscheiden.',
  ],
  [
    'You have decided about this request already.',
    'Sie haben über diese Anfrage schon entschieden.',
  ],
  [
    'Only the person who asked can withdraw a request.',
    'Nur wer gefragt hat, kann eine Anfrage zurückziehen.',
  ],
];
