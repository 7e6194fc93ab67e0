// Schemas of views (docs/decisions.md, D290).

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import {
  COLUMN_TOTALS,
  VIEW_CHARTS,
  VIEW_KINDS,
  VIEW_METRICS,
  VIEW_SHARES,
} from '../../plan/read/view-plan.ts';
import { closed, MESSAGE_IDS, nullable } from '../shapes.ts';

export const ObjectType = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
const ViewId = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
export const viewParams = Type.Object({ view_id: ViewId }, closed);

export const ExpectedVersion = Type.String({
  maxLength: LIMITS.versionLength,
  description: 'The version it must still have; an alternative to `If-Match`.',
});

const FieldPath = Type.String({ minLength: 1, maxLength: LIMITS.fieldPathLength });
export const Kind = Type.Enum([...VIEW_KINDS], {
  description: 'How the view is shown. The query of a report is an aggregate query.',
});
export const Shared = Type.Enum([...VIEW_SHARES], {
  description:
    'The people who see the view: its owner, people who share a team with the owner, or everyone.',
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
    total: Type.Optional(
      Type.Enum([...COLUMN_TOTALS], {
        description:
          'The total of the column in the footer of a table: a metric, or how many records have a value. A client ' +
          'ignores one that the field does not have.',
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
    description:
      'The field whose values are the columns of a board, the days of a calendar, or the groups of a table.',
  }),
);
export const Metrics = nullable(
  Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: FieldPath }, closed), {
    maxItems: LIMITS.metricsOfView,
    description: 'The metrics of each board column or table group; null: the client chooses.',
  }),
);
export const Chart = nullable(
  Type.Enum([...VIEW_CHARTS], {
    description: 'How a report is drawn; null: the client chooses. Other views have none.',
  }),
);
/** A question; its shape depends on the kind, which a change need not name. */
export const Question = Type.Record(Type.String(), Type.Unknown(), {
  description: [
    'The body of `POST …/records/query`, or for a report of `POST …/records/aggregate/query`, without',
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
      Type.Object({
        field: Type.String(),
        width: Type.Optional(Type.Integer()),
        total: Type.Optional(Type.Enum([...COLUMN_TOTALS])),
      }),
    ),
    group_by: nullable(Type.String()),
    metrics: nullable(
      Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: Type.String() })),
    ),
    chart: nullable(Type.Enum([...VIEW_CHARTS])),
    hidden: Type.Boolean({
      description: [
        'True: the view uses fields that you cannot see. `{"hidden": true}` in `where` stands for conditions,',
        'groups, metrics and sort keys of such fields; columns are omitted. Running the query is 403',
        '`permission_denied`. `POST /views/{view_id}/copy` creates a view of your own from the rest.',
      ].join(' '),
    }),
    is_default: Type.Boolean({ description: 'True: the view opens first for you.' }),
    is_favorite: Type.Boolean({ description: 'True: the view is one of your favorites.' }),
    can_change: Type.Boolean(),
    problems: Type.Array(
      Type.Object({
        param: Type.String(),
        code: Type.String(),
        message: Type.String(),
        ...MESSAGE_IDS,
      }),
      {
        description:
          'Parts of the view that cannot be used: fields that no longer exist, or that you may not read.',
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
    favorite_view_ids: Type.Optional(
      Type.Array(ViewId, {
        maxItems: LIMITS.viewsInOrder,
        uniqueItems: true,
        description: 'Left out: your favorites stay as they are.',
      }),
    ),
  },
  closed,
);
