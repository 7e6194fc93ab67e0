// The mapping of a file that a known program has written, for `import --preset`.

import { createReadStream } from 'node:fs';
import { openInThread } from '../../../packages/tables/src/node/format-thread.ts';
import { PRODUCTS } from '../../../packages/tables/src/presets/find-preset.ts';
import { proposeMapping } from '../../../packages/tables/src/propose-mapping.ts';
import { readTable, type Table, type TableChoices } from '../../../packages/tables/src/reading.ts';
import { faultOf } from '../../../packages/tables/src/table-fault.ts';
import { operatorError } from '../../errors.ts';
import { matchedObject } from '../../model/definition/matched-object.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { FAULT_MESSAGES } from '../../model/text/fault-message.ts';
import { TABLE_BOUNDS, type WrittenChoices } from '../rows/read-rows.ts';
import { type Mapping, parseMapping } from './mapping.ts';

interface PresetFile {
  readonly file: string;
  /** The name of a program, or `auto`. */
  readonly preset?: string | undefined;
  readonly objectType: string | undefined;
  readonly match: readonly string[] | undefined;
  readonly written?: WrittenChoices;
}

/** Errors: of an operator, also when no program is recognised. */
export async function presetMapping(
  model: WorkspaceModel,
  { file, preset, objectType, match, written = {} }: PresetFile,
): Promise<Mapping> {
  const { encoding, delimiter, skip_lines: skipLines, sheet } = written;
  const product = preset === 'auto' ? undefined : preset;
  const table = await readFileTable(file, { encoding, delimiter, skipLines, sheet, product });
  if (table.preset === undefined) {
    throw operatorError(
      `${file} does not have the headings of ${product ?? 'an export that is known'}. Known: ${PRODUCTS.join(', ')}.`,
    );
  }
  const object = model.objects.get(objectType ?? table.preset.subject);
  if (object === undefined) {
    throw operatorError(`${file} has ${table.preset.subject}: --object names the object for them.`);
  }
  const { mapping: proposed, undecided } = proposeMapping(matchedObject(object), table);
  if (undecided.length > 0) {
    throw operatorError(
      `${file}: the values of ${undecided.join(', ')} can mean two things. Write a mapping file: --guess begins one.`,
    );
  }
  return parseMapping(file, match === undefined ? proposed : { ...proposed, match });
}

/** The table in a file. Errors: of an operator, when the file is no table. */
export async function readFileTable(path: string, choices: TableChoices): Promise<Table> {
  const options = { bounds: TABLE_BOUNDS, today: new Date(), openFormat: openInThread };
  const open = () => createReadStream(path) as AsyncIterable<Uint8Array>;
  try {
    return await readTable(open, choices, options);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    const { text } = FAULT_MESSAGES[fault.fault];
    throw operatorError(`${path} cannot be read as a table: ${text}.`, error);
  }
}
