// `delete`: one record, whose name the caller knows. The version that had the name must still be there.

import Type from 'typebox';
import { printValue } from '../answer-text.ts';
import { closed, ObjectType, RecordId } from '../arguments.ts';
import { argumentError } from '../refusals.ts';
import { defineTool } from '../tool.ts';

const MOST_OF_NAME = 300;

export const deleteOne = defineTool({
  name: 'delete',
  description:
    'Delete one record. expected_display must be its present name exactly. Ask the person before you call it.',
  scopes: ['records:delete'],
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  names: { record_id: 'id' },
  inputSchema: Type.Object(
    {
      object_type: ObjectType,
      id: RecordId,
      expected_display: Type.String({ maxLength: 100_000 }),
    },
    closed,
  ),
  async run({ object_type, id, expected_display }, call) {
    const params = { object_type, record_id: id };
    const { data: record } = await call('getRecord', { params, query: {} });
    if ((record.display ?? '') !== expected_display) {
      const message = 'The record has another name. Nothing was deleted.';
      const name = `name: ${printValue(record.display, MOST_OF_NAME)}`;
      throw argumentError([{ param: 'expected_display', message }], [name]);
    }
    const headers = { 'if-match': `"${record.version}"` };
    const { data } = await call('deleteRecord', { params, headers });
    const cleared = Object.entries(data.cleared_references ?? {});
    const lost = cleared.map(([type, count]) => `${count} ${type}`).join(', ');
    return `Deleted ${object_type} ${data.id}.${lost === '' ? '' : ` References to it were cleared in ${lost}.`}`;
  },
});
