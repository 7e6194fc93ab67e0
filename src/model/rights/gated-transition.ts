// The moves of a workflow that need approval, as a definition document writes them (docs/design/approvals.md).

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { GATE_OPERATORS } from '../values/field-type.ts';

const closed = { additionalProperties: false } as const;

const approvers = Type.Object(
  {
    users: Type.Optional(Type.Array(Type.String(), { description: 'E-mail addresses.' })),
    teams: Type.Optional(Type.Array(Type.String(), { description: 'Names of teams.' })),
  },
  { ...closed, minProperties: 1, description: 'Only these people may make the move.' },
);

/** Schemas of an id of a status, and of a key of a field. */
interface Named {
  readonly status: Type.TString;
  readonly key: Type.TString;
}

/** The schema of a condition on the record itself. */
export function conditionSchema(key: Type.TString, about: string) {
  return Type.Object(
    {
      field: key,
      op: Type.Enum([...GATE_OPERATORS]),
      value: Type.Unknown({
        description:
          'The value to compare with, as in a query; a list for in, between and the like.',
      }),
    },
    { ...closed, description: about },
  );
}

export function gatedTransitionSchema({ status, key }: Named) {
  const when = conditionSchema(key, 'The move needs approval only when the record meets it.');
  return Type.Object(
    {
      to: status,
      approvers,
      required: Type.Optional(
        Type.Integer({
          ...{ minimum: 1, maximum: LIMITS.mostApprovals },
          description: 'How many people must approve (default 1).',
        }),
      ),
      from: Type.Optional(
        Type.Enum(['any', 'each'], {
          description: 'each: at least one of every named user and team. any: the default.',
        }),
      ),
      when: Type.Optional(when),
      self_approval: Type.Optional(
        Type.Boolean({
          description:
            'true: approvers may move records that they own, created, last changed or asked about.',
        }),
      ),
      expires_days: Type.Optional(
        Type.Integer({
          ...{ minimum: 1, maximum: LIMITS.requestDays.maximum },
          description: 'How long a request waits (default 30).',
        }),
      ),
    },
    closed,
  );
}
