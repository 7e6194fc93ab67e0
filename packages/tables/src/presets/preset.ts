// An export of a program: the usual headings of one kind of records, and what each column is about.

import { type Concept, plainName } from '../concepts.ts';

export type Subject = 'companies' | 'contacts' | 'deals' | 'tasks' | 'products';

export interface Preset {
  readonly product: string;
  readonly subject: Subject;
  /** Concepts by plain heading; null: a column that helps to recognise the file and has no meaning elsewhere. */
  readonly columns: ReadonlyMap<string, Concept | null>;
}

/** The heading of each concept, or several. */
type Headings = Partial<Readonly<Record<Concept, string | readonly string[]>>>;

export function preset(
  product: string,
  subject: Subject,
  headings: Headings,
  others: readonly string[] = [],
): Preset {
  const columns = new Map<string, Concept | null>(others.map((one) => [plainName(one), null]));
  for (const [concept, names] of Object.entries(headings)) {
    for (const name of [names].flat()) columns.set(plainName(name), concept as Concept);
  }
  return { product, subject, columns };
}

/** The meaning of a column of the preset; null: no record here has it; undefined: it is none of its columns. */
export function presetConcept({ columns }: Preset, heading: string): Concept | null | undefined {
  return columns.get(plainName(heading));
}

/** The name of the field for the ids that records have in the program. */
export function sourceIdName({ product }: Preset): string {
  return `${product} id`;
}
