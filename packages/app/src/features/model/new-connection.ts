// A new connection of two objects: a reference field where a record of one has at most one of the other, else a
// relationship. Pure.

import {
  type DefinitionDocument,
  type FieldEntry,
  type ObjectEntry,
  type RelationshipEntry,
  withValue,
} from '../../lib/definition/document.ts';
import { fieldKeyFor, keyFor } from '../../lib/definition/rename.ts';
import { withNewField } from './new-field.ts';

export type RelationshipDraft = Omit<RelationshipEntry, 'kind'>;

interface Reference {
  /** The object that gets the field. */
  readonly type: string;
  readonly target: string;
}

/** Undefined: a relationship. */
export function referenceFor({ from, to, cardinality }: RelationshipDraft): Reference | undefined {
  if (cardinality === 'many_to_one') return { type: from, target: to };
  return cardinality === 'one_to_many' ? { type: to, target: from } : undefined;
}

export function withConnection(
  document: DefinitionDocument,
  draft: RelationshipDraft,
): DefinitionDocument {
  const reference = referenceFor(draft);
  if (reference !== undefined) return withReference(document, reference, draft.name.trim());
  const key = keyFor(`${draft.from}_${draft.to}`, document.relationships ?? {});
  return withValue(document, ['relationships', key], { ...draft, kind: kindOf(draft) });
}

/** The document with a reference. Without a name it is named after a record of the other object. */
function withReference(document: DefinitionDocument, { type, target }: Reference, wanted: string) {
  const name = wanted || (document.objects[target] as ObjectEntry).singular_name;
  const field: FieldEntry = { name, type: 'reference', reference_object_type: target };
  const key = fieldKeyFor(name, (document.objects[type] as ObjectEntry).fields);
  return withNewField(document, type, key, field);
}

/** Objects that associations are between; all others are linked. */
const CRM: ReadonlySet<string> = new Set(['companies', 'contacts', 'deals', 'meetings', 'events']);

function kindOf({ from, to }: RelationshipDraft): RelationshipEntry['kind'] {
  return CRM.has(from) && CRM.has(to) ? 'association' : 'link';
}
