// The indexes of a workspace as they are called once its definition is renamed: what is there under an old
// name is not built again under the new one.

import { conceivableIndexesOf, type FoundIndex, namesOfIndexes } from '../../sql/index-sql.ts';
import type { Change } from '../changes/change.ts';

type Found = ReadonlyMap<string, FoundIndex>;

export function indexesAfter(found: Found, changes: readonly Change[]): Found {
  const after = changes.reduce(renamedBy, [...found.values()]);
  return new Map(after.map((index) => [index.name, index]));
}

function renamedBy(found: FoundIndex[], change: Change): FoundIndex[] {
  if (change.kind === 'rename_object') {
    const { from, object } = change;
    const names = namesOfIndexes(object);
    const renamed = new Map(namesOfIndexes(from).map((name, at) => [name, names[at] as string]));
    return found.map((one) =>
      one.table === from.table
        ? { ...one, table: object.table, name: renamed.get(one.name) ?? one.name }
        : one,
    );
  }
  if (change.kind !== 'rename_field' || change.field.storage === 'jsonb') return found;
  const { object, from, field } = change;
  const names = conceivableIndexesOf(object, field).map(({ name }) => name);
  const renamed = new Map(
    conceivableIndexesOf(object, from).map(({ name }, at) => [name, names[at] as string]),
  );
  return found.map((one) =>
    one.table === object.table
      ? {
          ...one,
          name: renamed.get(one.name) ?? one.name,
          columns: one.columns.map((column) => (column === from.column ? field.column : column)),
        }
      : one,
  );
}
