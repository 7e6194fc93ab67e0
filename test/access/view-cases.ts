// Views in the access matrix: who sees the views of others, who may change them, and that a person cannot keep a
// question about fields they may not read.

import { uuidv7 } from 'uuidv7';
import { type Case, type Seen, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import { GUARDED, membersOf, type Persona } from './definition.ts';
import { first, objectOf, refusal, selectedField } from './oracle.ts';

export const SHARES = ['private', 'team', 'workspace'] as const;
type Share = (typeof SHARES)[number];

/** Ids of the views of a team mate, by whom they are shared with. */
export type SharedViews = Readonly<Record<Share, string>>;

/** Views of deals that query guarded fields. */
export async function makeViews({ own, users }: Cast): Promise<SharedViews> {
  const made = SHARES.map((shared) => [shared, uuidv7()] as const);
  for (const [shared, id] of made) {
    await own.rows(
      `insert into ws_matrix._views (id, object_type, owner_user_id, name, kind, shared, query, columns)
        values ($1, 'deals', $2, $3, 'table', $3, $4, $5)`,
      [id, users.get('mate'), shared, JSON.stringify(PROBING), JSON.stringify(COLUMNS)],
    );
  }
  return Object.fromEntries(made) as SharedViews;
}

const PROBING = { where: { field: 'probe', op: 'eq', value: 'x' } };
const COLUMNS = [{ field: 'rank' }];

export function viewCases(views: SharedViews, person: Persona): readonly Case[] {
  const seen = seenBy(person);
  const absent = refusal(404, 'record_not_found', 'view_id');
  const reading = { person, needs: ['records:read'] } as const;
  const writing = { person, needs: ['records:write'], writes: true } as const;
  return [
    {
      ...{ ...reading, name: 'views', expectedAnswer: first() },
      send: () => ({ path: '/views?limit=100' }),
      check: ({ body: { data } }) => [
        [sorted(data.map(({ name }: { readonly name: string }) => name)), sorted(seen)],
        [data.filter(({ can_change }: { readonly can_change: boolean }) => can_change), []],
      ],
    },
    {
      ...{ ...reading, name: 'views of deals', expectedAnswer: first(objectOf(person)) },
      send: () => ({ path: '/views?object_type=deals' }),
    },
    {
      ...{ ...writing, name: 'keep a view', send: () => ({ ...POST, body: asking(PROBING) }) },
      expectedAnswer: first(objectOf(person), selectedField(person, 'query.where.field'), {
        status: 201,
      }),
    },
    {
      ...{ ...writing, name: 'keep a view of columns' },
      expectedAnswer: first(objectOf(person), selectedField(person, 'columns[0].field'), {
        status: 201,
      }),
      send: () => ({ ...POST, body: { ...asking({}), columns: COLUMNS } }),
    },
    {
      ...{ ...writing, name: 'order of views' },
      expectedAnswer: first(objectOf(person), refusal(422, 'invalid_write', 'view_ids[0]')),
      send: () => ({
        ...{ method: 'PUT', path: '/views/order' },
        body: { object_type: 'deals', view_ids: [views.private] },
      }),
    },
    ...SHARES.flatMap((shared): readonly Case[] => {
      const path = `/views/${views[shared]}`;
      const found = seen.includes(shared);
      const refused = found ? refusal(403, 'permission_denied') : absent;
      return [
        {
          ...{ ...reading, name: `view ${shared}`, send: () => ({ path }) },
          expectedAnswer: found ? first() : absent,
          check: ({ body }: Seen) => [
            [unanswerable(body.data), hidden(person)],
            [/probe|rank/.test(JSON.stringify(body)), hidden(person).length === 0],
          ],
        },
        {
          ...{ ...writing, name: `copy a view ${shared}` },
          ...{ needs: ['records:write', 'records:read'], neededBy: () => 'view_id' },
          expectedAnswer: found ? first({ status: 201 }) : absent,
          send: () => ({ method: 'POST', path: `${path}/copy`, body: {} }),
          check: ({ body }: Seen) => [
            [body.data.problems, []],
            [/probe|rank/.test(JSON.stringify(body)), hidden(person).length === 0],
          ],
        },
        {
          ...{ ...writing, name: `change a view ${shared}`, expectedAnswer: refused },
          send: () => ({ method: 'PATCH', path, body: { name: 'Other' } }),
        },
        {
          ...{ ...writing, name: `delete a view ${shared}`, expectedAnswer: refused },
          send: () => ({ method: 'DELETE', path }),
        },
      ];
    }),
  ];
}

/** Views of a team mate that the person sees: readers of their object. */
function seenBy({ name, grants }: Persona): readonly Share[] {
  const isMate = membersOf('North').includes(name);
  return SHARES.filter(
    (shared) => grants.read !== null && (shared === 'workspace' || (shared === 'team' && isMate)),
  );
}

const POST = { method: 'POST', path: '/views' } as const;
const asking = (query: object) => ({ object_type: 'deals', name: 'Kept', query });

interface Problematic {
  readonly problems: readonly { readonly code: string; readonly param: string }[];
}

const unanswerable = ({ problems }: Problematic) =>
  problems.map(({ code, param }) => `${code} ${param}`);

/** The parts of a question about guarded fields that this person may not query. */
function hidden({ field }: Persona): readonly string[] {
  const isGuarded = GUARDED.includes('probe') && field === 'none';
  return isGuarded ? ['permission_denied query', 'permission_denied columns'] : [];
}
