// Schemas of questions: conditions as a tree, and the other parts of a query.

import Type from 'typebox';
import { shownAs } from '../../http/request/shown-schema.ts';
import { LIMITS } from '../../limits.ts';
import { WHERE_OPERATORS } from '../../model/values/field-type.ts';
import { TIME_UNITS } from '../../plan/read/relative-time.ts';
import { AssociationId, ObjectType, RecordId, RecordSchema } from '../record-shapes.ts';
import { CursorQuery, closed, limitQuery, Pagination } from '../shapes.ts';
import { measuredBody } from './aggregate-routes.ts';
import { selectionBody, sortBody } from './record-read-routes.ts';

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

/** Any form passes here: the planner finds problems inside, which are `invalid_filter` (D36). */
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

export const TimeZone = Type.String({
  maxLength: LIMITS.timezoneLength,
  description: 'A name of the IANA time zone database; UTC when left out.',
  examples: ['Europe/Berlin'],
});

/** The parts that select records. */
export const selectingBody = {
  ...selectionBody,
  where: Type.Optional(Where),
  timezone: Type.Optional(TimeZone),
} as const;

/** A whole question, as requests send it and as it can be kept. */
export const questionBody = {
  ...selectingBody,
  fields: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: LIMITS.selectedFields,
      description: [
        'Field keys; identity properties only when left out. `company_id.name` is a field of the record',
        'under `expanded`, where `expand` has `company_id`.',
      ].join(' '),
    }),
  ),
  sort: sortBody,
  expand: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: LIMITS.expandedReferences,
      description:
        'Keys of references and user fields. The records and users they refer to are under `expanded`.',
      examples: [['company_id', 'owner_user_id']],
    }),
  ),
  count: Type.Optional(
    Type.Enum(['none', 'exact'], {
      description: `\`exact\` says how many records there are, up to ${LIMITS.exactCount}.`,
    }),
  ),
  limit: Type.Optional(limitQuery(LIMITS.defaultPageSize.records)),
  cursor: CursorQuery,
} as const;

/** A field, or the periods that its values fall into. */
const GroupItem = Type.Union([
  Type.String(),
  Type.Object(
    {
      field: Type.String(),
      by: Type.Enum([...TIME_UNITS]),
      timezone: Type.Optional(TimeZone),
    },
    closed,
  ),
]);

/** A whole question about groups. */
export const groupedBody = {
  ...selectingBody,
  group_by: Type.Optional(Type.Array(GroupItem, { maxItems: LIMITS.groupKeys })),
  ...measuredBody,
} as const;

/** The part of a question that is sent with a request and not stored in a view. */
export const linkedBody = {
  linked_to: Type.Optional(
    Type.Object(
      { object_type: ObjectType, record_id: RecordId, association_id: AssociationId },
      {
        ...closed,
        description: [
          'Only records that this record is linked to by a relationship of its object, such as',
          '`inv.deals.company_id`; none where the user may not read the record. A relationship that is not a',
          'reference of the other records to it needs the right to read all of them.',
        ].join(' '),
      },
    ),
  ),
} as const;

export const CountedRecords = Type.Object(
  {
    data: Type.Array(RecordSchema),
    pagination: Pagination,
    count: Type.Optional(
      Type.Object(
        {
          value: Type.Integer(),
          relation: Type.Enum(['exact', 'at_least']),
        },
        {
          description: 'The number of all records that the query finds, where `count` is `exact`.',
        },
      ),
    ),
  },
  { $id: 'CountedRecordList' },
);
