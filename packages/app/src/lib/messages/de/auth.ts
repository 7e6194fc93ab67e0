// Anmelden.

import type { auth as english } from '../en/auth.ts';
import type { Translated } from '../translated.ts';

export const auth: Translated<typeof english> = {
  'signIn.title': 'Bei {workspace} anmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Passwort zeigen',
  'signIn.submit': 'Anmelden',
  'signIn.with': 'Weiter mit {name}',
  'signIn.wrong': 'Diese Adresse und dieses Passwort gehören nicht zusammen.',
  'signIn.locked': 'Zu viele Versuche. Der nächste ist in {time} möglich.',
  'signIn.unlocked': 'Sie können es jetzt wieder versuchen.',
  'signIn.insecure':
    'Hier kann sich niemand anmelden, denn die Verbindung ist nicht verschlüsselt. Verwenden Sie https.',
  'signIn.forgotten':
    'Passwort vergessen? Die Administration kann Ihnen einen Einmal-Link schicken.',
  'link.checking': 'Anmeldung läuft …',
  'link.welcome': 'Willkommen, {name}',
  'link.password':
    'Sie sind angemeldet. Mit einem Passwort brauchen Sie beim nächsten Mal keinen Link.',
  'link.later': 'Jetzt nicht',
  'link.refused': 'Dieser Link gilt nicht',
  'link.expired':
    'Er wurde schon benutzt oder ist älter als 30 Minuten. Bitten Sie um einen neuen.',
  'link.otherWay': 'Anders anmelden',
  'link.present': 'Sie sind schon angemeldet',
  'link.presentText':
    'Sie sind als {name} angemeldet. Wenn Sie den Link benutzen, meldet dieser Browser die Person an, für die er gemacht wurde.',
  'link.use': 'Link benutzen',
  'link.stay': 'Als {name} angemeldet bleiben',
  'other.title': 'Jemand anders hat sich angemeldet',
  'other.text':
    '{name} hat sich in diesem Browser angemeldet. Was Sie in diesem Tab schreiben, würde unter {name} gespeichert.',
  'other.continue': 'Weiter als {name}',
  'again.endedTitle': 'Neu anmelden',
  'again.freshTitle': 'Bestätigen Sie, dass Sie es sind',
  'again.ended': 'Ihre Sitzung ist zu Ende. Nichts, was Sie geschrieben haben, geht verloren.',
  'again.fresh':
    'Dafür ist eine Anmeldung der letzten 30 Minuten nötig. Danach geht es von selbst weiter.',
  'again.elsewhere': 'Oder melden Sie sich in einem anderen Tab an und machen Sie hier weiter.',
  'again.notYet': 'Es gibt noch keine neue Sitzung von Ihnen.',
  'again.look': 'Ich habe mich angemeldet',
  'again.close': 'Schließen',
  'choose.title': 'Workspace Records',
  'choose.text': 'Welchen Workspace möchten Sie öffnen?',
  'choose.workspace': 'Workspace',
  'choose.form': 'Kleinbuchstaben, Ziffern und Bindestriche',
  'choose.go': 'Weiter',
  'password.current': 'Bisheriges Passwort',
  'password.new': 'Neues Passwort',
  'password.rule': 'Mindestens {count} Zeichen. Ein Satz ist gut.',
  'password.set': 'Passwort setzen',
  'password.wrong': 'Das bisherige Passwort ist falsch.',
  'refused.unknown':
    'Der Anbieter hat nicht gesagt, wer Sie sind, oder niemand hier hat Ihre Adresse. Versuchen Sie es noch einmal, oder fragen Sie die Administration.',
  'refused.over':
    'Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es noch einmal.',
  'refused.tooMany': 'Zu viele Versuche. Versuchen Sie es in einer Viertelstunde noch einmal.',
  'refused.provider':
    'Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
};
