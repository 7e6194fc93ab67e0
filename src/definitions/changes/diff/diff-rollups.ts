// The part of the difference between two definitions that is the rollups of an object: they have no column, so that
// nothing changes in the database. A rollup that goes is named in `allow`, as other fields are. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { ObjectModel, Rollup } from '../../../model/definition/model.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import type { Note } from '../kinds/note.ts';
import { fieldName, fieldPath } from '../kinds/parts.ts';

export function findRollups(
  old: ObjectModel,
  object: ObjectModel,
): readonly (Note & ChangeNotice)[] {
  const noteOf = (sign: string, field: Rollup, loss: string | null = null) => {
    const summary = `${sign} ${fieldName({ object, field })} (rollup: ${field.rollup.op})`;
    return change({ kind: 'note', path: fieldPath({ object, field }) }, summary, { loss });
  };
  const lost = [...old.rollups.values()].filter(({ key }) => !object.rollups.has(key));
  return [
    ...[...object.rollups.values()].flatMap((rollup) => {
      const from = old.rollups.get(rollup.key);
      if (from === undefined) return [noteOf('+', rollup)];
      return isDeepStrictEqual(from, rollup) ? [] : [noteOf('~', rollup)];
    }),
    ...lost.map((rollup) => noteOf('-', rollup, `${object.object_type}.${rollup.key}`)),
  ];
}
