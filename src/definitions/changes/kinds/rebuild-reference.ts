// A reference to another object, or another effect of deleting its target: a new foreign key. Pure.

import type { ChangeKind } from '../change-kind.ts';
import { dropForeignKey, foreignKey } from '../column-sql.ts';
import { fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface RebuildReference extends OfField {
  readonly kind: 'rebuild_reference';
}

export const rebuildReference: ChangeKind<RebuildReference> = Object.freeze({
  kind: 'rebuild_reference',
  path: fieldPath,
  locks: reshapesTable,
  statements: (schema: string, { object, field }: RebuildReference) => [
    dropForeignKey(schema, object, field),
    ...foreignKey(schema, object, field),
  ],
  works: () => ['check' as const],
});
