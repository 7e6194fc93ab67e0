// Relationships as each object sees them: its references, the references of others to it, and the links
// the document declares (specification §2.7).

import type { Steps } from '../steps.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import type { DefinitionDocument, FieldDefinition, ObjectDefinition } from './definition.ts';
import type { Cardinality, LinkKind, Relationship } from './model.ts';
import { plainText } from './texts.ts';
import { valueType } from './value-type.ts';

const INVERSE: Readonly<Record<Cardinality, Cardinality>> = Object.freeze({
  one_to_one: 'one_to_one',
  many_to_one: 'one_to_many',
  one_to_many: 'many_to_one',
  many_to_many: 'many_to_many',
});

/** The relationships of every object, in the order of the document. */
export function* relationshipSteps(
  document: DefinitionDocument,
): Steps<ReadonlyMap<string, readonly Relationship[]>> {
  const byObject = new Map<string, Relationship[]>();
  const add = (objectType: string, relationship: Relationship) => {
    const list = byObject.get(objectType) ?? [];
    list.push(Object.freeze(relationship));
    byObject.set(objectType, list);
  };
  for (const [objectType, object] of Object.entries(document.objects)) {
    yield;
    for (const [key, field] of Object.entries(object.fields)) {
      addReference(add, { objectType, object, key, field });
    }
  }
  for (const [key, link] of Object.entries(document.relationships ?? {})) {
    yield;
    const id = `${link.kind === 'association' ? 'assoc' : 'link'}.${key}`;
    const { from, to, cardinality } = link;
    const shared = { id, label: plainText(link.name), can_link: true };
    const linkedBy = (side: LinkKind['side']) => linkKind(key, cardinality, side);
    if (from === to) {
      add(from, { ...shared, object_type: to, cardinality, via: linkedBy('both') });
      continue;
    }
    add(from, { ...shared, object_type: to, cardinality, via: linkedBy('from') });
    const inverse = INVERSE[cardinality];
    add(to, { ...shared, object_type: from, cardinality: inverse, via: linkedBy('to') });
  }
  return byObject;
}

interface Reference {
  readonly objectType: string;
  readonly object: ObjectDefinition;
  readonly key: string;
  readonly field: FieldDefinition;
}

function addReference(
  add: (objectType: string, relationship: Relationship) => void,
  { objectType, object, key, field }: Reference,
): void {
  const { refersTo } = FIELD_TYPE_TRAITS[valueType(field)];
  if (refersTo !== 'record' || field.reference_object_type === undefined) return;
  const isUnique = field.unique === true;
  add(objectType, {
    id: `ref.${key}`,
    label: plainText(field.name ?? key),
    object_type: field.reference_object_type,
    cardinality: isUnique ? 'one_to_one' : 'many_to_one',
    can_link: field.editable ?? true,
    via: Object.freeze({ kind: 'reference', field: key }),
  });
  add(field.reference_object_type, {
    id: `inv.${objectType}.${key}`,
    label: plainText(object.name),
    object_type: objectType,
    cardinality: isUnique ? 'one_to_one' : 'one_to_many',
    can_link: false,
    via: Object.freeze({ kind: 'inverse', field: key }),
  });
}

/** The ends that hold at most one link; `cardinality` is as seen from the `from` end. */
export function linkEnds(cardinality: Cardinality): Pick<LinkKind, 'from_one' | 'to_one'> {
  return {
    from_one: cardinality === 'one_to_one' || cardinality === 'many_to_one',
    to_one: cardinality === 'one_to_one' || cardinality === 'one_to_many',
  };
}

function linkKind(key: string, cardinality: Cardinality, side: LinkKind['side']): LinkKind {
  return Object.freeze({ kind: 'link', key, side, ...linkEnds(cardinality) });
}
