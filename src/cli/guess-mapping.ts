// `import --guess`: a mapping for a file as it is found, to be corrected by a person; comments say why.

import { createReadStream } from 'node:fs';
import { stringify } from 'yaml';
import { REASONS } from '../../packages/tables/src/guess.ts';
import { openInThread } from '../../packages/tables/src/node/format-thread.ts';
import { readTable, type Table, type TableChoices } from '../../packages/tables/src/reading.ts';
import { faultOf } from '../../packages/tables/src/table-fault.ts';
import { operatorError } from '../errors.ts';
import { TABLE_BOUNDS } from '../import/rows/read-rows.ts';

/** The mapping as YAML. Errors: of an operator, when the file is no table. */
export async function guessMapping(
  path: string,
  objectType: string | undefined,
  choices: TableChoices,
): Promise<string> {
  const options = { bounds: TABLE_BOUNDS, today: new Date(), openFormat: openInThread };
  const open = () => createReadStream(path) as AsyncIterable<Uint8Array>;
  try {
    return mappingText(await readTable(open, choices, options), objectType);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    throw operatorError(`${path} cannot be read as a table: ${fault.fault}.`, error);
  }
}

function mappingText(table: Table, objectType: string | undefined): string {
  const { encoding, delimiter, skipLines, guesses, headings, uneven, sheets = [], sheet } = table;
  const head = {
    ...(objectType === undefined ? {} : { object_type: objectType }),
    ...(encoding === 'utf-8' ? {} : { encoding }),
    ...(delimiter === ',' ? {} : { delimiter }),
    ...(skipLines === 0 ? {} : { skip_lines: skipLines }),
    ...(sheets.length > 1 ? { sheet } : {}),
  };
  const notes = [
    ...(table.isEncodingSure
      ? []
      : [`# The encoding may be ${table.likelyEncodings.join(', ')}.\n`]),
    ...(uneven.count === 0 ? [] : [`# ${uneven.count} rows do not fit the header.\n`]),
  ];
  const columns = guesses.map(({ key, form, type, reason }, index) => {
    const target = Object.keys(form).length === 0 ? key : { field: key, ...form };
    // JSON is YAML, on one line.
    const line = `${JSON.stringify(headings[index])}: ${JSON.stringify(target)}`;
    return `  # ${type}: ${REASONS[reason.rule]}\n  ${line}\n`;
  });
  const start = Object.keys(head).length === 0 ? '' : stringify(head);
  return `${notes.join('')}${start}columns:\n${columns.join('')}`;
}
