// The column that names the records of a file: by its heading, then by its content. Pure.

import { conceptOf, plainName } from './concepts.ts';
import type { ColumnFacts } from './guess.ts';
import { isIdentifier } from './guess-types.ts';

interface Columns {
  readonly headings: readonly string[];
  readonly columns: readonly ColumnFacts[];
}

/** The rank of columns that name something else: ids, codes, titles of people. */
export const OTHER_RANK = 0;

/** How well each column names the records: the higher, the better. */
export function nameRanks({ headings, columns }: Columns): readonly number[] {
  const areOfPeople = headings.some((heading) => conceptOf(heading) === 'firstName');
  return headings.map((heading, index) => rankOf(heading, columns[index], areOfPeople));
}

/** Headings of the names of people; in such files `Title` is a job and `Company name` a company. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['name', 'fullname', 'displayname']);
const THINGS: ReadonlySet<string | undefined> = new Set(['company', 'contact', 'deal', 'product']);
const NAME = /(?:name|title|titel|bezeichnung|betreff|subject)$/;
const OTHER_NAMES = /^(?:first|last|sur|family|given|vor|nach|middle|user|nick|file|benutzer)/;

function rankOf(heading: string, facts: ColumnFacts | undefined, areOfPeople: boolean): number {
  const plain = plainName(heading);
  const concept = conceptOf(heading);
  if (isIdentifier(heading) || areCodes(facts)) return OTHER_RANK;
  if (OF_PEOPLE.has(plain)) return 5;
  const isName = concept === 'name' || (NAME.test(plain) && !OTHER_NAMES.test(plain));
  if (isName) return areOfPeople ? OTHER_RANK : concept === 'name' ? 4 : 3;
  if (THINGS.has(concept)) return areOfPeople ? -1 : 2;
  return areDistinct(facts) ? 1 : -1;
}

/** Each without spaces, with digits. */
function areCodes({ distinct, filled }: ColumnFacts = NO_FACTS): boolean {
  return filled > 0 && distinct.every((text) => /^(?=.*\d)[\p{L}\p{N}._/#:+-]+$/u.test(text));
}

function areDistinct({ distinct, filled, isMany }: ColumnFacts = NO_FACTS): boolean {
  return filled > 0 && (isMany || distinct.length === filled);
}

const NO_FACTS: ColumnFacts = { filled: 0, distinct: [], isMany: false };

/** The name of people, made of the columns with first and last names; undefined: there are none. */
export function nameTemplate(headings: readonly string[]): string | undefined {
  const named = (concept: string) =>
    headings.find((heading) => conceptOf(heading) === concept && !/[{}[\]]/.test(heading));
  const [first, last] = [named('firstName'), named('lastName')];
  if (last === undefined) return undefined;
  return first === undefined ? `{${last}}` : `[{${first}}][ {${last}}]`;
}
