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
    field: Type.Optional({ ...key, description: 'The field of those records; not of count.' }),
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

/** The rollup with other keys of the fields that it names. It may not be checked yet. */
export function renameInRollup(rollup: Part, keys: (key: string) => string): Part {
  const { reference, where } = rollup;
  const renamed = (part: unknown) => {
    const isNaming = typeof part === 'object' && part !== null && 'field' in part;
    return isNaming && typeof part.field === 'string' ? { ...part, field: keys(part.field) } : part;
  };
  return {
    ...(renamed(rollup) as Part),
    ...(reference === undefined ? {} : { reference: renamed(reference) }),
    ...(Array.isArray(where) ? { where: where.map(renamed) } : {}),
  };
}
