// `aggregate`: counts, sums and other figures of records by groups, computed by the service over all of them.

import Type from 'typebox';
import { printAnswer, printRow, smallerPage } from '../answer-text.ts';
import { Cursor, closed, moreLine, ObjectType, oneOf, present, Where } from '../arguments.ts';
import type { Call } from '../operations.ts';
import { defineTool, READS } from '../tool.ts';

const MOST_OF_VALUE = 200;

const Arguments = Type.Object(
  {
    object_type: ObjectType,
    metrics: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          op: oneOf('count', 'count_distinct', 'sum', 'avg', 'min', 'max'),
          field: Type.Optional(Type.String()),
        },
        closed,
      ),
      { minItems: 1, maxItems: 8 },
    ),
    group_by: Type.Optional(
      Type.Array(
        Type.Union([
          Type.String(),
          Type.Object(
            {
              field: Type.String(),
              by: oneOf('day', 'week', 'month', 'quarter', 'year'),
            },
            closed,
          ),
        ]),
        { maxItems: 3 },
      ),
    ),
    where: Where,
    order_by: Type.Optional(
      Type.Object({ name: Type.String(), direction: oneOf('asc', 'desc') }, closed),
    ),
    timezone: Type.Optional(Type.String({ maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Cursor,
  },
  closed,
);
type Asked = Type.Static<typeof Arguments>;

export const aggregate = defineTool({
  name: 'aggregate',
  description:
    'Count, sum and compare records of one object type by groups. Use it instead of reading lists.',
  scopes: ['records:read'],
  annotations: READS,
  inputSchema: Arguments,
  run: readGroups,
});

/** Reads groups; a page that is too long is read again with fewer groups. */
async function readGroups(sent: Asked, call: Call): Promise<string> {
  const { object_type, where, limit = 50, ...asked } = sent;
  const body = present({ ...asked, where: where as never, limit });
  const { data, pagination } = await call('queryAggregates', { params: { object_type }, body });
  const columns = Object.keys(data[0] ?? {});
  const rows = data.map((group) => printRow(Object.values(group), MOST_OF_VALUE));
  const parts = {
    head: [`groups: ${data.length}`],
    data: data.length === 0 ? [] : [printRow(columns, MOST_OF_VALUE), ...rows],
    tail: moreLine(pagination.next_cursor),
  };
  const smaller = smallerPage(parts, data.length);
  return smaller === undefined ? printAnswer(parts) : readGroups({ ...sent, limit: smaller }, call);
}
