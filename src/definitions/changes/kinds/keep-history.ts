// Values that changes of records replace are kept from now on, for another time, or no longer: then those that are kept
// are deleted, in portions (flow/jobs/sweeper.ts). Pure.

import type { History, ObjectModel } from '../../../model/definition/model.ts';
import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';
import { type ChangeNotice, change } from '../change-notice.ts';
import type { Note } from './note.ts';
import { type OfObject, objectPath } from './parts.ts';

export interface DropHistory extends OfObject {
  readonly kind: 'drop_history';
}

export const dropHistory: ChangeKind<DropHistory> = Object.freeze({
  kind: 'drop_history',
  path: historyPath,
  locks: () => NO_LOCKS,
  statements: () => [],
  loses: () => ({ of: 'records' as const }),
});

export function findHistory(
  old: ObjectModel,
  object: ObjectModel,
): readonly ((DropHistory | Note) & ChangeNotice)[] {
  const [was, is] = [old.history, object.history];
  if (was?.days === is?.days) return [];
  const { object_type } = object;
  if (is === null) {
    const notice = { loss: `history:${object_type}`, ends: '*' };
    return [change({ kind: 'drop_history', object }, `- history of ${object_type}`, notice)];
  }
  const kept = was === null ? keepOf(is) : `${keepOf(was)} -> ${keepOf(is)}`;
  const step = { kind: 'note', path: historyPath({ object }) } as const;
  return [change(step, `${was === null ? '+' : '~'} history of ${object_type} (${kept})`)];
}

function historyPath({ object }: OfObject): string {
  return `${objectPath({ object })}.history`;
}

function keepOf({ days }: History): string {
  return days === null ? 'forever' : `${days}d`;
}
