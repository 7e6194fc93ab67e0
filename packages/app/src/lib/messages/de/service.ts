// Messages of the service in German: whole sentences, with places for values. A message without an entry is shown in
// English. test/messages.test.ts compares the entries with the sources of the service.

import type { Sentences } from '../sentences.ts';
import { approvalSentences } from './service-approvals.ts';
import { erasureSentences } from './service-erasures.ts';
import { fileSentences } from './service-files.ts';
import { ofWebhooks } from './service-webhooks.ts';

export const sentences: Sentences = [
  // The message of each code (src/errors.ts of the service).
  ['The request body is not valid JSON.', 'Der Inhalt der Anfrage ist kein gültiges JSON.'],
  ['The request is not valid.', 'Die Anfrage ist nicht gültig.'],
  ['The filter is not valid.', 'Der Filter ist nicht gültig.'],
  [
    'The cursor does not belong to this request. Start again without a cursor.',
    'Der Cursor gehört nicht zu dieser Anfrage. Beginnen Sie ohne Cursor von vorn.',
  ],
  [
    'The cursor is no longer valid. List everything again.',
    'Der Cursor ist nicht mehr gültig. Laden Sie alles neu.',
  ],
  ['Send an API key as "Authorization: Bearer <API_KEY>".', 'Sie sind nicht angemeldet.'],
  ['The API key is not valid.', 'Der API-Schlüssel ist nicht gültig.'],
  ['The API key has expired.', 'Der API-Schlüssel ist abgelaufen.'],
  [
    'The workspace, the address, the password or the link is not valid.',
    'Workspace, Adresse, Passwort oder Link ist nicht gültig.',
  ],
  [
    'The user of this API key no longer has developer access.',
    'Die Person dieses API-Schlüssels hat keinen Entwicklerzugang mehr.',
  ],
  [
    'The API key does not belong to the workspace of this host.',
    'Der API-Schlüssel gehört nicht zum Workspace dieser Adresse.',
  ],
  [
    'The API key lacks a scope for this request.',
    'Dem API-Schlüssel fehlt eine Berechtigung für diese Anfrage.',
  ],
  [
    'A request with a session must come from a page of the service itself.',
    'Eine Anfrage mit einer Sitzung muss von einer Seite des Dienstes kommen.',
  ],
  [
    'The last sign-in is more than 30 minutes ago. Sign in again.',
    'Ihre letzte Anmeldung ist mehr als 30 Minuten her. Melden Sie sich noch einmal an.',
  ],
  [
    'This session no longer views as this person.',
    'Diese Sitzung sieht die Anwendung nicht mehr als diese Person.',
  ],
  ['The user may not do this.', 'Dafür haben Sie keine Berechtigung.'],
  [
    'This object type has no display field to search in.',
    'Dieser Objekttyp hat kein Anzeigefeld, das durchsucht werden kann.',
  ],
  [
    'This object type does not support this write through the API.',
    'Dieser Objekttyp unterstützt diese Änderung nicht über die API.',
  ],
  ['There is no such route.', 'Diese Adresse gibt es nicht.'],
  ['There is no such object type.', 'Diesen Objekttyp gibt es nicht.'],
  ['There is no such record.', 'Diesen Datensatz gibt es nicht.'],
  ['There is no such user.', 'Diese Person gibt es nicht.'],
  ['There is no such workflow.', 'Diesen Workflow gibt es nicht.'],
  ['This object type has no history.', 'Dieser Objekttyp hat keinen Verlauf.'],
  [
    'A status cannot be restored. Move the record with POST …/status.',
    'Ein Status kann nicht wiederhergestellt werden. Ändern Sie ihn am Datensatz.',
  ],
  [
    'The values of this field from before are not known: the field, or its type, was another one.',
    'Frühere Werte dieses Felds sind nicht bekannt: Das Feld oder sein Typ war ein anderer.',
  ],
  [
    'The history does not go back to this revision.',
    'Der Verlauf reicht nicht bis zu dieser Fassung zurück.',
  ],
  [
    'The record has not reached this revision yet.',
    'Diese Fassung hat der Datensatz noch nicht erreicht.',
  ],
  ['This object type has no comments.', 'Dieser Objekttyp hat keine Kommentare.'],
  ['The route does not support this method.', 'Diese Adresse unterstützt diese Methode nicht.'],
  ['The request did not arrive in time.', 'Die Anfrage kam nicht rechtzeitig an.'],
  ['The request conflicts with existing data.', 'Die Anfrage widerspricht vorhandenen Daten.'],
  [
    'A request with this Idempotency-Key is still in progress.',
    'Eine Anfrage mit diesem Idempotency-Key wird noch bearbeitet.',
  ],
  ['The record has changed since it was read.', 'Der Datensatz wurde inzwischen geändert.'],
  ['The request body is too large.', 'Der Inhalt der Anfrage ist zu groß.'],
  [
    'Send the body as "Content-Type: application/json" in UTF-8.',
    'Senden Sie den Inhalt als „Content-Type: application/json“ in UTF-8.',
  ],
  ['The write was rejected.', 'Die Änderung wurde abgelehnt.'],
  [
    'This Idempotency-Key was used with a different request.',
    'Dieser Idempotency-Key wurde schon für eine andere Anfrage benutzt.',
  ],
  ['The rate limit is exceeded.', 'Zu viele Anfragen. Versuchen Sie es später noch einmal.'],
  [
    'There are too many open streams of this key or workspace. Close some, then try again.',
    'Zu viele Verbindungen sind offen. Schließen Sie einige Fenster und versuchen Sie es noch einmal.',
  ],
  ['The request headers are too large.', 'Die Kopfzeilen der Anfrage sind zu groß.'],
  [
    'The service could not answer because of an internal error. The error was logged.',
    'Der Dienst konnte wegen eines internen Fehlers nicht antworten. Der Fehler wurde protokolliert.',
  ],
  [
    'The service is busy. Try again shortly.',
    'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  ],
  [
    'The database does not answer. Try again shortly.',
    'Die Datenbank antwortet nicht. Versuchen Sie es gleich noch einmal.',
  ],
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
  ['The value must be a record id.', 'Der Wert muss die ID eines Datensatzes sein.'],
  ['The value must be a user id.', 'Der Wert muss die ID einer Person sein.'],
  ['The value must be a date as YYYY-MM-DD.', 'Der Wert muss ein Datum wie 2027-01-31 sein.'],
  [
    'The value must be a date as YYYY-MM-DD; the mapping can name another form, such as "format": "YYYY/MM/DD".',
    'Der Wert muss ein Datum wie 2027-01-31 sein; eine andere Form nennt die Zuordnung, etwa "format": "YYYY/MM/DD".',
  ],
  ['The value must be a time in the future.', 'Der Zeitpunkt muss in der Zukunft liegen.'],
  ['The value must fit 32 bits.', 'Der Wert passt nicht in 32 Bit.'],
  [
    'The value must be one of the options of the field.',
    'Der Wert muss eine der Optionen des Felds sein.',
  ],
  ['The value must be an array of options.', 'Der Wert muss eine Liste von Optionen sein.'],
  [
    'The value must contain only options of the field.',
    'Der Wert darf nur Optionen des Felds enthalten.',
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
    'The value must be one phone number, not two: put the second one into a field of its own.',
    'Hier steht nur eine Telefonnummer. Tragen Sie die zweite in ein eigenes Feld ein.',
  ],
  [
    'The value must be a phone number such as +49 30 1234567 or (503) 555-9831: 3 or more digits, with spaces and . - / ( ) between them.',
    'Der Wert muss eine Telefonnummer sein, etwa +49 30 1234567: mindestens drei Ziffern, dazwischen Leerzeichen und . - / ( ).',
  ],
  ['The value must be an active work-item type.', 'Der Wert muss ein aktiver Aufgabentyp sein.'],
  // Writes of records.
  ['Another record has this value already.', 'Ein anderer Datensatz hat diesen Wert schon.'],
  ['More than one record matches.', 'Mehrere Datensätze passen.'],
  [
    'There is no active user with this id.',
    'Diese Person gibt es nicht, oder sie ist nicht mehr aktiv.',
  ],
  ['There is no such active user.', 'Diese Person gibt es nicht, oder sie ist nicht mehr aktiv.'],
  ['There is no such relationship.', 'Diese Verknüpfung gibt es nicht.'],
  ['Other records require this one.', 'Andere Datensätze brauchen diesen.'],
  ['Other records require this one: {}.', 'Andere Datensätze brauchen diesen: {}.'],
  [
    'Other records refer to this one, or it refers to a deleted record.',
    'Andere Datensätze verweisen auf diesen, oder er verweist auf einen gelöschten Datensatz.',
  ],
  [
    'One of the records already has a link of this kind and can have only one.',
    'Einer der Datensätze hat schon eine solche Verknüpfung und kann nur eine haben.',
  ],
  ['A record cannot be linked to itself.', 'Ein Datensatz kann nicht mit sich verknüpft werden.'],
  ['A record cannot refer to itself.', 'Ein Datensatz kann nicht auf sich selbst verweisen.'],
  ['The reference is required.', 'Der Verweis muss ausgefüllt sein.'],
  [
    'A work item cannot be below itself.',
    'Eine Aufgabe kann sich nicht selbst untergeordnet sein.',
  ],
  ['A tree of work items has at most {} levels.', 'Ein Baum von Aufgaben hat höchstens {} Ebenen.'],
  ['The type cannot change.', 'Der Typ kann nicht geändert werden.'],
  [
    'This move needs the approval of someone else.',
    'Dieser Wechsel braucht die Zustimmung von jemand anderem.',
  ],
  ...approvalSentences,
  ...fileSentences,
  ['Records of this object type have no workflow.', 'Dieser Objekttyp hat keinen Workflow.'],
  [
    'The workflow does not allow this move. Allowed from here: {}.',
    'Der Workflow erlaubt diesen Wechsel nicht. Erlaubt sind: {}.',
  ],
  [
    'Records of this object have no such status.',
    'Datensätze dieses Objekts haben diesen Status nicht.',
  ],
  [
    'The conditions now match {} records, not {}.',
    'Die Bedingungen treffen jetzt auf {} Datensätze zu, nicht auf {}.',
  ],
  ['The comment must not be white space only.', 'Der Kommentar ist leer.'],
  [
    'Only active members of the workspace can be mentioned.',
    'Nur aktive Personen des Workspace können erwähnt werden.',
  ],
  // Missing permissions.
  ['The user may not {} this.', 'Dafür haben Sie keine Berechtigung.'],
  ['The user may not {} records of {}.', 'Dafür haben Sie bei {2} keine Berechtigung.'],
  ['Deleted records of {} are not kept.', 'Gelöschte Datensätze von {} werden nicht aufbewahrt.'],
  [
    'A record that this one requires no longer exists.',
    'Ein Datensatz, den dieser braucht, existiert nicht mehr.',
  ],
  [
    'The work-item type of the record no longer exists.',
    'Den Typ dieser Aufgabe gibt es nicht mehr.',
  ],
  ['Another record has the id of this one.', 'Ein anderer Datensatz hat die gleiche ID.'],
  [
    'The record conflicts with records that exist now.',
    'Der Datensatz passt nicht zu den vorhandenen Datensätzen.',
  ],
  ['The user may not read this field.', 'Dieses Feld dürfen Sie nicht sehen.'],
  ['The user may not write this field.', 'Dieses Feld dürfen Sie nicht ändern.'],
  [
    'The user may not make someone else the owner.',
    'Sie dürfen keine andere Person zum Besitzer machen.',
  ],
  [
    'The user may not create a record with this field.',
    'Dieses Feld dürfen Sie beim Anlegen nicht ausfüllen.',
  ],
  ['The user may not read all records of {}.', 'Sie dürfen nicht alle Datensätze von {} sehen.'],
  ['Only an administrator may do this.', 'Das darf nur die Administration.'],
  [
    'Only the owner of the view or an administrator can change it.',
    'Nur der Besitzer der Ansicht oder die Administration kann sie ändern.',
  ],
  [
    'Only the owner of the dashboard or an administrator can change it.',
    'Nur der Besitzer des Dashboards oder die Administration kann es ändern.',
  ],
  // Views, keys, sessions.
  ['There is no such dashboard.', 'Dieses Dashboard gibt es nicht.'],
  ['There is no such report.', 'Diesen Bericht gibt es nicht.'],
  [
    'A person has at most {} dashboards. Delete one first.',
    'Höchstens {} eigene Dashboards sind möglich. Löschen Sie erst eines.',
  ],
  ['There is no such view.', 'Diese Ansicht gibt es nicht.'],
  ['There is no such view of this object type.', 'Diese Ansicht gibt es hier nicht.'],
  [
    'A person has at most {} views of an object type. Delete one first.',
    'Höchstens {} eigene Ansichten sind möglich. Löschen Sie erst eine.',
  ],
  [
    'The job failed. A key with the scope records:read reads the reason.',
    'Der Job ist fehlgeschlagen. Den Grund liest ein Schlüssel mit dem Scope records:read.',
  ],
  ['There is no such key.', 'Diesen Schlüssel gibt es nicht.'],
  ['The key is revoked.', 'Der Schlüssel ist widerrufen.'],
  [
    'People cannot decide about a record that they own, created or last changed.',
    'Niemand entscheidet über einen Datensatz, der ihm gehört oder den er angelegt oder zuletzt geändert hat.',
  ],
  [
    'The person who made it for its owner is no longer an active administrator.',
    'Wer ihn für seinen Besitzer angelegt hat, ist kein aktiver Administrator mehr.',
  ],
  [
    'Only a person with developer access may have API keys.',
    'Nur Personen mit Entwicklerzugang können API-Schlüssel haben.',
  ],
  ['There is no such session.', 'Diese Sitzung gibt es nicht.'],
  ...ofWebhooks,
  ...erasureSentences,
  ['There is no such team.', 'Dieses Team gibt es nicht.'],
  ['There is no such notification.', 'Diese Mitteilung gibt es nicht.'],
  [
    'A record can have {} followers at most.',
    'Einem Datensatz können höchstens {} Personen folgen.',
  ],
  ['This service sends no mail.', 'Dieser Dienst verschickt keine Mails.'],
  ['This link is not valid.', 'Dieser Link gilt nicht.'],
  [
    'Too many links have been asked for. Try again later.',
    'Es wurden zu viele Links angefordert. Versuchen Sie es später noch einmal.',
  ],
  [
    'This password is too common. Choose another one.',
    'Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.',
  ],
  ['The current password is wrong.', 'Das aktuelle Passwort ist falsch.'],
  ['Send the current password as well.', 'Geben Sie auch das aktuelle Passwort an.'],
  [
    'The password must not be the e-mail address.',
    'Das Passwort darf nicht die E-Mail-Adresse sein.',
  ],
  ['The password must have {} to {} characters.', 'Das Passwort muss {} bis {} Zeichen haben.'],
  [
    'Too many attempts to sign in have failed. Try again later.',
    'Zu viele Anmeldungen sind fehlgeschlagen. Versuchen Sie es später noch einmal.',
  ],
  ['The session has ended. Sign in again.', 'Die Sitzung ist beendet. Melden Sie sich wieder an.'],
  [
    'The workspace needs an active administrator. Make another person an administrator first.',
    'Der Workspace braucht eine aktive Person in der Administration. Geben Sie die Rolle zuerst einer anderen.',
  ],
  ['Another person already has this address.', 'Eine andere Person hat diese Adresse schon.'],
  ['A team with this name already exists.', 'Ein Team mit diesem Namen gibt es schon.'],
  ['Only an active person can sign in.', 'Nur aktive Personen können sich anmelden.'],
  ['There is no such role.', 'Diese Rolle gibt es nicht.'],
  // Refused changes of roles.
  ['A role with this key already exists.', 'Eine Rolle mit diesem Schlüssel gibt es schon.'],
  ['1 person has this role.', 'Eine Person hat diese Rolle.'],
  ['{} people have this role.', '{} Personen haben diese Rolle.'],
  ['role {}: 1 person has it.', 'Eine Person hat die Rolle {}.'],
  ['role {}: {} people have it.', '{2} Personen haben die Rolle {1}.'],
  [
    'the workspace would have no active administrator.',
    'Der Workspace hätte keine aktive Person in der Administration mehr.',
  ],
  // Viewing as a person.
  ['You already see what you may see.', 'Sie sehen bereits, was Sie sehen dürfen.'],
  ['An inactive person cannot see anything.', 'Eine inaktive Person kann nichts sehen.'],
  [
    'You are viewing as {}, which changes nothing. Stop viewing first.',
    'Sie sehen die Anwendung als {} und können dabei nichts ändern. Beenden Sie das zuerst.',
  ],
  [
    'Only a session can view as a person, not an API key.',
    'Nur eine Sitzung kann die Anwendung als eine Person sehen, kein API-Schlüssel.',
  ],
  [
    'X-View-As is the id of a person, as a whole number.',
    'X-View-As ist die ID einer Person, eine ganze Zahl.',
  ],
  [
    'This needs a session. Sign in instead of using an API key.',
    'Dafür ist eine Sitzung nötig. Melden Sie sich an, statt einen API-Schlüssel zu benutzen.',
  ],
];
