// `get`: one record with its filled fields, its latest comments, or a long text part by part.

import Type from 'typebox';
import {
  bytesOf,
  fittingLines,
  MOST_BYTES,
  printAnswer,
  printCut,
  printRow,
  printValue,
} from '../answer-text.ts';
import {
  Cursor,
  closed,
  FieldKeys,
  moreLine,
  ObjectType,
  present,
  RecordId,
} from '../arguments.ts';
import type { Call } from '../operations.ts';
import { argumentError } from '../refusals.ts';
import { identityOf, type RecordData, shownRecord } from '../shown-record.ts';
import { defineTool, READS } from '../tool.ts';

const MOST_OF_VALUE = 1000;
/** Enough to read a long text in few parts. */
const MOST_OF_PART = 6000;
const COMMENTS = 10;

export const get = defineTool({
  name: 'get',
  description:
    'Read one record: its version and filled fields, or the fields you name; with comments its latest comments instead. Long texts are cut: name that field alone with from to read on.',
  scopes: ['records:read'],
  annotations: READS,
  inputSchema: Type.Object(
    {
      object_type: ObjectType,
      id: RecordId,
      fields: Type.Optional(FieldKeys),
      from: Type.Optional(Type.Integer({ minimum: 0, description: 'character to begin at' })),
      comments: Type.Optional(Type.Boolean()),
      cursor: Cursor,
    },
    closed,
  ),
  async run({ object_type, id, fields, from, comments, cursor }, call) {
    const params = { object_type, record_id: id };
    if (comments === true) return readComments(call, params, { cursor, limit: COMMENTS });
    const query = present({ fields: fields?.join(',') });
    const { data } = await call('getRecord', { params, query });
    if (from !== undefined) return printPart(data, fields, from);
    return printRecord(data, fields !== undefined);
  },
});

function printRecord(record: RecordData, isNarrow: boolean): string {
  const { object_type, version, owner_user_id, created_at, updated_at } = record;
  const identity = isNarrow ? {} : { owner_user_id, created_at, updated_at };
  const values = shownRecord(record, { ...identityOf(record), version, ...identity });
  const filled = [...values].filter(
    ([name, value]) => value !== null && !(name === 'display' && isRepeated(values)),
  );
  const lines = filled.map(([name, value]) => `${name}: ${printValue(value, MOST_OF_VALUE)}`);
  const tail = ['more fields: name them in fields'];
  const fitting = fittingLines({ head: [object_type], data: lines, tail });
  return printAnswer({
    head: [object_type],
    data: lines.slice(0, fitting),
    tail: fitting < lines.length ? tail : [],
  });
}

function isRepeated(values: ReadonlyMap<string, unknown>): boolean {
  return [...values].some(([name, value]) => name !== 'display' && value === values.get('display'));
}

function printPart(record: RecordData, fields: readonly string[] = [], from: number): string {
  const [name] = fields;
  const values = shownRecord(record, {});
  const value = values.get(name ?? '') ?? values.get(`custom_fields.${name}`);
  if (name === undefined || fields.length > 1 || typeof value !== 'string') {
    throw argumentError([{ param: 'from', message: 'Name one field with a text in fields.' }]);
  }
  return printAnswer({ data: [`${name} from ${from}: ${printCut(value, from, MOST_OF_PART)}`] });
}

interface CommentPage {
  readonly cursor: string | undefined;
  readonly limit: number;
}

async function readComments(
  call: Call,
  params: { readonly object_type: string; readonly record_id: string },
  { cursor, limit }: CommentPage,
): Promise<string> {
  const query = present({ limit, cursor });
  const { data, pagination } = await call('listComments', { params, query });
  const parts = {
    head: [`comments: ${data.length}, newest first [time, author, text]`],
    data: data.map(({ created_at, author, body }) =>
      printRow([created_at, author.name, body], MOST_OF_PART),
    ),
    tail: moreLine(pagination.next_cursor),
  };
  const isLong = bytesOf(printAnswer(parts)) > MOST_BYTES;
  if (!isLong || limit === 1) return printAnswer(parts);
  return readComments(call, params, { cursor, limit: Math.max(1, fittingLines(parts)) });
}
