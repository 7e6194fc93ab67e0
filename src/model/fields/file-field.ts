// `file`: files that were uploaded before. A value is the list of them: it is written as ids, and stored and shown with
// the name, media type and size of each, which the write path looks up (plan/write/file-values.ts).

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { defineFieldType, type ValueRules } from '../values/field-type.ts';
import { type Parsed, problem } from '../values/parsed.ts';
import { parseRecordId } from '../values/record-id.ts';
import { sqlText } from '../values/sql-text.ts';

/** A file as a record has it. */
export interface FileValue {
  readonly id: string;
  readonly name: string;
  /** The media type it was sent as. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

const ID = { type: 'string', format: 'uuid' } as const;
const SHOWN = {
  type: 'object',
  properties: {
    id: ID,
    name: { type: 'string' },
    type: { type: 'string' },
    size: { type: 'integer' },
  },
} as const;

/** Characters of the JSON of one file, in four bytes each: a name has at most 255 bytes, a media type 127. */
const LONGEST_FILE = 200;

export const fileField = defineFieldType({
  name: 'file',
  columnType: sqlText`jsonb`,
  castType: sqlText`jsonb`,
  indexable: false,
  holdsFiles: true,
  predicates: {},
  sortable: false,
  groupable: false,
  words: ['multiple', 'types', 'max_bytes'],
  schema: { type: 'array', items: SHOWN },
  written: {
    type: 'array',
    items: { anyOf: [ID, { type: 'object', properties: { id: ID }, required: ['id'] }] },
  },
  longest: LIMITS.filesOfField * LONGEST_FILE,
  parse: parseFiles,
  parseOperand: () => problem(say('must_not_be_compared')),
  readCell: (text) => ({ value: idsOf(text.trim()) }),
  printCell: (value) =>
    (value as readonly Partial<FileValue>[])
      .map(({ id, name = '' }) => `${name.replaceAll(/[<>]/g, '_')} <${id}>`.trim())
      .join('; '),
});

/** A printed file: its name, then its id. */
const ITEM = /<([^<>]*)>/g;

/** The ids of printed files, or of a plain list of ids. */
function idsOf(text: string): readonly unknown[] {
  const printed = [...text.matchAll(ITEM)].map(([, id]) => id);
  if (printed.length > 0 || text === '') return printed;
  return text.split(';').map((id) => id.trim());
}

/** Most files that a field can have. */
export function mostFiles({ multiple = false }: ValueRules): number {
  return multiple ? LIMITS.filesOfField : 1;
}

/** Only the ids count: a value can be sent as it was shown. */
function parseFiles(value: unknown, rules: ValueRules): Parsed {
  if (!Array.isArray(value)) return problem(say('must_be_files'));
  const ids = value.map(idOf);
  const known = new Set(ids);
  if (known.has(undefined)) return problem(say('must_be_file_ids'));
  const most = mostFiles(rules);
  if (known.size > most) return problem(say('must_not_have_more_files', { most }));
  return { value: known.size === 0 ? null : [...known].map((id) => ({ id })) };
}

function idOf(item: unknown): string | undefined {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return parseRecordId(isObject ? (item as { readonly id?: unknown }).id : item);
}
