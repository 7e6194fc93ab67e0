// `import --guess`: a mapping for a file as it is found, to be corrected by a person; comments say why.

import { stringify } from 'yaml';
import { type GuessedField, isOpen, REASONS } from '../../packages/tables/src/guess.ts';
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
  const columns = guesses.map((guess, index) => columnText(headings[index] ?? '', guess));
  const start = Object.keys(head).length === 0 ? '' : stringify(head);
  return `${notes.join('')}${start}columns:\n${columns.join('')}`;
}

/** A column with two readings is left out until a person has chosen one. */
function columnText(heading: string, guess: GuessedField): string {
  const { key, form, type, reason, by } = guess;
  const lineOf = (how: GuessedField['form']) => {
    const target = Object.keys(how).length === 0 ? key : { field: key, ...how };
    // JSON is YAML, on one line.
    return `${JSON.stringify(heading)}: ${JSON.stringify(target)}\n`;
  };
  const why = `  # ${type}: ${REASONS[reason.rule]}`;
  if (isOpen(guess)) {
    const choices = [form, ...(guess.others ?? [])].map((how) => `  # ${lineOf(how)}`);
    return `${why} They can mean two things. Choose one line:\n${choices.join('')}`;
  }
  const decided = by === undefined ? '' : ` As in the column ${JSON.stringify(by)}.`;
  return `${why}${decided}\n  ${lineOf(form)}`;
}
