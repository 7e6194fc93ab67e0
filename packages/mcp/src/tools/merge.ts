// `merge`: what a merge of records would change. A person makes it: an agent cannot.

import Type from 'typebox';
import { closed, ObjectType, RecordId } from '../arguments.ts';
import { defineTool, READS } from '../tool.ts';

export const merge = defineTool({
  name: 'merge',
  description:
    'Preview merging duplicates: records of `from` would become record `id`; `take` names fields that get another value. Changes nothing: a person merges.',
  scopes: ['records:read', 'records:write', 'records:delete'],
  needsAll: true,
  annotations: READS,
  names: { record_id: 'id' },
  inputSchema: Type.Object(
    {
      object_type: ObjectType,
      id: RecordId,
      from: Type.Array(RecordId, { minItems: 1, maxItems: 10 }),
      take: Type.Optional(Type.Record(Type.String(), RecordId)),
    },
    closed,
  ),
  async run({ object_type, id, from, take }, call) {
    const records = [];
    for (const record_id of from) {
      const params = { object_type, record_id };
      const { data } = await call('getRecord', { params, query: { fields: 'id' } });
      records.push({ id: record_id, expected_version: String(data.version) });
    }
    const params = { object_type, record_id: id };
    const body = { from: records, ...(take === undefined ? {} : { take }), dry_run: true };
    const { data } = await call('mergeRecords', { params, body });
    if (!('dry_run' in data)) throw new Error('a dry run was expected');
    const fields = data.changes.map(({ field }) => field);
    const moved = Object.entries(data.references).map(([type, count]) => `${count} ${type}`);
    return [
      `Nothing was changed. A person can merge ${from.length} of ${object_type} into ${id}.`,
      `References that would go over: ${moved.join(', ') || 'none'}.`,
      `Fields that would change: ${fields.join(', ') || 'none'}.`,
    ].join('\n');
  },
});
