// Two ways to fill a table with generated records: the service's own write path in batches, and an import of a file into an
// object without records.

import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openParallelWriters } from '../src/control/process/parallel-writers.ts';
import { writeRecords } from '../src/flow/records/write-flow.ts';
import type { WriteContext } from '../src/flow/records/write-group.ts';
import { importFile } from '../src/import/import-file.ts';
import { LIMITS } from '../src/limits.ts';
import type { ObjectModel } from '../src/model/definition/model.ts';
import type { FieldValues } from '../src/plan/write/write-operation.ts';

const LINES = 1000;

/** Records `from` up to but not including `to`. */
export interface Batch {
  readonly from: number;
  readonly to: number;
  readonly fieldsOf: (number: number) => FieldValues;
}

/** Write records in batches, several at a time; answers their ids. */
export async function writeThrough(
  context: WriteContext,
  object: ObjectModel,
  { from, to, fieldsOf }: Batch,
): Promise<readonly string[]> {
  const writers = openParallelWriters(3);
  const ids: string[] = [];
  for (let start = from; start < to; start += LIMITS.batchOperations) {
    const operations = createsOf({ from: start, to, fieldsOf });
    await writers.start(async () => {
      const request = { operations, source: 'import', batch: true } as const;
      const { results } = await writeRecords(context, object, request);
      ids.push(...results.map(({ id }) => id));
    });
  }
  await writers.settle();
  return ids;
}

/** Import records into an object that has none, as `import --bulk` does; answers how many there are a second. */
export async function importThrough(
  { db, model: { workspace } }: WriteContext,
  { object_type: objectType }: ObjectModel,
  { from, to, fieldsOf }: Batch,
  scratch: string,
): Promise<number> {
  const file = join(scratch, `${objectType}.jsonl`);
  await pipeline(Readable.from(linesOf({ from, to, fieldsOf })), createWriteStream(file));
  try {
    const { created, seconds } = await importFile(db, {
      ...{ workspace, file, objectType, bulk: true, dryRun: false, output: process.stderr },
      ...{ mapping: undefined, match: undefined, rejectFile: undefined, user: undefined },
    });
    if (created !== to - from) throw new Error(`${to - from - created} records are missing`);
    return created / seconds;
  } finally {
    rmSync(file);
  }
}

/** Lines of a file of JSON, many at a time. */
function* linesOf({ from, to, fieldsOf }: Batch): Generator<string> {
  for (let start = from; start < to; start += LINES) {
    const count = Math.min(LINES, to - start);
    yield Array.from({ length: count }, (_, index) => {
      const { custom_fields = {}, ...fields } = fieldsOf(start + index);
      const custom = Object.entries(custom_fields as FieldValues);
      const named = custom.map(([key, value]) => [`custom_fields.${key}`, value]);
      return `${JSON.stringify({ ...fields, ...Object.fromEntries(named) })}\n`;
    }).join('');
  }
}

function createsOf({ from, to, fieldsOf }: Batch) {
  const count = Math.min(LIMITS.batchOperations, to - from);
  return Array.from({ length: count }, (_, index) => {
    return { action: 'create', fields: fieldsOf(from + index) } as const;
  });
}
