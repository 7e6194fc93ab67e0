// What the service says in English, in German: whole sentences, with places for what they name. What is not here is told as
// the service has told it. test/messages.test.ts compares them with the sources of the service.

import type { Sentences } from '../sentences.ts';

export const sentences: Sentences = [
  // Each code without more (src/errors.ts there).
  ['The request body is not valid JSON.', 'Die Anfrage ist kein gültiges JSON.'],
  ['The request is not valid.', 'Die Anfrage ist nicht gültig.'],
  ['The filter is not valid.', 'Der Filter ist nicht gültig.'],
  [
    'The cursor does not belong to this request. Start again without a cursor.',
    'Diese Seite der Liste gibt es nicht mehr. Beginnen Sie von vorn.',
  ],
  ['Send an API key as "Authorization: Bearer <API_KEY>".', 'Sie sind nicht angemeldet.'],
  ['The API key is not valid.', 'Der API-Schlüssel ist nicht gültig.'],
  ['The API key has expired.', 'Der API-Schlüssel ist abgelaufen.'],
  [
    'The workspace, the address, the password or the link is not valid.',
    'Arbeitsbereich, Adresse, Passwort oder Link stimmt nicht.',
  ],
  [
    'The user of this API key no longer has developer access.',
    'Die Person dieses API-Schlüssels ist nicht mehr als Entwickler zugelassen.',
  ],
  [
    'The API key does not belong to the workspace of this host.',
    'Der API-Schlüssel gehört nicht zum Arbeitsbereich dieser Adresse.',
  ],
  ['The API key lacks a scope for this request.', 'Dem API-Schlüssel fehlt ein Recht dafür.'],
  [
    'A request with a session must come from a page of the service itself.',
    'Das geht nur von einer Seite des Dienstes selbst.',
  ],
  [
    'This needs a sign-in of the last 30 minutes. Sign in again.',
    'Dafür ist eine Anmeldung der letzten 30 Minuten nötig. Melden Sie sich noch einmal an.',
  ],
  ['The user may not do this.', 'Das dürfen Sie nicht.'],
  [
    'This object type has no display field to search in.',
    'Datensätze dieser Art haben keinen Namen, in dem gesucht werden kann.',
  ],
  [
    'This object type does not support this write through the API.',
    'Datensätze dieser Art lassen das nicht zu.',
  ],
  ['There is no such route.', 'Diese Adresse gibt es nicht.'],
  ['There is no such object type.', 'Diese Art von Datensätzen gibt es nicht.'],
  ['There is no such record.', 'Diesen Datensatz gibt es nicht.'],
  ['There is no such user.', 'Diese Person gibt es nicht.'],
  ['There is no such workflow.', 'Diesen Ablauf gibt es nicht.'],
  ['This object type has no comments.', 'Datensätze dieser Art haben keine Kommentare.'],
  ['The route does not support this method.', 'Das geht an dieser Adresse nicht.'],
  ['The request did not arrive in time.', 'Die Anfrage kam nicht rechtzeitig an.'],
  ['The request conflicts with existing data.', 'Das widerspricht dem, was schon da ist.'],
  [
    'A request with this Idempotency-Key is still in progress.',
    'Dieselbe Anfrage wird noch bearbeitet.',
  ],
  [
    'The record has changed since it was read.',
    'Der Datensatz wurde inzwischen von jemandem geändert.',
  ],
  ['The request body is too large.', 'Das ist zu viel auf einmal.'],
  [
    'Send the body as "Content-Type: application/json" in UTF-8.',
    'Die Anfrage hat nicht die Form, die der Dienst erwartet.',
  ],
  ['The write was rejected.', 'Die Änderung wurde abgelehnt.'],
  [
    'This Idempotency-Key was used with a different request.',
    'Unter diesem Schlüssel wurde schon etwas anderes gesendet.',
  ],
  ['The rate limit is exceeded.', 'Das waren zu viele Anfragen.'],
  [
    'There are too many open streams of this key or workspace. Close some, then try again.',
    'Zu viele Fenster sind offen. Schließen Sie einige und versuchen Sie es noch einmal.',
  ],
  ['The request headers are too large.', 'Die Anfrage ist zu groß.'],
  [
    'The service failed to answer. The failure was logged.',
    'Der Dienst konnte nicht antworten. Der Fehler ist verzeichnet.',
  ],
  ['The service is busy. Try again shortly.', 'Der Dienst ist ausgelastet.'],
  // Values of fields.
  ['The field is required.', 'Dieses Feld muss ausgefüllt sein.'],
  ['The field is read-only.', 'Dieses Feld kann nicht geändert werden.'],
  ['The field is repeated.', 'Das Feld kommt doppelt vor.'],
  ['The value must be a string.', 'Der Wert muss ein Text sein.'],
  ['The value must be a number.', 'Der Wert muss eine Zahl sein.'],
  ['The value must be a whole number.', 'Der Wert muss eine ganze Zahl sein.'],
  ['The value must be true or false.', 'Der Wert muss Ja oder Nein sein.'],
  ['The value must be an e-mail address.', 'Der Wert muss eine E-Mail-Adresse sein.'],
  [
    'The value must be an http or https URL.',
    'Der Wert muss eine Adresse mit http oder https sein.',
  ],
  ['The value must be JSON.', 'Der Wert muss JSON sein.'],
  ['The value must be a record id.', 'Der Wert muss ein Datensatz sein.'],
  ['The value must be a user id.', 'Der Wert muss eine Person sein.'],
  ['The value must be a date as YYYY-MM-DD.', 'Der Wert muss ein Datum sein.'],
  ['The value must be a time to come.', 'Der Zeitpunkt muss in der Zukunft liegen.'],
  ['The value must fit 32 bits.', 'Der Wert ist zu groß.'],
  [
    'The value must be one of the options of the field.',
    'Der Wert muss eine der Auswahlen des Felds sein.',
  ],
  ['The value must be an array of options.', 'Der Wert muss aus Auswahlen bestehen.'],
  [
    'The value must hold options of the field only.',
    'Der Wert darf nur Auswahlen des Felds enthalten.',
  ],
  ['The value must not have more than {} values.', 'Höchstens {} Werte sind möglich.'],
  ['The value must be at least {}.', 'Der Wert muss mindestens {} sein.'],
  ['The value must be at most {}.', 'Der Wert darf höchstens {} sein.'],
  [
    'The value must have at most {} significant digits and be below 1e15.',
    'Der Wert darf höchstens {} Ziffern haben und muss unter 10¹⁵ liegen.',
  ],
  ['The value must be a number of magnitude below 1e15.', 'Der Wert muss unter 10¹⁵ liegen.'],
  [
    'The value must have at most {} significant digits.',
    'Der Wert darf höchstens {} Ziffern haben.',
  ],
  [
    'The value must have at most {} decimal places.',
    'Der Wert darf höchstens {} Stellen nach dem Komma haben.',
  ],
  ['The value must not be longer than {} characters.', 'Höchstens {} Zeichen sind möglich.'],
  [
    'The value must not be longer than {} characters as JSON.',
    'Als JSON sind höchstens {} Zeichen möglich.',
  ],
  ['The value must not be shorter than {} characters.', 'Mindestens {} Zeichen sind nötig.'],
  ['The value must match the pattern {}.', 'Der Wert muss dem Muster {} entsprechen.'],
  [
    'The value must not contain U+0000 or lone surrogates.',
    'Der Wert enthält Zeichen, die nicht gespeichert werden können.',
  ],
  [
    'The value must be a phone number such as +49 30 1234567 or (503) 555-9831: 3 or more digits, with spaces and . - / ( ) between them.',
    'Der Wert muss eine Telefonnummer sein, etwa +49 30 1234567: mindestens drei Ziffern, dazwischen Leerzeichen und . - / ( ).',
  ],
  ['The value must be an active work-item type.', 'Diesen Aufgabentyp gibt es nicht mehr.'],
  // Writes of records.
  ['Another record has this value already.', 'Ein anderer Datensatz hat diesen Wert schon.'],
  ['More than one record matches.', 'Mehrere Datensätze passen.'],
  [
    'There is no active user with this id.',
    'Diese Person gibt es nicht, oder sie ist nicht mehr aktiv.',
  ],
  ['There is no such active user.', 'Diese Person gibt es nicht, oder sie ist nicht mehr aktiv.'],
  ['There is no such relationship.', 'Diese Verknüpfung gibt es nicht.'],
  ['Other records cannot be without this one.', 'Andere Datensätze können nicht ohne diesen sein.'],
  [
    'Other records cannot be without this one: {}.',
    'Andere Datensätze können nicht ohne diesen sein: {}.',
  ],
  [
    'Other records refer to this one, or one it refers to is gone.',
    'Andere Datensätze verweisen darauf, oder einer, auf den es verweist, ist nicht mehr da.',
  ],
  [
    'One of the records has such a link already and can have only one.',
    'Einer der Datensätze ist schon so verknüpft und kann es nur einmal sein.',
  ],
  ['A record cannot be linked to itself.', 'Ein Datensatz kann nicht mit sich verknüpft werden.'],
  ['A record cannot refer to itself.', 'Ein Datensatz kann nicht auf sich selbst verweisen.'],
  ['The reference is required.', 'Der Verweis muss ausgefüllt sein.'],
  ['A work item cannot be below itself.', 'Eine Aufgabe kann nicht unter sich selbst stehen.'],
  ['A tree of work items has at most {} levels.', 'Ein Baum von Aufgaben hat höchstens {} Ebenen.'],
  ['The type cannot change.', 'Der Typ kann nicht geändert werden.'],
  [
    'This move needs the approval of someone else.',
    'Dafür ist die Zustimmung von jemand anderem nötig.',
  ],
  ['Records of this object type have no workflow.', 'Datensätze dieser Art haben keinen Ablauf.'],
  [
    'The workflow does not allow this move. Allowed from here: {}.',
    'Der Ablauf lässt das nicht zu. Von hier geht es zu: {}.',
  ],
  ['Records of this object have no such status.', 'Diesen Status gibt es hier nicht.'],
  [
    'The conditions find {} records by now, not {}.',
    'Die Bedingungen finden inzwischen {} Datensätze, nicht {}.',
  ],
  ['The comment must not be white space only.', 'Der Kommentar ist leer.'],
  [
    'Only active members of the workspace can be mentioned.',
    'Nur aktive Personen des Arbeitsbereichs können erwähnt werden.',
  ],
  // What somebody may not.
  ['The user may not {} this.', 'Das dürfen Sie nicht.'],
  ['The user may not {} records of {}.', 'Das dürfen Sie mit Datensätzen von {2} nicht.'],
  ['The user may not read this field.', 'Dieses Feld dürfen Sie nicht sehen.'],
  ['The user may not write this field.', 'Dieses Feld dürfen Sie nicht ändern.'],
  ['The user may not make someone else the owner.', 'Sie dürfen niemand anderem zuweisen.'],
  [
    'The user may not create a record with this field.',
    'Dieses Feld dürfen Sie beim Anlegen nicht ausfüllen.',
  ],
  ['The user may not read all records of {}.', 'Sie dürfen nicht alle Datensätze von {} sehen.'],
  ['Only an administrator may do this.', 'Das darf nur, wer verwaltet.'],
  [
    'Its owner changes a view, or an administrator.',
    'Eine Ansicht ändert, wem sie gehört, oder wer verwaltet.',
  ],
  // Views, keys, sessions.
  ['There is no such view.', 'Diese Ansicht gibt es nicht.'],
  ['There is no such view of this object type.', 'Diese Ansicht gibt es hier nicht.'],
  [
    'A person has at most {} views of an object type. Delete one first.',
    'Höchstens {} eigene Ansichten sind möglich. Löschen Sie erst eine.',
  ],
  ['There is no such key.', 'Diesen Schlüssel gibt es nicht.'],
  ['The key is revoked.', 'Der Schlüssel ist widerrufen.'],
  [
    'Only a person with developer access may have API keys.',
    'API-Schlüssel hat nur, wer als Entwickler zugelassen ist.',
  ],
  ['There is no such session.', 'Diese Sitzung gibt es nicht.'],
  ['There is no such team.', 'Dieses Team gibt es nicht.'],
  ['There is no such notification.', 'Diese Mitteilung gibt es nicht.'],
  ['The current password is wrong.', 'Das bisherige Passwort stimmt nicht.'],
  ['Send the current password as well.', 'Geben Sie auch das bisherige Passwort an.'],
  ['The password is the e-mail address.', 'Das Passwort ist die E-Mail-Adresse.'],
  ['A password has {} to {} characters.', 'Ein Passwort hat {} bis {} Zeichen.'],
  [
    'Too many attempts to sign in have failed. Try again later.',
    'Zu viele Anmeldungen sind misslungen. Versuchen Sie es später noch einmal.',
  ],
  ['The session has ended. Sign in again.', 'Die Sitzung ist zu Ende. Melden Sie sich wieder an.'],
];
