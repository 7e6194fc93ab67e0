// Schemas that more than one part of the interface uses: pages, wrappers, people. A schema with `$id`
// becomes a named component of the OpenAPI document.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';

/** Options of an object that takes no other properties. */
export const closed = Object.freeze({ additionalProperties: false });

/** The body of a write that needs no values: empty, or an object without properties (D577). */
export const emptyBody = { body: Type.Object({}, closed), bodyOptional: true } as const;

export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** Page size (§8); the request pipeline fills in the default. */
export function limitQuery(byDefault: number, maximum: number = LIMITS.pageSize.maximum) {
  return Type.Integer({
    minimum: LIMITS.pageSize.minimum,
    maximum,
    default: byDefault,
    description: 'Items on a page.',
  });
}

/** Cursor of a page (§8); `cursor=` counts as absent (D40). */
export function cursorQuery(maxLength: number = LIMITS.cursorLength) {
  return Type.Optional(
    Type.String({
      maxLength,
      description: 'The `next_cursor` of the page before, with an otherwise equal request.',
    }),
  );
}

export const CursorQuery = cursorQuery();

export const Pagination = Type.Object(
  {
    limit: Type.Integer({ description: 'Page size used for this response.' }),
    has_more: Type.Boolean(),
    next_cursor: nullable(
      Type.String({ description: 'Opaque cursor of the next page; null on the last page.' }),
    ),
  },
  { $id: 'Pagination' },
);

/** `{data: …}`. */
export function responseOf<Schema extends Type.TSchema>(data: Schema) {
  return Type.Object({ data });
}

/** `{data: […]}`, complete. */
export function listOf<Schema extends Type.TSchema>(item: Schema) {
  return Type.Object({ data: Type.Array(item) });
}

/** `{data: […], pagination}`. */
export function pageOf<Schema extends Type.TSchema>(item: Schema) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination });
}

export const User = Type.Object(
  {
    id: Type.Integer(),
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    title: nullable(Type.String()),
    active: Type.Boolean(),
    teams: Type.Array(Type.Object({ id: Type.Integer(), name: nullable(Type.String()) })),
  },
  { $id: 'User' },
);

export const Team = Type.Object(
  {
    id: Type.Integer(),
    name: nullable(Type.String()),
    description: nullable(Type.String()),
    member_ids: Type.Array(Type.Integer(), { description: 'Active people only.' }),
  },
  { $id: 'Team' },
);

/** The user and the workspace that a principal acts for. */
export const Whose = {
  user: Type.Object(
    {
      id: Type.Integer(),
      name: nullable(Type.String()),
      email: nullable(Type.String()),
      title: nullable(Type.String()),
    },
    { $id: 'PersonIdentity' },
  ),
  workspace: Type.Object(
    { id: Type.Integer(), slug: Type.String(), name: Type.String() },
    { $id: 'WorkspaceIdentity' },
  ),
};

export const KeyIdentity = Type.Object(
  {
    ...Whose,
    api_key: Type.Object({
      id: Type.String(),
      name: Type.String(),
      type: Type.Enum(['personal', 'operational']),
      prefix: Type.String(),
      scopes: Type.Array(Type.String()),
      expires_at: nullable(Type.String({ format: 'date-time' })),
    }),
    rate_limit: Type.Object({ requests_per_minute: Type.Integer() }),
  },
  { $id: 'KeyIdentity' },
);

const moment = Type.String({ format: 'date-time' });

export const Session = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String({ format: 'date-time', description: 'When the person signed in.' }),
    last_used_at: moment,
    expires_at: moment,
  },
  { $id: 'Session' },
);

export const SessionIdentityShape = Type.Object(
  {
    ...Whose,
    api_key: Type.Null(),
    session: Session,
    rate_limit: Type.Object({ requests_per_minute: Type.Integer() }),
    viewing: Type.Optional(
      Type.Object(
        {
          viewer: Type.Object({ id: Type.Integer(), name: nullable(Type.String()) }),
          ends_at: Type.String({ format: 'date-time' }),
        },
        { description: 'With `X-View-As`: the administrator who views as this user.' },
      ),
    ),
    set_up: Type.Optional(
      Type.Literal('second_factor', {
        description: 'A role requires a second factor: the session can only set it up.',
      }),
    ),
    last_event_id: Type.String({
      description: 'The id of the moment of this answer, to send as `Last-Event-ID`.',
    }),
    favorite_views: Type.Optional(
      Type.Array(
        Type.Object({ id: Type.String(), object_type: Type.String(), name: Type.String() }),
        {
          description:
            'With `include=favorite_views`: your favorite views of all objects, but none of the kind `report`.',
        },
      ),
    ),
    dashboards: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
        description: 'With `include=links`: the newest 100 dashboards.',
      }),
    ),
  },
  { $id: 'SessionIdentity' },
);

/** The errors of every endpoint that answers questions. */
export const questionErrors = [
  'invalid_json',
  'validation_failed',
  'invalid_filter',
  'invalid_cursor',
  'permission_denied',
  'search_not_supported',
  'object_not_available',
] as const;

/** The id of a message and the values in it, for clients that have it in other languages. */
export const MESSAGE_IDS = Object.freeze({
  message_id: Type.Optional(Type.String()),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
