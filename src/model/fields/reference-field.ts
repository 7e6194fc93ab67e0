// `reference`: the id of a record.

import { say } from '../../messages/message.ts';
import { defineFieldType, EQUALITY } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { parseRecordId } from '../values/record-id.ts';
import { sqlText } from '../values/sql-text.ts';

export const referenceField = defineFieldType({
  name: 'reference',
  columnType: sqlText`uuid`,
  castType: sqlText`uuid`,
  refersTo: 'record',
  predicates: EQUALITY,
  words: ['reference_object_type', 'on_delete'],
  schema: { type: 'string', format: 'uuid' },
  exactOperand: true,
  isHarmless: true,
  parse: parseReference,
  parseOperand: parseReference,
  readCell: (text) => ({ value: text.trim() }),
});

function parseReference(value: unknown): Parsed {
  const id = parseRecordId(value);
  return id === undefined ? problem(say('must_be_record_id')) : { value: id };
}
