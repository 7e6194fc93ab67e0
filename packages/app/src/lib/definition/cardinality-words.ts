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
  const singular = {
    from: objects[from]?.singular_name ?? from,
    to: objects[to]?.singular_name ?? to,
  };
  switch (cardinality) {
    case 'many_to_many':
      return t('links.manyToManyText', {
        ...{ from: singular.from, to: many.to },
        ...{ one: singular.to, many: many.from },
      });
    case 'many_to_one':
      return t('links.manyToOneText', { from: singular.from, to: singular.to, many: many.from });
    case 'one_to_many':
      return t('links.manyToOneText', { from: singular.to, to: singular.from, many: many.to });
    case 'one_to_one':
      return t('links.oneToOneText', { from: singular.from, to: singular.to });
  }
}
