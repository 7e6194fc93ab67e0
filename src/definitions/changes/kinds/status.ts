// Records of an object that have a status from now on, or no longer. Pure.

import {
  type Field,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../../model/definition/model.ts';
import { identifier, literal, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { type ChangeNotice, change, named } from '../change-notice.ts';
import { dropColumn, type Phased } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { forgetValues } from '../trash-content-sql.ts';
import type { Note } from './note.ts';
import { endOfHistory, type OfObject, reshapesTable, wordPath } from './parts.ts';

export interface AddStatus extends OfObject {
  readonly kind: 'add_status';
  /** The status of the records that exist. */
  readonly initial: string;
}

export interface DropStatus extends OfObject {
  readonly kind: 'drop_status';
}

export const addStatus: ChangeKind<AddStatus> = Object.freeze({
  kind: 'add_status',
  path: wordPath('workflow'),
  locks: reshapesTable,
  statements: addColumn,
});

export const dropStatus: ChangeKind<DropStatus> = Object.freeze({
  kind: 'drop_status',
  alters: true,
  path: wordPath('workflow'),
  locks: reshapesTable,
  statements: (schema: string, { object }: DropStatus) => [
    dropColumn(schema, object, 'status'),
    ...forgetValues(schema, object, object.fields.get('status') as Field),
  ],
  loses: () => ({ of: 'records' as const }),
});

export function findStatus(
  old: ObjectModel,
  object: ObjectModel,
  after: WorkspaceModel,
): readonly ((AddStatus | DropStatus | Note) & ChangeNotice)[] {
  const { object_type: type } = object;
  const [had, has] = [old.fields.has('status'), object.fields.has('status')];
  if (has && !had) {
    const workflow = object.workflow ?? [...after.work_item_types.values()][0]?.workflow;
    const { id = '', initial = '' } = workflow ?? {};
    const name = object.workflow === null ? '' : ` (workflow ${id}, all records "${initial}")`;
    return [change({ kind: 'add_status', object, initial }, `+ status of ${type}${name}`)];
  }
  if (had && !has) {
    // Work items without types: no record is left, the requirement on the types sees to it.
    const loss = type === WORK_ITEMS ? null : `${type}.status`;
    const { words, notice } = endOfHistory(old, 'status');
    const summary = `- status of ${type}${words}`;
    return [change({ kind: 'drop_status', object: old }, summary, { loss, ...notice })];
  }
  if (old.workflow === null || object.workflow === null) return [];
  const { workflow } = object;
  const statuses = [...old.workflow.statuses.keys()].filter((id) => !workflow.statuses.has(id));
  if (statuses.length === 0 && old.workflow.id === workflow.id) return [];
  const removed = statuses.length > 0 ? `, without ${named(statuses)}` : '';
  const requirement: Requirement = { kind: 'statuses_unused', object: old, statuses };
  return [
    change(
      { kind: 'note', path: `objects.${type}.workflow` },
      `~ status of ${type} (workflow ${workflow.id}${removed})`,
      { requirements: statuses.length > 0 ? [requirement] : [] },
    ),
  ];
}

function addColumn(schema: string, { object, initial }: AddStatus): readonly Phased[] {
  const table = identifier(schema, object.table);
  return [
    {
      phase: 'columns',
      statement: sql`alter table ${table} add column status text collate "C" not null default ${literal(initial)}`,
    },
    // The default was for the records that exist; new ones get theirs from the workflow.
    { phase: 'columns', statement: sql`alter table ${table} alter column status drop default` },
  ];
}
