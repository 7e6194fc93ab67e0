// Dashboards in the access matrix: who sees those of others, and who may change them.

import { uuidv7 } from 'uuidv7';
import { type Case, type Seen, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import { membersOf, type Persona } from './definition.ts';
import { first, refusal } from './oracle.ts';
import { SHARES, type SharedViews } from './view-cases.ts';

/** Ids of the dashboards of a team mate, by whom they are shared with; each has the mate's views. */
export async function makeDashboards(
  { own, users }: Cast,
  views: SharedViews,
): Promise<SharedViews> {
  const tiles = JSON.stringify(SHARES.map((shared) => ({ view_id: views[shared], width: 2 })));
  const made = SHARES.map((shared) => [shared, uuidv7()] as const);
  for (const [shared, id] of made) {
    await own.rows(
      `insert into ws_matrix._dashboards (id, owner_user_id, name, shared, tiles) values ($1, $2, $3, $3, $4)`,
      [id, users.get('mate'), shared, tiles],
    );
  }
  return Object.fromEntries(made) as SharedViews;
}

type Named = { readonly name: string };

export function dashboardCases(dashboards: SharedViews, person: Persona): readonly Case[] {
  const isMate = membersOf('North').includes(person.name);
  const seen = SHARES.filter((shared) => shared === 'workspace' || (shared === 'team' && isMate));
  const reading = { person, needs: ['records:read'] } as const;
  const writing = { person, needs: ['records:write'], writes: true } as const;
  const absent = refusal(404, 'record_not_found', 'dashboard_id');
  return [
    {
      ...{ ...reading, name: 'dashboards', expectedAnswer: first() },
      send: () => ({ path: '/dashboards?limit=100' }),
      check: ({ body: { data } }) => [
        [sorted(data.map(({ name }: Named) => name)), sorted(seen)],
        [data.filter(({ can_change }: { readonly can_change: boolean }) => can_change), []],
      ],
    },
    {
      ...{ ...writing, name: 'keep a dashboard', expectedAnswer: first({ status: 201 }) },
      send: () => ({ method: 'POST', path: '/dashboards', body: { name: 'D' } }),
    },
    ...SHARES.flatMap((shared): readonly Case[] => {
      const path = `/dashboards/${dashboards[shared]}`;
      const found = seen.includes(shared);
      const refused = found ? refusal(403, 'permission_denied') : absent;
      return [
        {
          ...{ ...reading, name: `dashboard ${shared}`, send: () => ({ path }) },
          expectedAnswer: found ? first() : absent,
          // Only reports are shown on a dashboard, and these views are none.
          check: ({ body }: Seen) => [[body.data.views, []]],
        },
        {
          ...{ ...writing, name: `change a dashboard ${shared}`, expectedAnswer: refused },
          send: () => ({ method: 'PATCH', path, body: { name: 'Other' } }),
        },
        {
          ...{ ...writing, name: `delete a dashboard ${shared}`, expectedAnswer: refused },
          send: () => ({ method: 'DELETE', path }),
        },
      ];
    }),
  ];
}
