// Wechsel, die Zustimmung brauchen: darum bitten und entscheiden.

import type { approvals as english } from '../en/approvals.ts';
import type { Translated } from '../translated.ts';

export const approvals: Translated<typeof english> = {
  'approval.ask': 'Um Zustimmung bitten',
  'approval.askText': 'Wer „{status}“ freigibt, entscheidet, ob „{name}“ dorthin wechselt.',
  'approval.comment': 'Kommentar für die Entscheidung',
  'approval.optional': 'Freiwillig',
  'approval.send': 'Bitten',
  'approval.sent': 'Um Zustimmung gebeten: {name} nach {status}',
  'approval.waiting': 'Wartet auf Ihre Entscheidung',
  'approval.pending': 'Wartet auf Zustimmung',
  'approval.title': '{name} nach {status}',
  'approval.by': '{name} hat gefragt',
  'approval.count': '{given} von {required} Zustimmungen',
  'approval.changed': 'Seitdem geändert: {fields}',
  'approval.approve': 'Zustimmen',
  'approval.reject': 'Ablehnen',
  'approval.withdraw': 'Zurückziehen',
  'approval.approved': 'Zugestimmt und nach {status} verschoben',
  'approval.noted': 'Zugestimmt. Es fehlen noch Zustimmungen.',
  'approval.rejected': 'Abgelehnt',
  'approval.withdrawn': 'Zurückgezogen',
  'notifications.asked': '{name} bittet um Ihre Zustimmung',
  'notifications.approved': '{name} hat Ihrer Anfrage zugestimmt',
  'notifications.rejected': '{name} hat Ihre Anfrage abgelehnt',
  'event.requested': 'Zustimmung erbeten',
  'event.decided': 'Anfrage entschieden',
  'scope.approvalsWrite': 'Wechseln zustimmen und sie ablehnen',
  'keys.asking': 'Bittet um Wechsel, die Zustimmung brauchen, nur',
  'activity.requested': '{person} hat um Zustimmung zu einem Wechsel gebeten',
  'activity.approvedMove': '{person} hat einem Wechsel zugestimmt',
  'activity.decidedMove': '{person} hat über einen Wechsel entschieden',
};
