// The audit of the workspace, over HTTP: parsing and presenting. Administrators read all of it, others their own
// actions (D246); the rows are those of control/events/audit-rows.ts, as for the command.

import Type from 'typebox';
import {
  AUDIT_ACTION,
  type AuditFilter,
  type AuditPlace,
  type AuditRow,
  loadAudit,
} from '../../control/events/audit-rows.ts';
import { SUBJECT_TYPES } from '../../control/workspace/administrative-audit.ts';
import { ApiError, errorFromProblems, type Problem } from '../../errors.ts';
import type { Authenticated } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { about, type Message, say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, knowsDirectory } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { parseDateTime } from '../../model/values/times.ts';
import { knownKeys, planKnownRecords } from '../../plan/events/audit-plan.ts';
import { auditIdOf, openText, sealText } from '../../plan/events/event-id.ts';
import { decodeCursor, encodeCursor } from '../../plan/read/cursor.ts';
import { defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { CursorQuery, closed, limitQuery, nullable, pageOf } from '../shapes.ts';

const Id = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
const Moment = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'A date or a date and time.',
});

const AuditEntry = Type.Object(
  {
    id: Type.String({ description: 'Opaque and in no order; the order is that of the pages.' }),
    at: Type.String({ format: 'date-time' }),
    user: nullable(
      Type.Object({
        id: Type.Integer(),
        email: nullable(
          Type.String({
            description: 'The address; that of other people needs the scope `users:read`.',
          }),
        ),
      }),
    ),
    api_key: nullable(Type.Object({ id: Type.String(), prefix: nullable(Type.String()) })),
    session: nullable(Type.Object({ id: Type.String() })),
    source: Type.Enum(['api', 'import', 'cli', 'bulk', 'mcp']),
    object_type: nullable(Type.String()),
    record_id: nullable(Type.String()),
    subject_type: nullable(
      Type.String({
        description: 'The kind of subject of an administrative action, such as `key`.',
      }),
    ),
    subject_id: nullable(Type.String()),
    action: Type.String(),
    changed_fields: Type.Array(Type.String(), {
      description: 'Keys of the changed fields, never values.',
    }),
    status_request_id: Type.Optional(
      Type.String({
        description: 'The status request that the entry is about, or that led to the move.',
      }),
    ),
    requested_by: Type.Optional(
      Type.Integer({ description: 'The person who asked for the move.' }),
    ),
    approved_by: Type.Optional(
      Type.Union([Type.Array(Type.Integer()), Type.Null()], {
        description: 'The approvers of the move, in their order.',
      }),
    ),
    request_id: nullable(
      Type.String({
        description: 'The id that all entries of one request, or of one import, have.',
      }),
    ),
    batch_id: nullable(Type.String()),
  },
  { $id: 'AuditEntry' },
);

export const listAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  tag: 'Administration',
  summary: 'List audit entries',
  description: [
    'Audit entries of record writes and of administrative actions, newest first, without values.',
    'Administrators read all entries. Other people read the entries of their own actions, with the',
    'consequences for records that they may read. A page scans a limited number of rows, so it may have',
    'fewer items than `limit`, even none, while `has_more` is true.',
  ].join(' '),
  scope: 'audit:read',
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      user_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      key_id: Type.Optional(Id),
      object_type: Type.Optional(Id),
      record_id: Type.Optional(Id),
      subject_type: Type.Optional(Type.Enum([...SUBJECT_TYPES])),
      subject_id: Type.Optional(Id),
      action: Type.Optional(Type.String({ pattern: AUDIT_ACTION.source })),
      since: Type.Optional(Moment),
      until: Type.Optional(Moment),
      limit: limitQuery(LIMITS.defaultPageSize.audit),
      cursor: CursorQuery,
    },
    closed,
  ),
  status: 200,
  result: pageOf(AuditEntry),
  errors: ['validation_failed', 'invalid_cursor', 'permission_denied'],
  async handle({ caller, model, query }, { db }) {
    const { limit, cursor, ...given } = query;
    const filter = narrowed(caller, parseFilter(given));
    const binding = JSON.stringify(['audit', model.workspace.id, caller.user.id, filter]);
    const before = cursor === undefined ? undefined : readCursor(model, binding, cursor);
    const known = planKnownRecords(model, caller);
    const { rows, next } = await loadAudit(db, model.schema, filter, { before, limit, known });
    const next_cursor = next === undefined ? null : writeCursor(model, binding, next);
    return {
      body: {
        data: rows.map((row) => presentEntry({ model, caller }, row)),
        pagination: presentPagination(limit, next_cursor),
      },
    };
  },
});

