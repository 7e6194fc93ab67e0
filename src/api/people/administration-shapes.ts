// Schemas of what administrators change: people with their roles, keys, roles. A schema with `$id` becomes a
// named component of the OpenAPI document.

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { EMAIL_LENGTH, EMAIL_PATTERN, KEY_PATTERN } from '../../model/definition/definition.ts';
import { NAME_LENGTH, NAME_PATTERN } from '../../model/definition/definition-words.ts';
import { SCOPES } from '../../model/rights/access.ts';
import { closed, nullable } from '../shapes.ts';

export const noQuery = Type.Object({}, closed);
export const noParams = Type.Object({}, closed);

/** An id of a user or a team. */
export const SmallId = Type.Integer({ minimum: 1, maximum: LIMITS.smallId });

/** A name in one line. */
export const NameText = Type.String({
  format: 'plain-text',
  minLength: 1,
  maxLength: NAME_LENGTH,
  pattern: NAME_PATTERN,
});

export const DescriptionText = Type.String({
  format: 'plain-text',
  maxLength: LIMITS.descriptionLength,
});

export const EmailText = Type.String({
  format: 'plain-text',
  maxLength: EMAIL_LENGTH,
  pattern: EMAIL_PATTERN,
  description: 'The address in lower case, which identifies the person at the sign-in.',
});

export const RoleKeys = Type.Array(Type.String({ pattern: KEY_PATTERN }), {
  maxItems: LIMITS.rolesOfUser,
  uniqueItems: true,
  description: 'Keys of roles of the definition.',
});

/** A person or agent as administrators see them. */
export const Member = Type.Object(
  {
    id: Type.Integer(),
    name: nullable(Type.String()),
    email: Type.String(),
    title: nullable(Type.String()),
    kind: Type.Enum(['user', 'agent']),
    active: Type.Boolean(),
    roles: Type.Array(Type.String()),
    teams: Type.Array(Type.Object({ id: Type.Integer(), name: nullable(Type.String()) })),
  },
  { $id: 'Member' },
);

const rate = Type.Integer({ minimum: 1, maximum: LIMITS.mostRequestsPerMinute });

export const RateInput = Type.Optional(
  Type.Union([rate, Type.Null()], {
    description:
      'Requests a minute; null: the limit of the service. A key gives no more than it has.',
  }),
);

export const EndInput = Type.Optional(
  Type.Union([Type.String({ format: 'plain-text', maxLength: 40 }), Type.Null()], {
    description:
      'A time in the future, RFC 3339. A key cannot create a key that expires later than itself.',
  }),
);

export const GatesInput = Type.Optional(
  Type.Boolean({
    description:
      'False: the key does not move records through gates and does not approve. Left out: true for people, false for agents.',
  }),
);

export const ScopesInput = Type.Optional(
  Type.Array(Type.Enum([...SCOPES]), {
    maxItems: SCOPES.length,
    uniqueItems: true,
    description:
      'The scopes; the six of records, users and comments when left out. A key gives only its own.',
  }),
);

export const keyProperties = {
  id: Type.String(),
  user: nullable(
    Type.Object(
      {
        id: Type.Integer(),
        name: nullable(Type.String()),
        email: nullable(
          Type.String({
            description: 'The address; that of other people needs the scope `users:read`.',
          }),
        ),
        kind: Type.Enum(['user', 'agent']),
        active: Type.Boolean(),
      },
      { $id: 'KeyUser' },
    ),
  ),
  type: Type.Enum(['personal', 'operational']),
  name: Type.String(),
  prefix: Type.String({ description: 'The beginning of the secret.' }),
  scopes: Type.Array(Type.String()),
  requests_per_minute: nullable(
    Type.Integer({ description: 'Requests a minute; null: the limit of the service at the time.' }),
  ),
  gates: Type.Boolean({
    description:
      'False: the key asks for moves that need approval, and neither makes nor approves them.',
  }),
  expires_at: nullable(Type.String({ format: 'date-time' })),
  revoked_at: nullable(Type.String({ format: 'date-time' })),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: nullable(
    Type.String({ format: 'date-time', description: 'The last use, to the minute; null: never.' }),
  ),
  client_id: Type.Optional(
    Type.String({ description: 'The client that has the key by a grant of OAuth.' }),
  ),
  view_id: Type.Optional(Type.String({ description: 'The view that a calendar feed reads.' })),
};

export const KeyShape = Type.Object(keyProperties, { $id: 'Key' });

export const NewKeyShape = Type.Object(
  {
    ...keyProperties,
    secret: Type.String({
      description: 'The secret, to send as `Bearer`. The service returns it only once.',
    }),
  },
  { $id: 'NewKey' },
);
