// Viewing as a person: an administrator reads what that person reads (docs/decisions.md, D536). Requests that view send
// `X-View-As`; these two do not.

import Type from 'typebox';
import { beginViewing, endViewing } from '../../flow/people/viewing.ts';
import { defineRoute } from '../context.ts';
import { closed, nullable, responseOf } from '../shapes.ts';
import { noParams, noQuery, SmallId } from './administration-shapes.ts';

export const startViewing = defineRoute({
  method: 'POST',
  path: '/viewing',
  operationId: 'startViewing',
  tag: 'Administration',
  summary: 'View as a person',
  description: [
    'For administrators who have signed in in the last 30 minutes. Afterwards requests of this session with the',
    'header `X-View-As: {user_id}` read exactly what this person or agent may read, with the scopes `users:read`,',
    '`records:read`, `comments:read`, `workspace:read` and `audit:read`; a write is refused with',
    '`permission_denied`. It ends after 30 minutes, with `DELETE /viewing`, with the session, and when another',
    'one begins. Beginning and ending are in the audit.',
  ].join(' '),
  scope: null,
  sessionOnly: true,
  fresh: true,
  params: noParams,
  query: noQuery,
  body: Type.Object({ user_id: SmallId }, closed),
  status: 201,
  result: responseOf(
    Type.Object({
      user: Type.Object({
        id: Type.Integer(),
        name: nullable(Type.String()),
        email: Type.String(),
      }),
      ends_at: Type.String({ format: 'date-time' }),
    }),
  ),
  errors: ['validation_failed', 'permission_denied', 'user_not_found', 'conflict'],
  async handle({ model, caller, requestId, body }, { db }) {
    return {
      body: { data: await beginViewing({ db, model, caller, requestId }, body.user_id) },
    };
  },
});

export const stopViewing = defineRoute({
  method: 'DELETE',
  path: '/viewing',
  operationId: 'stopViewing',
  tag: 'Administration',
  summary: 'Stop viewing as a person',
  description: 'Ends the viewing of this session. Without one it answers 200 with `user_id: null`.',
  scope: null,
  sessionOnly: true,
  params: noParams,
  query: noQuery,
  status: 200,
  result: responseOf(
    Type.Object({
      user_id: nullable(
        Type.Integer({ description: 'The user as whom you were viewing; null: no one.' }),
      ),
      ended: Type.Literal(true),
    }),
  ),
  errors: ['permission_denied'],
  async handle({ model, caller, requestId }, { db }) {
    const { user_id } = await endViewing({ db, model, caller, requestId });
    return { body: { data: { user_id, ended: true } } };
  },
});
