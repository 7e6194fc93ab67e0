// Aggregates over HTTP (specification §4.3): parse, plan, present. plan/read/aggregate-plan.ts decides which fields can be
// grouped and measured.

import Type from 'typebox';
import { readGroups } from '../../flow/records/read/read-flow.ts';
import { LIMITS } from '../../limits.ts';
import { METRIC_OPERATIONS } from '../../plan/read/aggregate-plan.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { parseRecordQuery } from '../../plan/read/record-query.ts';
import { defineRoute } from '../context.ts';
import { presentGroups } from '../present.ts';
import { ObjectType } from '../record-shapes.ts';
import { CursorQuery, closed, limitQuery, pageOf, questionErrors } from '../shapes.ts';
import { selectionBody } from './record-read-routes.ts';

const METRIC_NAME = '^[a-z][a-z0-9_]{0,39}$';

const Metric = Type.Object(
  {
    name: Type.String({ pattern: METRIC_NAME, description: 'Column of the result.' }),
    op: Type.Enum([...METRIC_OPERATIONS]),
    field: Type.Optional(
      Type.String({ description: 'Field to measure; left out, `count` counts records.' }),
    ),
  },
  closed,
);

/** The metrics of an aggregate, and the order of its groups. */
export const measuredBody = {
  metrics: Type.Array(Metric, { minItems: 1, maxItems: LIMITS.metrics }),
  order_by: Type.Optional(
    Type.Object(
      {
        name: Type.String({ description: 'A metric or a column of `group_by`.' }),
        direction: Type.Enum(['asc', 'desc']),
      },
      closed,
    ),
  ),
  limit: Type.Optional(limitQuery(LIMITS.defaultPageSize.groups)),
  cursor: CursorQuery,
} as const;

export const Group = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'Group',
  description:
    'The `group_by` values and one column per metric. Numbers are exact: one that a JSON number ' +
    'would not keep (beyond 2^53, or with too many digits) is a decimal string. `avg` is the ' +
    'nearest double.',
});

export const aggregateRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/aggregate',
  operationId: 'aggregateRecords',
  tag: 'Records',
  summary: 'Aggregate records',
  description: 'Computed over the complete filtered set. Read-only.',
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      ...selectionBody,
      group_by: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.groupKeys })),
      ...measuredBody,
    },
    closed,
  ),
  status: 200,
  result: pageOf(Group),
  errors: questionErrors,
  async handle({ caller, model, params, body, signal }, { db }) {
    const { query: text, filters = {} } = body;
    const { object, query } = parseRecordQuery({ text, textParam: 'query', filters }, () =>
      requireObject(model, caller, params.object_type),
    );
    const limit = body.limit ?? LIMITS.defaultPageSize.groups;
    const page = await readGroups({ db, model, caller, signal }, object, {
      query,
      group_by: body.group_by ?? [],
      metrics: body.metrics,
      order_by: body.order_by,
      limit,
      cursor: body.cursor || undefined,
    });
    return { body: presentGroups(page) };
  },
});
