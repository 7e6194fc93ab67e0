// Fields that summarize the records that refer to a record, as a definition document writes them
// (docs/design/computed-fields.md).

import Type, { type Static } from 'typebox';
import { LIMITS } from '../../limits.ts';
import { conditionSchema } from '../rights/gated-transition.ts';

export const ROLLUP_OPERATIONS = ['count', 'sum', 'min', 'max', 'last'] as const;

const key = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' });

export const RollupSchema = Type.Object(
  {
    reference: Type.Object(
      { object_type: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,99}$' }), field: key },
      {
        additionalProperties: false,
        description: 'The records: those of this object whose field refers to the record.',
      },
    ),
    op: Type.Enum([...ROLLUP_OPERATIONS], {
      description: 'last: the value of the record that was created last.',
    }),
    field: Type.Optional({ ...key, description: 'The field of those records; `count` has none.' }),
    where: Type.Optional(
      Type.Array(conditionSchema(key, 'Only records that meet all conditions.'), {
        minItems: 1,
        maxItems: LIMITS.rollupConditions,
      }),
    ),
  },
  { additionalProperties: false, description: 'rollup: the values that it is computed from.' },
);

export type RollupDefinition = Static<typeof RollupSchema>;

type Part = Readonly<Record<string, unknown>>;

/** The new names in the object whose records are summarized, by the former ones. */
export interface SummarizedNames {
  readonly field: (key: string) => string;
  readonly status: (id: unknown) => unknown;
}

/** The rollup with other names of fields and statuses. It may not be checked yet. */
export function renameInRollup(rollup: Part, { field, status }: SummarizedNames): Part {
  const { reference, where } = rollup;
  const renamed = (part: unknown) => {
    if (!isPart(part) || typeof part.field !== 'string') return part;
    return { ...part, field: field(part.field) };
  };
  const renamedCondition = (condition: unknown) => {
    if (!isPart(condition) || condition.field !== 'status') return renamed(condition);
    const { value } = condition;
    return { ...condition, value: Array.isArray(value) ? value.map(status) : status(value) };
  };
  return {
    ...(renamed(rollup) as Part),
    ...(reference === undefined ? {} : { reference: renamed(reference) }),
    ...(Array.isArray(where) ? { where: where.map(renamedCondition) } : {}),
  };
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}
