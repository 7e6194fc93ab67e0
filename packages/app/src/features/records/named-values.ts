// People and records that a pasted text names: all people at once, records a hundred names at a time.

import type { Client, Field } from '@workspace-records/client';
import { folded } from '../../../../tables/src/folded.ts';
import type { Named } from '../../fields/field-text.ts';
import { kindOf } from '../../fields/kinds.ts';
import { queryClient } from '../../lib/query-client.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import type { Session } from '../../lib/session.ts';

const AT_ONCE = 100;
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NOTHING: Named = new Map();

/** Loads the values that texts name, by the key of the field. */
export async function loadNamed(
  session: Session,
  fields: readonly Field[],
  textsOf: (field: Field) => readonly string[],
): Promise<ReadonlyMap<string, Named>> {
  const namesByField = new Map<string, Named>();
  for (const field of fields) {
    const { needs } = kindOf(field).text;
    const texts = [...new Set(textsOf(field).map((text) => text.trim()))].filter(Boolean);
    if (needs === undefined || texts.length === 0) namesByField.set(field.key, NOTHING);
    else if (needs === 'people') namesByField.set(field.key, await loadPeople(session.client));
    else namesByField.set(field.key, await loadRecords(session, field, texts));
  }
  return namesByField;
}

async function loadPeople(client: Client): Promise<Named> {
  const peopleByName = new Map<string, number | 'ambiguous'>();
  for await (const { id, name, email, active } of client.users.all()) {
    if (!active) continue;
    peopleByName.set(String(id), id);
    for (const text of [name, email]) note(peopleByName, text, id);
  }
  return peopleByName;
}

async function loadRecords(session: Session, field: Field, texts: readonly string[]) {
  const type = String(field.constraints?.reference_object_type);
  const { display_field } = await queryClient.ensureQueryData(objectQuery(session, type));
  const recordsByName = new Map<string, string | 'ambiguous'>();
  for (const id of texts.filter((text) => ID.test(text)))
    recordsByName.set(folded(id), id.toLowerCase());
  const names = texts.filter((text) => !ID.test(text));
  if (display_field === null) return recordsByName;
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const filters = { [display_field]: { in: names.slice(start, start + AT_ONCE) } };
    for await (const { id, display } of session.client.records(type).all({ filters }))
      note(recordsByName, display, id);
  }
  return recordsByName;
}

function note<Id>(named: Map<string, Id | 'ambiguous'>, text: string | null, id: Id): void {
  if (text === null) return;
  const key = folded(text);
  const present = named.get(key);
  named.set(key, present === undefined || present === id ? id : 'ambiguous');
}
