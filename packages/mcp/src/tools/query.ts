// `query`: a page of records of one object as a table. Columns without values, and columns that repeat another one, are
// left out.

import Type from 'typebox';
import { printAnswer, printRow, smallerPage } from '../answer-text.ts';
import {
  Cursor,
  closed,
  FieldKeys,
  moreLine,
  ObjectType,
  oneOf,
  present,
  RecordId,
  Where,
} from '../arguments.ts';
import type { Call, Result } from '../operations.ts';
import { identityOf, shownRecord } from '../shown-record.ts';
import { defineTool, READS } from '../tool.ts';

/** Bytes of one cell, and of one row. */
const MOST_OF_CELL = 240;
const MOST_OF_ROW = 4000;

const Arguments = Type.Object(
  {
    object_type: ObjectType,
    where: Where,
    query: Type.Optional(Type.String({ maxLength: 200, description: 'text in the display name' })),
    fields: Type.Optional(FieldKeys),
    expand: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 4,
        description: 'references and users to show by name',
      }),
    ),
    sort: Type.Optional(
      Type.Array(
        Type.Object(
          { field: Type.String(), direction: Type.Optional(oneOf('asc', 'desc')) },
          closed,
        ),
        { maxItems: 3 },
      ),
    ),
    count: Type.Optional(oneOf('none', 'exact')),
    linked_to: Type.Optional(
      Type.Object(
        { object_type: ObjectType, record_id: RecordId, association_id: Type.String() },
        { ...closed, description: 'records linked to that one by its relationship' },
      ),
    ),
    timezone: Type.Optional(Type.String({ maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    cursor: Cursor,
  },
  closed,
);
type Asked = Type.Static<typeof Arguments>;

export const query = defineTool({
  name: 'query',
  description:
    'List records of one object type, newest first: id, name, status and the fields you ask for.',
  scopes: ['records:read'],
  annotations: READS,
  inputSchema: Arguments,
  run: readPage,
});

/** A page that is too long is read again with as many records as have room, for the cursor behind them. */
async function readPage(sent: Asked, call: Call): Promise<string> {
  const { object_type, where, limit = 20, ...asked } = sent;
  const body = present({ ...asked, where: where as never, limit });
  const page = await call('queryRecords', { params: { object_type }, body });
  const parts = partsOf(sent, page);
  const smaller = smallerPage(parts, page.data.length);
  return smaller === undefined ? printAnswer(parts) : readPage({ ...sent, limit: smaller }, call);
}

function partsOf({ fields = [], expand = [] }: Asked, page: Result<'queryRecords'>) {
  const { data, count, pagination } = page;
  const least = count?.relation === 'at_least' ? 'at least ' : '';
  const total = count === undefined ? '' : ` of ${least}${count.value}`;
  const head = [`records: ${data.length}${total}`];
  const tail = moreLine(pagination.next_cursor);
  if (data.length === 0) return { head, data: [], tail };
  const rows = data.map((record) => shownRecord(record, identityOf(record)));
  const columns = columnsOf(rows, ['id', ...fields, ...expand]);
  const most = Math.min(MOST_OF_CELL, Math.floor(MOST_OF_ROW / columns.length));
  const lines = rows.map((row) =>
    printRow(
      columns.map((column) => row.get(column)),
      most,
    ),
  );
  return { head, data: [printRow(columns, 200), ...lines], tail };
}

/** The names that have a value in a row; names that repeat another value are left out. */
function columnsOf(
  rows: readonly ReadonlyMap<string, unknown>[],
  asked: readonly string[],
): readonly string[] {
  const names = new Set(rows.flatMap((row) => [...row.keys()]));
  const repeats = (name: string) =>
    !asked.includes(name) && rows.every((row) => row.get(name) == null || isElsewhere(row, name));
  return [...names].filter((name) => !repeats(name));
}

function isElsewhere(row: ReadonlyMap<string, unknown>, name: string): boolean {
  return [...row].some(([other, value]) => other !== name && value === row.get(name));
}
