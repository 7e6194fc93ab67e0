// The object that a file makes: a field for each column, and the one that names its records. Pure.

import { keysOf } from '../../../../tables/src/field-keys.ts';
import { definedField, type GuessedField } from '../../../../tables/src/guess.ts';
import { nameRanks, nameTemplate } from '../../../../tables/src/name-column.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import { kindOf } from '../../fields/kinds.ts';
import { NEW_OBJECT, type ObjectEntry } from '../../lib/definition/document.ts';

/** The rank of a column that is certainly a name. */
const SURE_RANK = 4;

type NamedTable = Pick<Table, 'headings' | 'columns' | 'guesses'>;

/** `fullName`: the name of the field for names made of first and last names, when no column has them. */
export function objectOf(name: string, table: NamedTable, fullName: string): ObjectEntry {
  const { headings, guesses } = table;
  const best = bestName(table);
  const isMade = (best?.rank ?? 0) < SURE_RANK && nameTemplate(headings)?.includes('[') === true;
  const [madeKey = ''] = keysOf(
    [fullName],
    guesses.map(({ key }) => key),
  );
  const nameFields = isMade
    ? [[madeKey, { name: fullName, type: 'text', indexed: true }] as const]
    : [];
  const display = isMade ? madeKey : best?.key;
  const fields = guesses.map((guess) => [guess.key, definedField(guess)]);
  return {
    ...{ name, singular_name: name, category: 'custom' },
    ...NEW_OBJECT,
    ...(display === undefined ? {} : { display_field: display }),
    fields: Object.fromEntries([...nameFields, ...fields]),
  };
}

function bestName(table: NamedTable) {
  const ranks = nameRanks(table);
  const names = table.guesses.flatMap((guess, index) =>
    isName(guess) ? [{ key: guess.key, rank: ranks[index] ?? 0 }] : [],
  );
  return names.toSorted((one, other) => other.rank - one.rank)[0];
}

function isName({ type }: GuessedField): boolean {
  const { control, input } = kindOf({ type }).edit;
  return control === 'line' && (input === undefined || input.inputMode === 'email');
}
