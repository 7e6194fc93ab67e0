// People and agents made and changed by administrators over HTTP (docs/decisions.md, D223). Parsing and
// presenting only; the way there is flow/people/people-flow.ts.

import Type from 'typebox';
import { changePerson, changeTeamsOfPerson, createPerson } from '../../flow/people/people-flow.ts';
import { LIMITS } from '../../limits.ts';
import { requireDirectoryAdministrator, requireFreshSignIn } from '../../model/rights/access.ts';
import { defineRoute } from '../context.ts';
import { closed, nullable, responseOf } from '../shapes.ts';
import {
  EmailText,
  Member,
  NameText,
  noParams,
  noQuery,
  RoleKeys,
  SmallId,
} from './administration-shapes.ts';
import { presentMember } from './member-routes.ts';

const userParams = Type.Object({ user_id: SmallId }, closed);

export const createUser = defineRoute({
  method: 'POST',
  path: '/users',
  operationId: 'createUser',
  tag: 'Administration',
  summary: 'Add a person or an agent',
  description: 'For administrators. An API key adds no administrators.',
  scope: 'workspace:write',
  fresh: true,
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      email: EmailText,
      name: NameText,
      title: Type.Optional(nullable(NameText)),
      kind: Type.Optional(
        Type.Enum(['user', 'agent'], {
          description: '`agent`: a service user for operational keys. It never changes.',
        }),
      ),
      roles: Type.Optional(RoleKeys),
      active: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  status: 201,
  result: responseOf(Member),
  errors: ['validation_failed', 'permission_denied', 'conflict', 'invalid_write'],
  async handle({ model, caller, requestId, body }, { db }) {
    const { email, name, title = null, kind = 'user', roles = [], active = true } = body;
    const person = { email, name, title, kind, roles, active };
    return {
      body: { data: presentMember(await createPerson({ db, model, caller, requestId }, person)) },
    };
  },
});

export const updateUser = defineRoute({
  method: 'PATCH',
  path: '/users/{user_id}',
  operationId: 'updateUser',
  tag: 'Administration',
  summary: 'Change a person or an agent',
  description: [
    'For administrators. People are never deleted: with `active: false` their sessions end within a second, and',
    'their keys, grants and calendar feeds are refused while they are inactive. One active administrator',
    'must remain. Changes of address, roles and `active` need a',
    'session with a sign-in of the last 30 minutes. A key cannot change addresses or administrators, and also',
    'needs the scope `users:read`, because the response names the person.',
  ].join(' '),
  scope: 'workspace:write',
  params: userParams,
  query: noQuery,
  body: Type.Object(
    {
      email: Type.Optional(EmailText),
      name: Type.Optional(NameText),
      title: Type.Optional(nullable(NameText)),
      roles: Type.Optional(RoleKeys),
      active: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Member),
  errors: ['validation_failed', 'permission_denied', 'user_not_found', 'conflict', 'invalid_write'],
  async handle({ model, caller, requestId, params, body, now }, { db }) {
    const { email, roles, active } = body;
    const isSensitive = [email, roles, active].some((one) => one !== undefined);
    if (isSensitive) requireFreshSignIn(caller, now());
    requireDirectoryAdministrator(caller);
    const asked = { db, model, caller, requestId };
    const person = await changePerson(asked, params.user_id, body);
    return { body: { data: presentMember(person) } };
  },
});

export const updateTeamsOfUser = defineRoute({
  method: 'PUT',
  path: '/users/{user_id}/teams',
  operationId: 'updateTeamsOfUser',
  tag: 'Administration',
  summary: 'Set the teams of a person',
  description:
    'For administrators: exactly these teams from now on. Needs the scope `users:read`, because the answer names the person.',
  scope: 'workspace:write',
  params: userParams,
  query: noQuery,
  body: Type.Object(
    { team_ids: Type.Array(SmallId, { maxItems: LIMITS.teamsOfUser, uniqueItems: true }) },
    closed,
  ),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Member),
  errors: ['validation_failed', 'permission_denied', 'user_not_found', 'invalid_write'],
  async handle({ model, caller, requestId, params, body }, { db }) {
    requireDirectoryAdministrator(caller);
    const asked = { db, model, caller, requestId };
    const person = await changeTeamsOfPerson(asked, params.user_id, body.team_ids);
    return { body: { data: presentMember(person) } };
  },
});
