// Anmelden.

import type { auth as english } from '../en/auth.ts';
import type { Translated } from '../translated.ts';

export const auth: Translated<typeof english> = {
  'signIn.title': 'Bei {workspace} anmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.submit': 'Anmelden',
  'signIn.with': 'Weiter mit {name}',
  'signIn.wrong': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'signIn.locked': 'Zu viele Versuche. Versuchen Sie es in {time} noch einmal.',
  'signIn.unlocked': 'Sie können es jetzt wieder versuchen.',
  'signIn.insecure':
    'Sie können sich nicht anmelden, weil die Verbindung nicht verschlüsselt ist. Öffnen Sie diese Seite mit https.',
  'signIn.mailMe': 'Link per Mail',
  'signIn.mailText': 'Sie bekommen einen Link, der Sie einmal anmeldet und 30 Minuten gilt.',
  'signIn.mailSend': 'Link schicken',
  'signIn.mailed': 'Wenn {email} hier zu einer Person gehört, ist eine Mail unterwegs.',
  'signIn.forgotten':
    'Die Anmeldung gelingt nicht? Die Administration kann Ihnen einen Einmal-Link schicken und den zweiten Schritt zurücksetzen.',
  'link.checking': 'Anmeldung läuft …',
  'link.welcome': 'Willkommen, {name}',
  'link.password':
    'Sie sind angemeldet. Mit einem Passwort brauchen Sie beim nächsten Mal keinen Link.',
  'link.later': 'Jetzt nicht',
  'link.refused': 'Dieser Link ist nicht gültig',
  'link.expired':
    'Er wurde schon benutzt, ist abgelaufen, oder es gibt einen neueren. Bitten Sie die Administration um einen neuen.',
  'link.otherWay': 'Anders anmelden',
  'link.present': 'Sie sind schon angemeldet',
  'link.presentText':
    'Sie sind als {name} angemeldet. Der Link meldet die Person an, für die er angelegt wurde.',
  'link.use': 'Link benutzen',
  'link.stay': 'Als {name} angemeldet bleiben',
  'other.title': 'Eine andere Person hat sich angemeldet',
  'other.text':
    '{name} hat sich in diesem Browser angemeldet. Änderungen in diesem Tab würden unter {name} gespeichert.',
  'other.continue': 'Weiter als {name}',
  'again.endedTitle': 'Wieder anmelden',
  'again.freshTitle': 'Bestätigen Sie Ihre Identität',
  'again.ended': 'Ihre Sitzung ist beendet. Melden Sie sich an, um fortzufahren.',
  'again.kept': {
    one: 'Eine ungespeicherte Änderung bleibt in diesem Browser.',
    other: '{count} ungespeicherte Änderungen bleiben in diesem Browser.',
  },
  'again.fresh':
    'Ihre letzte Anmeldung ist mehr als 30 Minuten her. Melden Sie sich an, um fortzufahren.',
  'again.elsewhere': 'Oder melden Sie sich in einem anderen Tab an und machen Sie hier weiter.',
  'again.notYet': 'Sie sind noch nicht angemeldet.',
  'again.look': 'Weiter',
  'again.close': 'Schließen',
  'choose.title': 'Workspace Records',
  'choose.text': 'Welchen Workspace möchten Sie öffnen?',
  'choose.workspace': 'Workspace',
  'choose.form': 'Kleinbuchstaben, Ziffern und Bindestriche',
  'choose.go': 'Weiter',
  'password.current': 'Aktuelles Passwort',
  'password.new': 'Neues Passwort',
  'password.rule': 'Mindestens {count} Zeichen, zum Beispiel ein Satz.',
  'password.set': 'Passwort setzen',
  'password.wrong': 'Das aktuelle Passwort ist falsch.',
  'refused.unknown':
    'Der Anbieter hat Ihre Identität nicht bestätigt, oder keine Person hier hat Ihre Adresse. Versuchen Sie es noch einmal, oder fragen Sie die Administration.',
  'refused.emailMissing':
    'Der Anbieter hat keine E-Mail-Adresse von Ihnen gesendet. Bitten Sie seine Verwaltung, sie in Ihrem Konto einzutragen, oder melden Sie sich auf andere Weise an.',
  'refused.emailNotVerified':
    'Laut dem Anbieter ist Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, oder fragen Sie seine Verwaltung, und melden Sie sich dann noch einmal an.',
  'refused.noFactor':
    'Der Identitätsanbieter hat keinen zweiten Schritt verlangt, den dieser Dienst fordert. Sagen Sie es Ihrer Administration.',
  'refused.emailSilent':
    'Der Anbieter sagt nicht, ob Ihre E-Mail-Adresse bestätigt ist. Bitten Sie den Betreiber dieses Dienstes, OIDC_…_TRUST_EMAIL zu setzen, oder melden Sie sich auf andere Weise an.',
  'refused.claims':
    'Der Anbieter hat eine Identität gesendet, die dieser Dienst nicht speichern kann. Informieren Sie die Administration, oder melden Sie sich auf andere Weise an.',
  'refused.notConfirmed':
    'Der Anbieter hat Ihre Identität nicht bestätigt. Versuchen Sie es noch einmal. Geschieht es wieder, informieren Sie die Administration.',
  'refused.over':
    'Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es noch einmal.',
  'refused.tooMany': 'Zu viele Versuche. Versuchen Sie es in 15 Minuten noch einmal.',
  'refused.provider':
    'Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
};
