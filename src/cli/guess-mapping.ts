// `import --guess`: a mapping for a file as it is found, to be corrected by a person; comments say why.

import { stringify } from 'yaml';
import { REASONS } from '../../packages/tables/src/guess.ts';
import { writtenOf } from '../../packages/tables/src/propose-mapping.ts';
import type { Table, TableChoices } from '../../packages/tables/src/reading.ts';
import { readFileTable } from '../import/mapping/preset-mapping.ts';

/** The mapping as YAML. Errors: of an operator, when the file is no table. */
export async function guessMapping(
  path: string,
  objectType: string | undefined,
  choices: TableChoices,
): Promise<string> {
  return mappingText(await readFileTable(path, choices), objectType);
}

function mappingText(table: Table, objectType: string | undefined): string {
  const { guesses, headings, uneven } = table;
  const head = {
    ...(objectType === undefined ? {} : { object_type: objectType }),
    ...writtenOf(table),
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
