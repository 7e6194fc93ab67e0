// Status requests in the access matrix: who may ask for a move, and who sees and withdraws requests of others. Approving
// needs a scope of its own: test/api/approvals.full.test.ts.

import { uuidv7 } from 'uuidv7';
import { type Case, recordsPath, sorted } from './case.ts';
import type { Cast } from './cast.ts';
import type { Persona, Subject } from './definition.ts';
import { fine, first, KINDS, onRecord, refusal } from './oracle.ts';
import { visible } from './read-cases.ts';

/** Requests of the owners of the deals, by the id of the record. */
export type Requests = ReadonlyMap<string, string>;

export async function makeRequests(
  { own, users, records }: Cast,
  deals: Subject,
): Promise<Requests> {
  const made = new Map<string, string>();
  for (const [owner, { id }] of records(deals)) {
    const request = uuidv7();
    await own.rows(
      `insert into ws_matrix._status_requests (id, object_type, record_id, workflow_id, from_status,
        to_status, record_revision, requested_by, expires_at)
        values ($1, 'deals', $2, 'flow', 'open', 'closed', 1, $3, now() + interval '1 day')`,
      [request, id, users.get(owner)],
    );
    made.set(id, request);
  }
  return made;
}

/** Asking needs what the move needs. */
export function askCases(person: Persona, subject: Subject): readonly Case[] {
  const rule = subject.workflow ? undefined : refusal(422, 'invalid_write', 'status_id');
  return KINDS.map(
    (kind): Case => ({
      ...{ name: 'ask', person, needs: ['records:write'], writes: true, about: { subject, kind } },
      expectedAnswer: first(onRecord(person, subject, { action: 'update', kind }), rule, fine(201)),
      send: ({ id }) => ({
        method: 'POST',
        path: `${recordsPath(subject)}/${encodeURIComponent(id)}/status_requests`,
        body: { status_id: 'closed' },
      }),
      check: ({ body: { data }, record }) => [
        [data.record_id, record.id],
        [
          [data.from_status, data.to_status, data.state],
          ['open', 'closed', 'pending'],
        ],
        [
          [data.approvals.required, data.can_decide, data.changed_fields],
          [1, false, []],
        ],
      ],
    }),
  );
}

export function requestCases(
  cast: Cast,
  requests: Requests,
  person: Persona,
  deals: Subject,
): readonly Case[] {
  const seen = new Set(visible(cast, person, deals).map(({ id }) => id));
  const own = cast.records(deals).get(person.name)?.id;
  const reading = { person, needs: ['records:read'] } as const;
  const writing = { person, needs: ['records:write'], writes: true } as const;
  const absent = refusal(404, 'record_not_found', 'request_id');
  const list = (query: string, expected: readonly string[]): Case => ({
    ...{ ...reading, name: `requests ${query}`, expectedAnswer: fine() },
    send: () => ({ path: `/status_requests?limit=100${query}` }),
    check: ({ body: { data } }) => {
      const ids = data.map(({ record_id }: { readonly record_id: string }) => record_id);
      const known = ids.filter((id: string) => requests.has(id));
      return [
        [sorted(known), sorted(expected)],
        [ids.filter((id: string) => requests.has(id) && !seen.has(id)), []],
      ];
    },
  });
  const mine = own !== undefined && seen.has(own) ? [own] : [];
  return [
    list('', [...seen]),
    list('&requested_by=me', mine),
    list('&state=approved', []),
    list('&approver=me', []),
    ...[...requests].slice(0, 12).flatMap(([record, id]): readonly Case[] => {
      const isSeen = seen.has(record);
      const others = isSeen ? refusal(403, 'permission_denied') : absent;
      return [
        {
          ...{ ...reading, name: 'request', expectedAnswer: isSeen ? fine() : absent },
          send: () => ({ path: `/status_requests/${id}` }),
          check: ({ body: { data } }) => [[data.record_id, record]],
        },
        ...(record === own
          ? []
          : [
              {
                ...{ ...writing, name: 'withdraw for others', expectedAnswer: others },
                send: () => ({ method: 'POST', path: `/status_requests/${id}/withdraw` }) as const,
              },
            ]),
      ];
    }),
    {
      ...{ ...reading, name: 'malformed request', expectedAnswer: absent },
      send: () => ({ path: `/status_requests/${encodeURIComponent("no-uuid' or 1=1")}` }),
    },
  ];
}
