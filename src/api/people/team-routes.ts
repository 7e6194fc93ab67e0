// Teams made, changed and deleted by administrators over HTTP; the teams of a person are set with the person
// (people.ts). Parsing and presenting only; flow/people/people-flow.ts makes the changes.

import Type from 'typebox';
import {
  createTeam as addTeam,
  changeTeam,
  deleteTeam as removeTeam,
} from '../../flow/people/people-flow.ts';
import { requireDirectoryAdministrator } from '../../model/rights/access.ts';
import { defineRoute } from '../context.ts';
import { closed, nullable, responseOf, Team } from '../shapes.ts';
import { DescriptionText, NameText, noParams, noQuery, SmallId } from './administration-shapes.ts';

const teamParams = Type.Object({ team_id: SmallId }, closed);

export const createTeam = defineRoute({
  method: 'POST',
  path: '/teams',
  operationId: 'createTeam',
  tag: 'Administration',
  summary: 'Add a team',
  description: 'For administrators. `PUT /users/{user_id}/teams` sets the members.',
  scope: 'workspace:write',
  params: noParams,
  query: noQuery,
  body: Type.Object(
    { name: NameText, description: Type.Optional(nullable(DescriptionText)) },
    closed,
  ),
  status: 201,
  result: responseOf(Team),
  errors: ['validation_failed', 'permission_denied', 'conflict'],
  async handle({ model, caller, requestId, body }, { db }) {
    const team = { name: body.name, description: body.description ?? null };
    return { body: { data: await addTeam({ db, model, caller, requestId }, team) } };
  },
});

export const updateTeam = defineRoute({
  method: 'PATCH',
  path: '/teams/{team_id}',
  operationId: 'updateTeam',
  tag: 'Administration',
  summary: 'Change a team',
  description:
    'For administrators with the scope `users:read`. A team that a workflow names as approver keeps its name.',
  scope: 'workspace:write',
  params: teamParams,
  query: noQuery,
  body: Type.Object(
    { name: Type.Optional(NameText), description: Type.Optional(nullable(DescriptionText)) },
    closed,
  ),
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Team),
  errors: ['validation_failed', 'permission_denied', 'record_not_found', 'conflict'],
  async handle({ model, caller, requestId, params, body }, { db }) {
    requireDirectoryAdministrator(caller);
    const asked = { db, model, caller, requestId };
    return { body: { data: await changeTeam(asked, params.team_id, body) } };
  },
});

export const deleteTeam = defineRoute({
  method: 'DELETE',
  path: '/teams/{team_id}',
  operationId: 'deleteTeam',
  tag: 'Administration',
  summary: 'Delete a team',
  description:
    'For administrators. The members remain in the workspace and lose the access that the team gave them.',
  scope: 'workspace:write',
  params: teamParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ id: Type.Integer(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found', 'conflict'],
  async handle({ model, caller, requestId, params }, { db }) {
    await removeTeam({ db, model, caller, requestId }, params.team_id);
    return { body: { data: { id: params.team_id, deleted: true } } };
  },
});