interface GivenFilter extends Omit<AuditFilter, 'since' | 'until' | 'key'> {
  readonly key_id?: string;
  readonly since?: string;
  readonly until?: string;
}

function parseFilter({ key_id, record_id, since, until, ...rest }: GivenFilter): AuditFilter {
  const problems: Problem[] = [];
  const id = (param: string, value: string | undefined) => {
    if (value === undefined) return undefined;
    const parsed = parseRecordId(value);
    if (parsed === undefined) problems.push(wrong(param, say('not_an_id')));
    return parsed;
  };
  const time = (param: string, value: string | undefined) => {
    if (value === undefined) return undefined;
    const parsed = parseDateTime(value);
    if ('problem' in parsed) problems.push(wrong(param, parsed.problem));
    return 'value' in parsed ? String(parsed.value) : undefined;
  };
  const filter = {
    ...rest,
    key: id('key_id', key_id),
    record_id: id('record_id', record_id),
    since: time('since', since),
    until: time('until', until),
  };
  if (problems.length > 0) throw errorFromProblems(problems);
  return filter;
}

function wrong(param: string, problem: Message): Problem {
  return { param, code: 'validation_failed', message: about('The value', problem) };
}

/** Only administrators read the actions of others; the answer does not show whether there is such a person. */
function narrowed({ access, user }: Caller, filter: AuditFilter): AuditFilter {
  if (access.administrator) return filter;
  if (filter.user_id === undefined || filter.user_id === user.id) {
    return { ...filter, user_id: user.id };
  }
  throw new ApiError('permission_denied', { param: 'user_id', message: say('activity_of_others') });
}

function readCursor(
  { cursor_secret }: WorkspaceModel,
  binding: string,
  cursor: string,
): AuditPlace {
  const [at, sealed] = decodeCursor(cursor_secret, binding, cursor);
  const id = openText(cursor_secret, String(sealed));
  if (id === undefined) throw new ApiError('invalid_cursor', { param: 'cursor' });
  return { at: at as string, id: Number(id) };
}

/** Digits of a row number that JSON keeps. */
const LONGEST_NUMBER = 16;

/** Cursors can be read: the number of a row would tell how much others write. */
function writeCursor({ cursor_secret }: WorkspaceModel, binding: string, next: AuditPlace): string {
  const sealed = sealText(cursor_secret, String(next.id), LONGEST_NUMBER);
  return encodeCursor(cursor_secret, binding, [next.at, sealed]);
}

function presentEntry({ model, caller }: Pick<Authenticated, 'model' | 'caller'>, row: AuditRow) {
  const { user, user_id, api_key_id, api_key_prefix, session_id, consequence: _, ...entry } = row;
  const isKnown = user_id === caller.user.id || knowsDirectory(caller);
  return {
    ...entry,
    id: auditIdOf(model.cursor_secret, row.id),
    changed_fields: knownKeys(model, caller, row),
    user: user_id === null ? null : { id: user_id, email: isKnown ? user : null },
    api_key: api_key_id === null ? null : { id: api_key_id, prefix: api_key_prefix },
    session: session_id === null ? null : { id: session_id },
  };
}
