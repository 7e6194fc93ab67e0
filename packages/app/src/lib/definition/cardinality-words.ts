// The cardinality of a relationship as a sentence about both objects. Pure.

import type { Translate } from '../messages/index.ts';
import type { Cardinality, DefinitionDocument, RelationshipEntry } from './document.ts';

type Ends = Pick<RelationshipEntry, 'from' | 'to'>;

export function cardinalityText(
  { objects }: Pick<DefinitionDocument, 'objects'>,
  { from, to }: Ends,
  cardinality: Cardinality,
  t: Translate,
): string {
  const many = { from: objects[from]?.name ?? from, to: objects[to]?.name ?? to };
  const one = { from: objects[from]?.singular_name ?? from, to: objects[to]?.singular_name ?? to };
  switch (cardinality) {
    case 'many_to_many':
      return t('links.manyToManyText', {
        ...{ from: one.from, to: many.to },
        ...{ one: one.to, many: many.from },
      });
    case 'many_to_one':
      return t('links.manyToOneText', { from: one.from, to: one.to, many: many.from });
    case 'one_to_many':
      return t('links.manyToOneText', { from: one.to, to: one.from, many: many.to });
    case 'one_to_one':
      return t('links.oneToOneText', { from: one.from, to: one.to });
  }
}
