// Die Anmeldung in zwei Schritten.

import type { factor as english } from '../en/factor.ts';
import type { Translated } from '../translated.ts';

export const factor: Translated<typeof english> = {
  'factor.step': 'Zweiter Schritt',
  'factor.code': 'Code der Authentifizierungs-App',
  'factor.recovery': 'Wiederherstellungscode',
  'factor.continue': 'Weiter',
  'factor.useCode': 'Mit einem Code',
  'factor.useRecovery': 'Mit einem Wiederherstellungscode',
  'factor.usePasskey': 'Mit einem Passkey',
  'factor.back': 'Von vorn beginnen',
  'factor.wrong':
    'Das stimmt nicht, oder es ist zu viel Zeit vergangen. Versuchen Sie es noch einmal, oder beginnen Sie von vorn.',
  'factor.passkeySignIn': 'Mit Passkey anmelden',
  'factor.passkeyFailed':
    'Der Passkey wurde nicht benutzt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  'factor.title': 'Anmeldung in zwei Schritten',
  'factor.text':
    'Nach dem Passwort oder einem Link bestätigen Sie mit dem Code einer App oder einem Passkey. Ein Passkey meldet auch allein an.',
  'factor.requiredTitle': 'Anmeldung in zwei Schritten einrichten',
  'factor.requiredText':
    'Ihre Rolle verlangt sie. Wählen Sie eines von beiden; danach können Sie den Workspace benutzen.',
  'factor.app': 'Authentifizierungs-App',
  'factor.off': 'Nicht eingerichtet',
  'factor.since': 'Eingerichtet {when}',
  'factor.setUp': 'Einrichten',
  'factor.replace': 'Ersetzen',
  'factor.remove': 'Entfernen',
  'factor.scan':
    'Scannen Sie das mit der App, oder tippen Sie den Schlüssel ein. Geben Sie dann den Code ein, den die App zeigt.',
  'factor.qr': 'QR-Code für die Authentifizierungs-App',
  'factor.key': 'Schlüssel',
  'factor.confirm': 'Bestätigen',
  'factor.passkeys': 'Passkeys',
  'factor.noPasskeys': 'Noch keine',
  'factor.addPasskey': 'Passkey hinzufügen',
  'factor.used': 'zuletzt benutzt {when}',
  'factor.unused': 'noch nicht benutzt',
  'factor.recoveryCodes': 'Wiederherstellungscodes',
  'factor.left': { one: 'Einer ist übrig', other: '{count} sind übrig' },
  'factor.newCodes': 'Neue Codes',
  'factor.codesText':
    'Jeder meldet Sie einmal an, wenn Sie kein Gerät haben. Sie werden nur jetzt gezeigt.',
  'factor.copy': 'Kopieren',
  'factor.copied': 'Kopiert',
  'factor.download': 'Herunterladen',
  'factor.done': 'Fertig',
};
