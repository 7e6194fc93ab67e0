// Messages of the service about webhooks, in German.

import type { Sentences } from '../sentences.ts';

export const ofWebhooks: Sentences = [
  // Webhooks: why they do not send (src/plan/webhook-reasons.ts of the service), and what is refused of them.
  ['It was paused.', 'Er wurde pausiert.'],
  [
    'The workspace was restored. Rotate the secret, then activate the webhook.',
    'Der Workspace wurde wiederhergestellt. Wechseln Sie das Geheimnis und setzen Sie dann fort.',
  ],
  [
    'The database was restored from a backup. Activate the webhook from now on.',
    'Die Datenbank wurde aus einer Sicherung wiederhergestellt. Setzen Sie ab jetzt fort.',
  ],
  [
    'The changes behind its position are no longer kept. Activate it from now on.',
    'Die Änderungen nach seiner Position sind nicht mehr gespeichert. Setzen Sie ab jetzt fort.',
  ],
  [
    'The receiver answered 410: it is gone.',
    'Der Empfänger hat mit 410 geantwortet: Es gibt ihn nicht mehr.',
  ],
  ['Nothing could be delivered for 5 days.', 'Seit 5 Tagen konnte nichts zugestellt werden.'],
  ['Its owner is no longer active.', 'Sein Besitzer ist nicht mehr aktiv.'],
  ['Its owner no longer has developer access.', 'Sein Besitzer hat keinen Entwicklerzugang mehr.'],
  [
    'The API key that it was last changed with is no longer valid.',
    'Der API-Schlüssel, mit dem er zuletzt geändert wurde, ist nicht mehr gültig.',
  ],
  [
    'Its owner may no longer read what it asks for, or the definition no longer has it.',
    'Sein Besitzer darf nicht mehr alles lesen, wonach er fragt, oder die Definition hat es nicht mehr.',
  ],
  [
    'Its secret cannot be decrypted with the keys of the service. Rotate the secret.',
    'Sein Geheimnis lässt sich mit den Schlüsseln des Dienstes nicht entschlüsseln. Wechseln Sie es.',
  ],
  ['There is no such webhook.', 'Diesen Webhook gibt es nicht.'],
  ['There is no such delivery.', 'Diese Zustellung gibt es nicht.'],
  [
    'A workspace can have at most {} webhooks. Delete one first.',
    'Ein Workspace kann höchstens {} Webhooks haben. Löschen Sie erst einen.',
  ],
  [
    'The webhook has changed since it was read.',
    'Der Webhook wurde geändert, seit er gelesen wurde.',
  ],
  [
    'The webhook has no secret. Rotate the secret first.',
    'Der Webhook hat kein Geheimnis. Wechseln Sie es zuerst.',
  ],
  [
    'The webhook does not send: it is {}. Activate it first.',
    'Der Webhook sendet nicht. Setzen Sie ihn zuerst fort.',
  ],
  [
    'The position is no longer kept. Continue with "resume": "now".',
    'Die Position ist nicht mehr gespeichert. Setzen Sie ab jetzt fort.',
  ],
  ['Webhooks are not sent to this address.', 'An diese Adresse werden keine Webhooks gesendet.'],
  ['A webhook needs an address with https.', 'Die Adresse muss mit https beginnen.'],
  ['The address is not a valid URL.', 'Die Adresse ist keine gültige URL.'],
  [
    'The address of a webhook cannot contain credentials. Use a header.',
    'Die Adresse darf keine Zugangsdaten enthalten. Benutzen Sie einen Header.',
  ],
  [
    'The address of a webhook cannot have a fragment.',
    'Die Adresse darf keinen Teil nach # haben.',
  ],
  [
    'The headers of a webhook can have at most {} bytes together.',
    'Die Header dürfen zusammen höchstens {} Bytes haben.',
  ],
  ['The header "{}" is repeated.', 'Der Header „{}“ kommt zweimal vor.'],
  ['"{}" is not a valid name of a header.', '„{}“ ist kein gültiger Name eines Headers.'],
  ['The header "{}" cannot be set.', 'Der Header „{}“ kann nicht gesetzt werden.'],
  [
    'The value of the header "{}" must be printable ASCII characters.',
    'Der Wert des Headers „{}“ darf nur druckbare ASCII-Zeichen haben.',
  ],
  ['A webhook has at most {} conditions.', 'Ein Webhook hat höchstens {} Bedingungen.'],
  ['since must be in the past.', '„Seit“ muss in der Vergangenheit liegen.'],
  ['until must be after since.', '„Bis“ muss nach „Seit“ liegen.'],
];
