// Status requests as the wire shows them (docs/design/approvals.md): their schemas, and from rows to the wire.

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { REQUEST_STATES } from '../../plan/events/event-plan.ts';
import type { ShownRequest, StatusDecision } from '../../plan/people/status-request-plan.ts';
import { closed, nullable } from '../shapes.ts';

const moment = Type.String({ format: 'date-time' });

const Person = Type.Object(
  { id: Type.Integer(), name: nullable(Type.String()) },
  { $id: 'RequestPerson' },
);

const Decision = Type.Object(
  {
    decision: Type.Enum(['approved', 'rejected']),
    user: Person,
    comment: nullable(Type.String()),
    at: moment,
  },
  { $id: 'StatusDecision' },
);

export const StatusRequestShape = Type.Object(
  {
    id: Type.String(),
    object_type: Type.String(),
    record_id: Type.String(),
    display: nullable(
      Type.String({ description: 'The display value of the record, if you may read it.' }),
    ),
    from_status: Type.String(),
    to_status: Type.String(),
    comment: nullable(
      Type.String({
        description:
          'The comment of the person who asked; null without one and for a key without the scope records:read.',
      }),
    ),
    state: Type.Enum([...REQUEST_STATES]),
    requested_by: Person,
    requested_at: moment,
    expires_at: moment,
    decided_at: nullable(
      Type.String({
        format: 'date-time',
        description: 'The time of the decision; null while it is pending.',
      }),
    ),
    decisions: Type.Array(Decision, {
      description: 'The decisions in the order in which they were made.',
    }),
    approvals: Type.Object(
      {
        given: Type.Integer({ description: 'Approvals that count at this moment.' }),
        required: Type.Integer(),
      },
      { description: 'How many approvals the move needs by the present definition.' },
    ),
    can_decide: Type.Boolean({
      description: 'True when you may approve and reject it, with the scope `approvals:write`.',
    }),
    version: nullable(
      Type.String({
        description:
          'The present version of the record: send it as `expected_version` when fields have changed.',
      }),
    ),
    changed_fields: Type.Array(Type.String(), {
      description:
        'While it is pending: the fields that have changed since it was made, as far as you may read them.',
    }),
  },
  { $id: 'StatusRequest' },
);

/** The comment of a request or a decision. */
export const RequestComment = Type.Optional(
  Type.String({
    format: 'plain-text',
    minLength: 1,
    maxLength: LIMITS.requestCommentLength,
    description: 'Plain text, shown to everybody who may read the record.',
  }),
);

export const requestParams = Type.Object(
  { request_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }) },
  closed,
);

/** A request for its reader. */
export function presentRequest(request: ShownRequest): Record<string, unknown> {
  const { id, object_type, record_id, display, from_status, to_status, comment, state } = request;
  const { requested_at, expires_at, decided_at, approvals, can_decide } = request;
  const { version, changed_fields } = request;
  return {
    ...{ id, object_type, record_id, display, from_status, to_status, comment, state },
    requested_by: request.requester,
    ...{ requested_at, expires_at, decided_at },
    decisions: request.decisions.map(presentDecision),
    ...{ approvals, can_decide, version, changed_fields },
  };
}

function presentDecision({ decision, user, comment, at }: StatusDecision) {
  return { decision, user: { id: user.id, name: user.name }, comment, at };
}
