// The connections of an object with others: references of its own, references to it, and relationships. Pure.

import type { Cardinality, DefinitionDocument } from '../../lib/definition/document.ts';

export interface ObjectLink {
  readonly kind: 'reference' | 'referred' | 'relationship';
  /** The object at the other end. */
  readonly other: string;
  /** The key of the field or relationship. */
  readonly key: string;
  readonly name: string;
  /** The cardinality of a relationship, seen from this object. */
  readonly cardinality?: Cardinality;
}

export function linksOf(document: DefinitionDocument, type: string): readonly ObjectLink[] {
  return [
    ...referencesOf(document, type),
    ...relationshipsOf(document, type),
    ...referencesTo(document, type),
  ];
}

/** The number of links of each object, found in one pass over all fields. */
export function countLinks(document: DefinitionDocument): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (types: readonly string[]) => {
    for (const type of new Set(types)) counts.set(type, (counts.get(type) ?? 0) + 1);
  };
  for (const [type, { fields }] of Object.entries(document.objects)) {
    for (const { reference_object_type: target } of Object.values(fields)) {
      if (target !== undefined) add([type, target]);
    }
  }
  for (const { from, to } of Object.values(document.relationships ?? {})) add([from, to]);
  return counts;
}

function referencesOf({ objects }: DefinitionDocument, type: string): ObjectLink[] {
  return Object.entries(objects[type]?.fields ?? {}).flatMap(([key, field]) =>
    field.reference_object_type === undefined
      ? []
      : [
          {
            kind: 'reference' as const,
            other: field.reference_object_type,
            key,
            name: field.name ?? key,
          },
        ],
  );
}

function referencesTo({ objects }: DefinitionDocument, type: string): ObjectLink[] {
  return Object.entries(objects).flatMap(([other, { fields }]) =>
    other === type
      ? []
      : Object.entries(fields).flatMap(([key, field]) =>
          field.reference_object_type === type
            ? [{ kind: 'referred' as const, other, key, name: field.name ?? key }]
            : [],
        ),
  );
}

const REVERSED: Readonly<Record<Cardinality, Cardinality>> = {
  one_to_one: 'one_to_one',
  many_to_many: 'many_to_many',
  one_to_many: 'many_to_one',
  many_to_one: 'one_to_many',
};

function relationshipsOf({ relationships = {} }: DefinitionDocument, type: string): ObjectLink[] {
  return Object.entries(relationships).flatMap(([key, { name, from, to, cardinality }]) => {
    if (from !== type && to !== type) return [];
    const isFrom = from === type;
    return [
      {
        kind: 'relationship' as const,
        other: isFrom ? to : from,
        key,
        name,
        cardinality: isFrom ? cardinality : REVERSED[cardinality],
      },
    ];
  });
}
