// People and agents as administrators see them: roles, teams, how they sign in and when they last did
// (docs/decisions.md, D535). Parsing and presenting only; changes are in people-routes.ts.

import Type from 'typebox';
import {
  loadMemberList,
  loadSignInFacts,
  type MemberFilter,
  NEVER_SIGNED_IN,
} from '../../control/people/member-rows.ts';
import type { PersonRow } from '../../control/people/people.ts';
import { requirePersonById } from '../../flow/people/people-flow.ts';
import { LIMITS } from '../../limits.ts';
import { KEY_PATTERN } from '../../model/definition/definition.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { requireDirectoryAdministrator } from '../../model/rights/access.ts';
import { decodeCursor, encodeCursor, isLongText } from '../../plan/read/cursor.ts';
import type { Database } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { CursorQuery, closed, limitQuery, nullable, pageOf, responseOf } from '../shapes.ts';
import { Member, noParams, noQuery, SmallId } from './administration-shapes.ts';

const moment = Type.String({ format: 'date-time' });

const ListedMember = Type.Object(
  {
    ...Member.properties,
    sign_in: Type.Object(
      {
        password: Type.Boolean({ description: 'True: the person has set a password.' }),
        second_factor: Type.Boolean({
          description: 'True: a second factor is set up or begun; an administrator can reset it.',
        }),
        identities: Type.Array(Type.Object({ issuer: Type.String(), created_at: moment }), {
          description: 'Accounts at identity providers.',
        }),
        last_sign_in_at: nullable(moment),
        last_seen_at: nullable(moment),
      },
      {
        $id: 'SignInFacts',
        description:
          'Times are of the sessions that are kept: those in use, and others for a week.',
      },
    ),
  },
  { $id: 'ListedMember' },
);

export const listMembers = defineRoute({
  method: 'GET',
  path: '/members',
  operationId: 'listMembers',
  tag: 'Administration',
  summary: 'List people and agents with their roles',
  description: [
    'For administrators with the scope `users:read`: people and agents, active or not, by name, with roles,',
    'teams and how they sign in. `GET /users` lists people for everyone else.',
  ].join(' '),
  scope: 'workspace:read',
  params: noParams,
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.users),
      cursor: CursorQuery,
      q: Type.Optional(
        Type.String({
          maxLength: LIMITS.textQueryLength,
          description: 'Case-insensitive match on name or email.',
        }),
      ),
      kind: Type.Optional(Type.Enum(['user', 'agent'])),
      active: Type.Optional(Type.Enum(['true', 'false'])),
      role: Type.Optional(Type.String({ pattern: KEY_PATTERN })),
      team_id: Type.Optional(SmallId),
    },
    closed,
  ),
  status: 200,
  result: pageOf(ListedMember),
  errors: ['validation_failed', 'invalid_cursor', 'permission_denied'],
  async handle({ caller, model, query }, { db }) {
    requireDirectoryAdministrator(caller);
    const { limit, cursor, q, active, ...rest } = query;
    const filter: MemberFilter = {
      ...rest,
      text: q?.trim() || undefined,
      active: active === undefined ? undefined : active === 'true',
    };
    const binding = JSON.stringify(['members', model.workspace.id, caller.user.id, filter]);
    const after = cursor === undefined ? undefined : readCursor(model, binding, cursor);
    const rows = await loadMemberList(db, model.schema, filter, { limit: limit + 1, after });
    const beyond = rows.findIndex(({ teams }, place) => place === limit || teams === null);
    const pageRows = (beyond < 0 ? rows : rows.slice(0, beyond)) as readonly PersonRow[];
    const last = beyond < 0 ? undefined : pageRows.at(-1);
    const next =
      last === undefined ? null : encodeCursor(model.cursor_secret, binding, [last.name, last.id]);
    return {
      body: {
        data: await present(db, model, pageRows),
        pagination: presentPagination(limit, next),
      },
    };
  },
});

export const getMember = defineRoute({
  method: 'GET',
  path: '/members/{user_id}',
  operationId: 'getMember',
  tag: 'Administration',
  summary: 'Retrieve a person or an agent with their roles',
  description: 'For administrators with the scope `users:read`.',
  scope: 'workspace:read',
  params: Type.Object({ user_id: SmallId }, closed),
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(ListedMember),
  errors: ['permission_denied', 'user_not_found'],
  async handle({ caller, model, params }, { db }) {
    requireDirectoryAdministrator(caller);
    const person = await requirePersonById(db, model.schema, params.user_id);
    const [data] = await present(db, model, [person]);
    return { body: { data } };
  },
});

async function present(db: Database, { workspace }: WorkspaceModel, people: readonly PersonRow[]) {
  const ids = people.map(({ id }) => id);
  const facts = await loadSignInFacts(db, workspace.id, ids);
  return people.map((person) => ({
    ...presentMember(person),
    sign_in: facts.get(person.id) ?? NEVER_SIGNED_IN,
  }));
}

/** A person or an agent as administrators see them. */
export function presentMember(person: PersonRow) {
  const { id, name, email, title, kind, active, roles, teams } = person;
  return { id, name, email, title, kind, active, roles, teams };
}

function readCursor({ cursor_secret }: WorkspaceModel, binding: string, cursor: string) {
  const [name, id] = decodeCursor(cursor_secret, binding, cursor);
  const name_start = isLongText(name) ? name.prefix : (name as string | null);
  return { id: id as number, name_start: name_start ?? null };
}
