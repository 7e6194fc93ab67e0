// Options for the words of a column that a field lacks: from names, which a person may change, to a change of the
// definition. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { folded } from '../../../../tables/src/folded.ts';
import { type DefinitionDocument, valueAt } from '../../lib/definition/document.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import type { DefinitionText } from '../../lib/definition-text.ts';
import { factsOf } from '../../lib/field-facts.ts';
import type { Rejects } from '../../lib/reject-rows.ts';
import { TYPE_KEY } from '../../lib/schema-queries.ts';
import { type ColumnPlan, type ImportDraft, itemsOf } from './import-draft.ts';
import { hasOptions, importFields } from './import-fields.ts';

export interface NewOption {
  /** The word of the file. */
  readonly word: string;
  /** Of the option. */
  readonly name: string;
  readonly isChosen: boolean;
}

/** As the definition has it. */
interface Option {
  readonly value: string;
  readonly label?: DefinitionText;
}

export interface OptionChange {
  /** A merge patch of the definition. */
  readonly patch: Record<string, unknown>;
  /** The value that each word becomes. */
  readonly values: Readonly<Record<string, string>>;
}

/** The options of the field with the new ones at their end; a word with the name of an option becomes that option. */
export function optionChange(
  document: Pick<DefinitionDocument, 'objects'>,
  [type, key]: readonly [type: string, field: string],
  wanted: readonly NewOption[],
): OptionChange {
  const options = [
    ...((valueAt(document, ['objects', type, 'fields', key, 'options']) ?? []) as Option[]),
  ];
  const values: Record<string, string> = {};
  for (const { word, name, isChosen } of wanted) {
    if (!isChosen) continue;
    const label = name.trim() === '' ? word : name.trim();
    const known = options.find((option) => namesOf(option).includes(folded(label)));
    const taken = Object.fromEntries(options.map(({ value }) => [value, true]));
    const value = known?.value ?? keyFor(label, taken, true);
    if (known === undefined) options.push(value === label ? { value } : { value, label });
    values[word] = value;
  }
  return { patch: { objects: { [type]: { fields: { [key]: { options } } } } }, values };
}

function namesOf({ value, label = value }: Option): readonly string[] {
  const labels = typeof label === 'string' ? [label] : Object.values(label);
  return [value, ...labels].map(folded);
}

/** The types of work items are no options that a person adds. */
export function mayGainOptions({ key }: Pick<Field, 'key'>): boolean {
  return key !== TYPE_KEY;
}

export interface WordsWithoutOption {
  readonly plan: ColumnPlan;
  readonly field: Field;
  readonly words: readonly string[];
}

/** The words for which rows were rejected: of each column those that its plan gives no option. */
export function wordsWithoutOption(
  object: ObjectDefinition,
  draft: ImportDraft,
  { headings, rows }: Rejects,
): readonly WordsWithoutOption[] {
  const fields = new Map(importFields(object).map((field) => [field.key, field]));
  return draft.columns.flatMap((plan) => {
    const field = fields.get(plan.field ?? '');
    if (field === undefined || !hasOptions(field) || !mayGainOptions(field)) return [];
    const index = headings.indexOf(plan.heading);
    const texts = rows.flatMap(({ cells, problems }) =>
      problems.some(({ heading }) => heading === plan.heading) ? [cells[index] ?? ''] : [],
    );
    const known = new Set((field.options ?? []).map(({ value }) => String(value)));
    const items = itemsOf(texts, plan.separator, factsOf(field).list);
    const words = [...new Set(items)].filter(
      (word) => word !== '' && !known.has(word) && plan.values[word] === undefined,
    );
    return words.length === 0 ? [] : [{ plan, field, words }];
  });
}
