// The parts of the OpenAPI document that every route shares: headers, parameters, the error envelope
// and how a key is sent.

import { LIMITS } from '../../limits.ts';

const RATE = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Names of headers by kind. */
export const HEADERS = Object.freeze({ rate: RATE });

export const DESCRIPTIONS = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  206: 'A part of the file.',
  302: 'The file is at another address.',
  303: 'The answer is at another address.',
} as const;

const integer = (description: string) => ({ description, schema: { type: 'integer' } });
const text = (description: string) => ({ description, schema: { type: 'string' } });

const headers = {
  'X-Request-Id': text('Id of this request, made by the service.'),
  'RateLimit-Limit': integer(
    'Requests allowed per window of one minute. On answers to a key or a session that is known.',
  ),
  'RateLimit-Remaining': integer('Requests left in the current window.'),
  'RateLimit-Reset': integer('Seconds until the window resets.'),
  'X-RateLimit-Limit': integer('Same as RateLimit-Limit.'),
  'X-RateLimit-Remaining': integer('Same as RateLimit-Remaining.'),
  'X-RateLimit-Reset': integer('Unix time in seconds when the window resets.'),
  'Retry-After': integer('Seconds to wait.'),
  'WWW-Authenticate': text('`Bearer`.'),
  ETag: text('Version of the body, in quotation marks.'),
  Location: text('Where the browser is sent.'),
  'Content-Disposition': text('`attachment` with the name of the file.'),
  'Accept-Ranges': text('`bytes`.'),
  'Content-Range': text('Which bytes these are, and of how many.'),
  'Idempotent-Replayed': text('`true` when the answer is a stored one.'),
};

const operator = { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/FilterOperators' }] };

const parameters = {
  filter: {
    name: 'filter',
    in: 'query',
    required: false,
    style: 'deepObject',
    explode: true,
    description: [
      '`filter[field]=value` or `filter[field][op]=value`.',
      `At most ${LIMITS.filters}, combined with AND.`,
      `\`in\` takes 1 to ${LIMITS.inValues} values with commas between them.`,
      'A client that cannot write two brackets sends its filters in the body of `POST …/records/search`.',
    ].join(' '),
    schema: { type: 'object', additionalProperties: operator },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `Makes a retry safe: the write runs once, its answer is kept for ${LIMITS.idempotencyHours} hours.`,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyLength,
      pattern: '^[\\x21-\\x7e]+$',
    },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The version of the record in quotation marks, or its ETag; several, or `*`.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of an answer the client has; 304 when it is still the present one.',
    schema: { type: 'string' },
  },
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description: 'One part of the file, such as `bytes=0-1023`; 206 has only that.',
    schema: { type: 'string' },
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    required: false,
    description:
      'The ETag that the part belongs to; with another one the answer is the whole file.',
    schema: { type: 'string' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The last `id` that you received. Later events are sent first.',
    schema: { type: 'string' },
  },
};

const value = { type: 'string' };

const MESSAGE_IDS = {
  message_id: {
    type: 'string',
    description:
      'Stable: the message in other languages. Without it the message is that of the code.',
  },
  params: { type: 'object', description: 'The values in the message, by name.' },
};

const schemas = {
  FilterOperators: {
    type: 'object',
    description: 'Operators of a filter in a query string.',
    properties: {
      eq: value,
      ne: value,
      lt: value,
      lte: value,
      gt: value,
      gte: value,
      in: { type: 'string', description: 'Values with commas between them; `"…"` quotes one.' },
      is_null: { type: 'string', enum: ['true', 'false'] },
    },
    additionalProperties: false,
  },
  Problem: {
    type: 'object',
    properties: {
      param: { type: 'string' },
      code: { type: 'string' },
      message: { type: 'string' },
      ...MESSAGE_IDS,
    },
    required: ['code', 'message'],
  },
  ErrorEnvelope: {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          type: {
            type: 'string',
            enum: [
              'invalid_request_error',
              'authentication_error',
              'permission_error',
              'not_found_error',
              'conflict_error',
              'idempotency_error',
              'rate_limit_error',
              'api_error',
            ],
          },
          code: { type: 'string', description: 'Stable and machine-readable.' },
          message: {
            type: 'string',
            description: 'The problem in words for people; they may change.',
          },
          param: { type: 'string', description: 'Where the error is, for example `fields.name`.' },
          details: {
            type: 'object',
            properties: {
              errors: { type: 'array', items: { $ref: '#/components/schemas/Problem' } },
              ...MESSAGE_IDS,
            },
          },
          request_id: { type: 'string', description: 'Same as the header X-Request-Id.' },
        },
        required: ['type', 'code', 'message', 'request_id'],
      },
    },
    required: ['error'],
  },
};

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'An API key, sent as `Authorization: Bearer <API_KEY>`.',
      'It acts as its user. Its scopes can restrict the rights of the user.',
    ].join(' '),
  },
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `OPERATOR_KEY` of the service, for requests outside of a workspace.',
  },
};

/** The extension `x-session` of the document: how browsers authenticate. Operations that need it have `x-session` too. */
export const SESSION = Object.freeze({
  in: 'cookie',
  name: '__Host-wrs-{workspace id}',
  description: [
    'In place of a key: the session of a person who signed in with `POST /sessions`: all scopes, and the rights of',
    'the person. Over http of the same machine the name is `wrs-{workspace id}`. With sessions of several',
    'workspaces `X-Workspace` names one by its slug. Every request except GET must come from a page of the',
    'service itself. With `X-View-As: {user_id}` an administrator reads as that user (`POST /viewing`).',
  ].join(' '),
});

export const COMMON_COMPONENTS = Object.freeze({
  securitySchemes,
  headers,
  parameters,
  schemas,
});
