// Bulk changes of the access matrix, as dry runs: the number of records that a person is shown, and the changes that
// are refused for any records.

import { type Case, idsOf, recordsPath } from './case.ts';
import type { Cast } from './cast.ts';
import type { Persona, Subject } from './definition.ts';
import {
  actionOf,
  type ExpectedAnswer,
  fine,
  first,
  objectOf,
  type Scope,
  selectedField,
  writtenField,
} from './oracle.ts';
import { visible } from './read-cases.ts';

const WRITE: readonly Scope[] = ['records:write', 'records:read'];
const BOTH: readonly Scope[] = [...WRITE, 'records:delete'];

const whereOrAction = (needed: Scope) => (needed === 'records:read' ? 'where' : 'action');

export function bulkCases(cast: Cast, person: Persona, subject: Subject): readonly Case[] {
  const seen = visible(cast, person, subject);
  const all = { field: 'id', op: 'is_null', value: false };
  const guarded = { field: 'probe', op: 'is_null', value: false };
  const open = { [subject.title]: 'Changed' };
  const update = actionOf(person, subject, 'update');
  const remove = actionOf(person, subject, 'delete');
  type Row = readonly [
    name: string,
    body: object,
    needs: readonly Scope[],
    refused: ExpectedAnswer | undefined,
  ];
  const rows: readonly Row[] = [
    ['bulk update', { where: all, action: 'update', fields: open }, WRITE, update],
    [
      'bulk selected',
      { where: guarded, action: 'update', fields: open },
      WRITE,
      selectedField(person, 'where.field') ?? update,
    ],
    [
      'bulk guarded',
      { where: all, action: 'update', fields: { probe: 'Changed' } },
      WRITE,
      update ?? writtenField(person, 'fields.probe'),
    ],
    ['bulk delete', { where: all, action: 'delete' }, BOTH, remove],
  ];
  return rows.map(([name, body, needs, refused]) => ({
    ...{ name, person, needs, neededBy: whereOrAction, about: { subject, kind: 'mine' } },
    expectedAnswer: first(objectOf(person), refused, fine(200)),
    send: () => ({
      method: 'POST',
      path: `${recordsPath(subject)}/bulk`,
      body: { ...body, dry_run: true },
    }),
    check: ({ body: { data } }) => [
      [data.count, seen.length],
      [data.records.length, Math.min(20, seen.length)],
      [idsOf(data.records).filter((id) => !idsOf(seen).includes(id)), []],
    ],
  }));
}
