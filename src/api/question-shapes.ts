// Schemas of questions: conditions as a tree, and what is asked besides.

import { shownAs } from '../http/shown-schema.ts';
import { LIMITS } from '../limits.ts';
import { WHERE_OPERATORS } from '../model/field-type.ts';

const WHERE = { $ref: '#/components/schemas/Where' };

const parts = {
  type: 'array',
  items: WHERE,
  minItems: 1,
  maxItems: LIMITS.conditions,
};

function closedObject(properties: Readonly<Record<string, object>>): object {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** Any form is taken here: what is wrong inside is `invalid_filter` (D36) and is found by the planner. */
export const Where = shownAs<unknown>('Where', 'object', {
  description: [
    'Conditions on records: all of some, any of some, not one, or a condition on a field. At most',
    `${LIMITS.conditions} conditions, all, any and not at most ${LIMITS.whereLevels} levels deep. \`not\` is true of`,
    'every record that its condition does not find.',
  ].join(' '),
  anyOf: [
    closedObject({ all: parts }),
    closedObject({ any: parts }),
    closedObject({ not: WHERE }),
    closedObject({
      field: {
        type: 'string',
        description:
          'A field key, or one of the record that a reference leads to: `company_id.name`.',
      },
      op: { type: 'string', enum: [...WHERE_OPERATORS] },
      value: {
        description: [
          'A value of the type of the field, a list for `in`, `not_in` and `has_…`, two values for',
          '`between`, a boolean for `is_null`. In place of a date or time: `{"relative": "-30d"}`; of a',
          'user: `{"me": true}`, and `{"my_teams": true}` in place of a list.',
        ].join(' '),
      },
    }),
  ],
  examples: [
    {
      any: [
        { field: 'status', op: 'eq', value: 'won' },
        { field: 'close_value', op: 'gte', value: 1000 },
      ],
    },
  ],
});
