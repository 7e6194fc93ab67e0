// Mitteilungen: bisher Erwähnungen.

import type { notifications as english } from '../en/notifications.ts';
import type { Translated } from '../translated.ts';

export const notifications: Translated<typeof english> = {
  'notifications.title': 'Mitteilungen',
  'notifications.unreadCount': {
    one: 'Mitteilungen, {count} ungelesen',
    other: 'Mitteilungen, {count} ungelesen',
  },
  'notifications.all': 'Alle',
  'notifications.unread': 'Ungelesene',
  'notifications.which': 'Mitteilungen filtern',
  'notifications.markAll': 'Alle als gelesen kennzeichnen',
  'notifications.mark': 'Als gelesen kennzeichnen',
  'notifications.mentioned': '{name} hat Sie erwähnt',
  'notifications.isUnread': 'Ungelesen',
  'notifications.none': 'Noch keine Mitteilungen',
  'notifications.noneText': 'Wenn jemand Sie in einem Kommentar erwähnt, erscheint es hier.',
  'notifications.noneUnread': 'Keine ungelesenen Mitteilungen',
  'notifications.more': 'Frühere Mitteilungen anzeigen',
  'notifications.unknown': 'Ein Datensatz',
};
