// `describe`: the workspace in a few lines, one object with everything a query or write needs, or people by name.

import Type from 'typebox';
import { fittingLines, printAnswer, printRow, printValue, smallerPage } from '../answer-text.ts';
import { Cursor, closed, moreLine, ObjectType, present } from '../arguments.ts';
import type { Call, Result } from '../operations.ts';
import { argumentError } from '../refusals.ts';
import { defineTool, READS } from '../tool.ts';

/** Bytes of one value: texts of definitions are short, and lists of options may not be. */
const MOST_OF_VALUE = 600;
const MOST_OF_NAME = 200;
const PEOPLE = 20;

export const describe = defineTool({
  name: 'describe',
  description: [
    'What the workspace has. Without arguments: you, and the object types. With object_type: its fields, relationships,',
    'statuses and moves; call it before you query or write one. With people: users by part of a name or email.',
  ].join(' '),
  scopes: ['records:read'],
  annotations: READS,
  names: { q: 'people' },
  inputSchema: Type.Object(
    {
      object_type: Type.Optional(ObjectType),
      people: Type.Optional(Type.String({ maxLength: 200 })),
      cursor: Cursor,
    },
    closed,
  ),
  async run({ object_type, people, cursor }, call) {
    if (people !== undefined) return describePeople(call, people, { cursor });
    if (object_type === undefined) return describeWorkspace(call, cursor);
    return describeObject(call, object_type, cursor);
  },
});

async function describeWorkspace(call: Call, cursor: string | undefined): Promise<string> {
  const [me, objects] = await Promise.all([call('getMe'), call('listObjects')]);
  const { user, workspace } = me.data;
  const rows = objects.data.map(({ object_type, name, description, permissions }) => {
    const allowed = Object.entries(permissions).filter(([, permission]) => permission.allowed);
    return [object_type, name, allowed.map(([action]) => action).join(' '), description ?? ''];
  });
  return printPage(cursor, {
    head: ['object types [object_type, name, allowed actions, description]'],
    data: [
      `you: ${printRow([user.id, user.name], MOST_OF_VALUE)}, workspace: ${printValue(workspace.name, MOST_OF_VALUE)}`,
      ...rows.map((row) => printRow(row, MOST_OF_VALUE)),
    ],
  });
}

interface PeoplePage {
  readonly cursor: string | undefined;
  readonly limit?: number;
}

/** Reads people; a page that is too long is read again with fewer people. */
async function describePeople(
  call: Call,
  text: string,
  { cursor, limit = PEOPLE }: PeoplePage,
): Promise<string> {
  const query = { q: text, ...present({ limit, cursor }) };
  const { data, pagination } = await call('listUsers', { query });
  const parts = {
    head: [`people: ${data.length} [id, name, title, teams]`],
    data: data.map(({ id, name, title, teams }) =>
      printRow([id, name, title, teams.map((team) => team.name)], MOST_OF_NAME),
    ),
    tail: moreLine(pagination.next_cursor),
  };
  const smaller = smallerPage(parts, data.length);
  return smaller === undefined
    ? printAnswer(parts)
    : describePeople(call, text, { cursor, limit: smaller });
}

async function describeObject(
  call: Call,
  object_type: string,
  cursor: string | undefined,
): Promise<string> {
  const { data: object } = await call('getObject', {
    params: { object_type },
    query: { include: 'appearance' },
  });
  const types = object.work_item_types ?? [];
  const ids = new Set(
    [object.workflow, ...types.map(({ workflow }) => workflow)].flatMap((one) => one?.id ?? []),
  );
  const workflows = await Promise.all(
    [...ids].map((workflow_id) => call('getWorkflow', { params: { workflow_id } })),
  );
  return printPage(cursor, {
    head: [`${object_type}. Custom fields are written under custom_fields.`],
    data: [
      ...section('field [key, type, flags, values]', object.fields.map(fieldRow)),
      ...section('work_item_type [id, slug, name, workflow]', types.map(typeRow)),
      ...section(
        'relationship [association_id, object_type, cardinality, flags]',
        object.relationships.map(relationshipRow),
      ),
      ...workflows.flatMap(({ data }) =>
        section(
          `status of ${printValue(data.id, 200)} [status_id, name, moves]`,
          data.statuses.map(statusRow),
        ),
      ),
    ],
  });
}

function section(title: string, rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.length === 0 ? [] : [title, ...rows.map((row) => printRow(row, MOST_OF_VALUE))];
}

type ObjectDefinition = Result<'getObject'>['data'];

function fieldRow(field: ObjectDefinition['fields'][number]): readonly unknown[] {
  const { key, type, required, editable, storage, options, constraints, formula, rollup } = field;
  const target = constraints?.reference_object_type;
  const flags = [
    ...(required ? ['required'] : []),
    ...(editable ? [] : ['read-only']),
    ...(formula === undefined ? [] : [`computed: ${formula}`]),
    ...(rollup === undefined
      ? []
      : [`${rollup.op} over ${rollup.reference.object_type}, not for where or sort`]),
    ...(storage === 'jsonb' ? ['custom, not for where or sort'] : []),
    ...(constraints?.unique === true ? ['unique'] : []),
  ].join(', ');
  const values = options?.map(({ value }) => value);
  const row = [key, target === undefined ? type : `${type} to ${String(target)}`, flags, values];
  if (values !== undefined) return row;
  return flags === '' ? row.slice(0, 2) : row.slice(0, 3);
}

function typeRow(
  type: NonNullable<ObjectDefinition['work_item_types']>[number],
): readonly unknown[] {
  return [type.id, type.slug, type.name, type.workflow?.id ?? null];
}

function relationshipRow(
  relationship: ObjectDefinition['relationships'][number],
): readonly unknown[] {
  const { id, object, cardinality, can_link } = relationship;
  return [id, object.key, cardinality, ...(can_link ? [] : ['read-only'])];
}

function statusRow(status: Result<'getWorkflow'>['data']['statuses'][number]): readonly unknown[] {
  const moves = status.transitions.map(({ id, requires_approval }) =>
    requires_approval === true ? `${id} (needs approval: not by tools)` : id,
  );
  return [status.id, status.name, moves];
}

interface Pages {
  readonly head: readonly string[];
  readonly data: readonly string[];
}

/** The lines from the one that the cursor names, as many as an answer has room for. */
function printPage(cursor: string | undefined, { head, data }: Pages): string {
  const start = Number(cursor ?? 0);
  if (!Number.isInteger(start) || start < 0 || start > data.length) {
    throw argumentError([{ param: 'cursor', message: 'Use the cursor of the answer before.' }]);
  }
  const rest = data.slice(start);
  const fitting = fittingLines({ head, data: rest, tail: moreLine(String(data.length)) });
  const tail = fitting < rest.length ? moreLine(String(start + fitting)) : [];
  return printAnswer({ head, data: rest.slice(0, fitting), tail });
}
