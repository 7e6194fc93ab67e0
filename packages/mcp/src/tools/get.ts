// `get`: one record with its filled fields, its latest comments, or a long text part by part.

import Type from 'typebox';
import {
  endOfPart,
  fittingLines,
  printAnswer,
  printCut,
  printValue,
  smallerPage,
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
const MOST_OF_NAME = 600;
/** Enough to read a long text in few parts. */
const MOST_OF_PART = 6000;
const COMMENTS = 10;

export const get = defineTool({
  name: 'get',
  description:
    'Read one record: its version and filled fields, or the fields you name; with comments its latest comments instead. Long texts are cut: read on with from and that field alone, or with from and comments.',
  scopes: ['records:read'],
  annotations: READS,
  names: { record_id: 'id' },
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
    if (comments === true) return readComments(call, params, { cursor, from });
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
  return printAnswer({
    data: [`${name} from ${from}: ${printCut(value, from, MOST_OF_PART)}`],
    tail: restLine(value, from),
  });
}

/** The line that tells how to request the rest of a text. */
function restLine(text: string, from: number): readonly string[] {
  const end = endOfPart(text, from, MOST_OF_PART);
  return end < text.length ? [`rest: call again with from ${end}, other arguments unchanged`] : [];
}

interface CommentPage {
  readonly cursor: string | undefined;
  /** The character at which the text of a single comment begins. */
  readonly from: number | undefined;
  readonly limit?: number;
}

/** A comment that is cut is alone in its page, so that its cursor and `from` lead to the rest. */
async function readComments(
  call: Call,
  params: { readonly object_type: string; readonly record_id: string },
  { cursor, from, limit = from === undefined ? COMMENTS : 1 }: CommentPage,
): Promise<string> {
  const query = present({ limit, cursor });
  const { data, pagination } = await call('listComments', { params, query });
  const parts = {
    head: [`comments: ${data.length}, newest first [time, author, text from ${from ?? 0}]`],
    data: data.map(({ created_at, author, body }) => {
      const text = printCut(body, from ?? 0, MOST_OF_PART);
      return `[${printValue(created_at, MOST_OF_NAME)},${printValue(author.name, MOST_OF_NAME)},${text}]`;
    }),
    tail: moreLine(pagination.next_cursor),
  };
  const fitting = smallerPage(parts, data.length) ?? data.length;
  const smaller = Math.min(fitting, wholeOnes(data.map(({ body }) => body)));
  if (smaller < data.length) return readComments(call, params, { cursor, from, limit: smaller });
  const rest = data.length === 1 ? restLine(data[0]?.body ?? '', from ?? 0) : [];
  return printAnswer({ ...parts, tail: [...rest, ...parts.tail] });
}

/** The number of texts before the first that has to be cut; that one alone when it is the first. */
function wholeOnes(texts: readonly string[]): number {
  const cut = texts.findIndex((text) => restLine(text, 0).length > 0);
  return cut < 0 ? texts.length : Math.max(1, cut);
}
