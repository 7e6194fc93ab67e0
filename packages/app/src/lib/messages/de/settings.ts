// Profil, Sitzungen, Schlüssel.

import type { settings as english } from '../en/settings.ts';
import type { Translated } from '../translated.ts';

export const settings: Translated<typeof english> = {
  'settings.label': 'Einstellungen',
  'profile.title': 'Profil',
  'profile.keywords': 'Passwort Sprache Darstellung Konto',
  'profile.who': 'Über Sie',
  'profile.whoText': 'Namen und Adressen pflegt die Administration.',
  'profile.name': 'Name',
  'profile.email': 'E-Mail-Adresse',
  'profile.role': 'Titel',
  'profile.workspace': 'Workspace',
  'profile.look': 'Aussehen',
  'profile.lookText': 'Für diesen Browser.',
  'profile.theme': 'Darstellung',
  'profile.language': 'Sprache',
  'profile.password': 'Passwort',
  'profile.passwordText':
    'Ein neues beendet alle Ihre anderen Sitzungen. Lassen Sie das bisherige leer, wenn Sie keines haben.',
  'profile.passwordByLink':
    'Sie haben sich mit einem Link angemeldet, darum geht es ohne das alte Passwort.',
  'profile.passwordSet': {
    one: 'Das Passwort ist gesetzt. Eine andere Sitzung wurde beendet.',
    other: 'Das Passwort ist gesetzt. {count} andere Sitzungen wurden beendet.',
  },
  'sessions.title': 'Sitzungen',
  'sessions.text':
    'Browser, in denen Sie angemeldet sind. Eine Sitzung endet nach 14 Tagen ohne Benutzung, spätestens nach 90.',
  'sessions.this': 'Diese',
  'sessions.byPassword': 'Mit Passwort',
  'sessions.byLink': 'Mit Einmal-Link',
  'sessions.byProvider': 'Mit Identitätsanbieter',
  'sessions.times': 'Seit {begun}, benutzt {used}, endet {ends}',
  'sessions.end': 'Beenden',
  'sessions.endOthers': 'Alle anderen beenden',
  'sessions.ended': {
    one: 'Eine Sitzung wurde beendet.',
    other: '{count} Sitzungen wurden beendet.',
  },
  'keys.title': 'API-Schlüssel',
  'keys.keywords': 'Entwickler Token Geheimnis',
};
