// Schemas of views (docs/decisions.md, D290).

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { VIEW_KINDS, VIEW_METRICS, VIEW_SHARES } from '../plan/view-plan.ts';
import { closed, nullable } from './shapes.ts';

export const ObjectType = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
const ViewId = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
export const viewParams = Type.Object({ view_id: ViewId }, closed);

const FieldPath = Type.String({ minLength: 1, maxLength: LIMITS.fieldPathLength });
export const Kind = Type.Enum([...VIEW_KINDS], {
  description: 'How it is shown. The question of a report is one for an aggregate.',
});
export const Shared = Type.Enum([...VIEW_SHARES], {
  description: 'Who sees it: its owner, whoever shares a team with them, or everybody.',
});
const Column = Type.Object(
  {
    field: FieldPath,
    width: Type.Optional(
      Type.Integer({
        minimum: LIMITS.columnWidth.minimum,
        maximum: LIMITS.columnWidth.maximum,
        description: 'Pixels.',
      }),
    ),
  },
  closed,
);
export const Columns = Type.Array(Column, {
  maxItems: LIMITS.columnsOfView,
  description: 'The fields shown, in this order; a field through a reference as `company_id.name`.',
});
export const GroupBy = nullable(
  Type.String({
    minLength: 1,
    maxLength: LIMITS.fieldPathLength,
    description: 'The field whose values are the columns of a board, or the groups of a table.',
  }),
);
export const Metrics = nullable(
  Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: FieldPath }, closed), {
    maxItems: LIMITS.metricsOfView,
    description:
      'What is computed of each column of a board, or group of a table; null leaves it to whoever shows it.',
  }),
);
/** Its shape depends on the kind, which a change need not name. */
export const Question = Type.Record(Type.String(), Type.Unknown(), {
  description: [
    'What `POST …/records/query` takes, for a report what `POST …/records/aggregate/query` takes; without',
    '`limit` and `cursor`.',
  ].join(' '),
});

export const View = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    object_type: Type.String(),
    name: Type.String(),
    kind: Kind,
    shared: Shared,
    owner_user_id: Type.Integer(),
    query: Question,
    columns: Type.Array(
      Type.Object({ field: Type.String(), width: Type.Optional(Type.Integer()) }),
    ),
    group_by: nullable(Type.String()),
    metrics: nullable(
      Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: Type.String() })),
    ),
    hidden: Type.Boolean({
      description: [
        'True: it names fields that you cannot see. A condition on one is `{"hidden": true}` in `where`, which also',
        'stands for groups, measures and orders by one; columns are left out. To ask it is 403 `permission_denied`;',
        '`POST /views/{view_id}/copy` keeps the rest of it as your own.',
      ].join(' '),
    }),
    is_default: Type.Boolean({ description: 'It is the one that opens first for you.' }),
    can_change: Type.Boolean(),
    problems: Type.Array(
      Type.Object({ param: Type.String(), code: Type.String(), message: Type.String() }),
      {
        description:
          'What of it you cannot be answered: a field that is gone, or that you may not read.',
      },
    ),
    version: Type.String({
      description: 'Opaque; send it back as `If-Match` or `expected_version`.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'View' },
);

export const ViewOrderShape = Type.Object(
  {
    object_type: ObjectType,
    view_ids: Type.Array(ViewId, {
      maxItems: LIMITS.viewsInOrder,
      uniqueItems: true,
      description: 'Views that are not named come after them.',
    }),
    default_view_id: Type.Optional(nullable(ViewId)),
  },
  closed,
);
