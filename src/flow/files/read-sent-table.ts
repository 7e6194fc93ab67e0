// Reads a file that a person has sent as a table, before its import: how it is written, its columns with guesses, and the
// rows that do not fit its header. Other requests have their turns meanwhile.

import { setImmediate } from 'node:timers/promises';
import { findDoubles } from '../../../packages/tables/src/doubles.ts';
import { REASONS } from '../../../packages/tables/src/guess.ts';
import { openInThread } from '../../../packages/tables/src/node/format-thread.ts';
import { proposeMapping } from '../../../packages/tables/src/propose-mapping.ts';
import { readTable, type Table, type TableChoices } from '../../../packages/tables/src/reading.ts';
import { faultOf } from '../../../packages/tables/src/table-fault.ts';
import { loadPieces } from '../../control/stored/files.ts';
import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { matchedObject } from '../../model/definition/matched-object.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { FAULT_MESSAGES } from '../../model/text/fault-message.ts';
import type { Queryable } from '../../postgres/db.ts';

const BOUNDS = Object.freeze({
  ...{ columns: LIMITS.importColumns, cells: LIMITS.importCells, length: LIMITS.batchBodyBytes },
});
/** Bytes that are read in one turn of the event loop: some milliseconds. */
const TURN_BYTES = 32 * 1024;
/** Files that a process reads at once; each takes a core for a second or two. */
const MOST_READINGS = 2;
/** Values of a column that are listed. */
const EXAMPLES = 10;

let readings = 0;

/** Errors: `validation_failed` with the fault of the file; `service_unavailable` when others are read. */
export async function readSentTable(
  db: Queryable,
  fileId: string,
  { choices, object }: { readonly choices: TableChoices; readonly object: ObjectModel | undefined },
) {
  if (readings >= MOST_READINGS) throw new ApiError('service_unavailable');
  readings += 1;
  try {
    const options = { bounds: BOUNDS, today: new Date(), onRows: turn, openFormat: openInThread };
    const open = () => smallPieces(db, fileId);
    const table = await readTable(open, choices, options);
    const proposed = object && proposeMapping(matchedObject(object), table);
    const { mapping = null, undecided = [] } = proposed ?? {};
    const doubles = mapping === null ? null : await findDoubles(open, { table, mapping, options });
    return { ...presentTable(table), mapping, undecided, doubles };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const { line } = fault;
    const cause = FAULT_MESSAGES[fault.fault];
    const place = line === 0 ? cause : say('import_table_fault', { fault: cause, line });
    const message = say('import_table_unreadable', { fault: place });
    throw new ApiError('validation_failed', { param: 'file_id', message });
  } finally {
    readings -= 1;
  }
}

async function turn(rows: number): Promise<void> {
  if (rows > LIMITS.importRows) {
    const message = say('import_rows_too_many', { most: LIMITS.importRows });
    throw new ApiError('validation_failed', { param: 'file_id', message });
  }
  await setImmediate();
}

async function* smallPieces(db: Queryable, fileId: string): AsyncGenerator<Uint8Array> {
  for await (const piece of loadPieces(db, fileId)) {
    for (let at = 0; at < piece.length; at += TURN_BYTES) yield piece.subarray(at, at + TURN_BYTES);
  }
}

/** The table with the names that a mapping has. */
function presentTable(table: Table) {
  const { encoding, delimiter, skipLines, headings, rows, uneven, preset } = table;
  const { format = 'text', sheets = [], sheet } = table;
  return {
    ...{ encoding, encoding_sure: table.isEncodingSure, likely_encodings: table.likelyEncodings },
    ...{ delimiter, skip_lines: skipLines, rows, format, sheets },
    ...(sheet === undefined ? {} : { sheet }),
    preset: preset === undefined ? null : { product: preset.product, subject: preset.subject },
    columns: headings.map((heading, index) => presentColumn(table, heading, index)),
    uneven_rows: { count: uneven.count, first: uneven.first },
    left_out: table.leftOut,
  };
}

function presentColumn({ columns, guesses }: Table, heading: string, index: number) {
  const facts = columns[index];
  const {
    type,
    key,
    form,
    reason,
    options,
    currency,
    others: otherForms = [],
    by = null,
  } = guesses[index] ?? {};
  const unique = guesses[index]?.isUnique === true;
  return {
    ...{ heading, filled: facts?.filled ?? 0, examples: facts?.distinct.slice(0, EXAMPLES) ?? [] },
    guess: {
      ...{ type, key, reason: reason?.rule, explanation: REASONS[reason?.rule ?? 'texts'] },
      ...(reason?.example === undefined ? {} : { example: reason.example }),
      ...{ mapping: form, other_mappings: otherForms, decided_by: by, unique },
      ...(options === undefined ? {} : { options }),
      ...(currency === undefined ? {} : { currency }),
    },
  };
}
