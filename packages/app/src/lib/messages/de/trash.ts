// Gelöschte Datensätze, die wiederhergestellt werden können.

import type { trash as english } from '../en/trash.ts';
import type { Translated } from '../translated.ts';

export const trash: Translated<typeof english> = {
  'trash.open': 'Gelöschte Datensätze',
  'trash.tool': 'Gelöscht',
  'trash.keywords': 'Papierkorb Gelöschte wiederherstellen',
  'trash.of': 'Gelöscht: {name}',
  'trash.back': 'Zurück zu {name}',
  'trash.text': {
    one: 'Gelöschte Datensätze können {count} Tag lang wiederhergestellt werden, mit Kommentaren und Verknüpfungen.',
    other:
      'Gelöschte Datensätze können {count} Tage lang wiederhergestellt werden, mit Kommentaren und Verknüpfungen.',
  },
  'trash.off': 'Gelöschte Datensätze dieser Art werden nicht aufbewahrt.',
  'trash.search': 'Gelöschte Datensätze suchen',
  'trash.none': 'Keine gelöschten Datensätze',
  'trash.noMatch': 'Keine passenden gelöschten Datensätze',
  'trash.clear': 'Alle anzeigen',
  'trash.name': 'Name',
  'trash.deleted': 'Gelöscht',
  'trash.by': 'Von',
  'trash.until': 'Wiederherstellbar bis',
  'trash.acts': 'Aktionen',
  'trash.restore': 'Wiederherstellen',
  'trash.restoreOne': '{name} wiederherstellen',
  'trash.restored': '„{name}“ wurde wiederhergestellt.',
  'trash.missing': 'Nicht wiederhergestellt: {parts}.',
  'trash.links': { one: '{count} Verknüpfung', other: '{count} Verknüpfungen' },
  'trash.references': {
    one: '{count} Verweis, der jetzt zu einem anderen Datensatz führt',
    other: '{count} Verweise, die jetzt zu anderen Datensätzen führen',
  },
  'trash.purge': 'Endgültig löschen',
  'trash.purgeOne': 'Endgültig löschen: {name}',
  'trash.purgeTitle': '„{name}“ endgültig löschen?',
  'trash.purgeText':
    'Der Datensatz, seine Kommentare und Verknüpfungen können nicht mehr wiederhergestellt werden.',
  'trash.purged': '„{name}“ wurde endgültig gelöscht.',
  'trash.restoredAct': 'Wiederhergestellt',
  'trash.purgedAct': 'Endgültig gelöscht',
  'trash.more': 'Mehr anzeigen',
  'trash.setting': 'Gelöschte Datensätze',
  'trash.settingText':
    'Wie lange man sie wiederherstellen kann, mit Kommentaren und Verknüpfungen.',
  'trash.settingOff': 'Nicht aufbewahrt',
  'trash.settingDays': { one: '{count} Tag aufbewahrt', other: '{count} Tage aufbewahrt' },
  'trash.kept': {
    one: 'Sie können ihn {count} Tag lang wiederherstellen, mit Kommentaren und Verknüpfungen.',
    other: 'Sie können ihn {count} Tage lang wiederherstellen, mit Kommentaren und Verknüpfungen.',
  },
  'trash.keptMany': {
    one: 'Sie können sie {count} Tag lang wiederherstellen, mit Kommentaren und Verknüpfungen.',
    other: 'Sie können sie {count} Tage lang wiederherstellen, mit Kommentaren und Verknüpfungen.',
  },
};
