// The connections of an object with others: references of its own, references to it, and relationships. Pure.

import type { Cardinality, DefinitionDocument } from '../../lib/definition/document.ts';

export interface ObjectLink {
  readonly kind: 'reference' | 'referred' | 'relationship';
  /** The object at the other end. */
  readonly other: string;
  /** Of the field or relationship. */
  readonly key: string;
  readonly name: string;
  /** Of relationships, seen from this object. */
  readonly cardinality?: Cardinality;
}

export function linksOf(document: DefinitionDocument, type: string): readonly ObjectLink[] {
  return [
    ...referencesOf(document, type),
    ...relationshipsOf(document, type),
    ...referencesTo(document, type),
  ];
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
