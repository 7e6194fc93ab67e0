// The settings that the editor of fields offers for each field type. The service judges the values when the change is
// planned. Pure.

import type { FieldType } from '@workspace-records/client';
import type { FieldEntry } from '../../lib/definition/document.ts';
import { factsOf, isMoney } from '../../lib/field-facts.ts';

/** The words of a definition that each setting edits. */
const WORDS = {
  length: ['minLength', 'maxLength'],
  pattern: ['pattern'],
  searchable: ['searchable'],
  bounds: ['minimum', 'maximum'],
  scale: ['scale'],
  money: ['currency'],
  options: ['options'],
  target: ['reference_object_type', 'on_delete'],
  files: ['multiple', 'types', 'max_bytes'],
  default: ['default'],
  indexed: ['indexed'],
  unique: ['unique'],
  storage: ['storage'],
} as const satisfies Readonly<Record<string, readonly (keyof FieldEntry)[]>>;

export type FieldSetting = keyof typeof WORDS;

type TypedEntry = Pick<FieldEntry, 'type' | 'result_type'>;

export function isFormula({ type }: TypedEntry): boolean {
  return type === 'formula';
}

/** True for computed fields: they keep their type, and nobody writes them. */
export function isComputed({ type }: TypedEntry): boolean {
  return type === 'formula' || type === 'rollup';
}

/** The settings of formulas, where the type of the result has them. */
const OF_FORMULAS: readonly FieldSetting[] = ['scale', 'money', 'indexed', 'searchable'];

/** True when fields of the type have the setting. */
export function hasSetting(field: TypedEntry, setting: FieldSetting): boolean {
  if (isFormula(field)) {
    const { result_type: type = 'text' } = field;
    return OF_FORMULAS.includes(setting) && hasSetting({ type }, setting);
  }
  if (isComputed(field)) return false;
  const { words, indexable, textual, aggregates, refers_to, time } = factsOf(field);
  switch (setting) {
    case 'indexed':
      return indexable;
    case 'unique':
      // Values of a few choices repeat.
      return indexable && (aggregates.length > 0 || refers_to !== null);
    case 'storage':
      return refers_to === null && !words.includes('types');
    case 'default':
      return (indexable || textual) && refers_to === null && time !== 'moment';
    default:
      return words.includes(WORDS[setting][0]);
  }
}

/** The field with this type, without the words that the type does not have; an amount of money has a currency. */
export function withType(field: FieldEntry, type: FieldType, currency: string): FieldEntry {
  const settings = Object.keys(WORDS) as FieldSetting[];
  const lost = new Set<string>(
    settings
      .filter((setting) => !hasSetting({ type }, setting) || setting === 'default')
      .filter((setting) => setting !== 'default' || type !== field.type)
      .flatMap((setting) => WORDS[setting]),
  );
  const kept = Object.entries(field).filter(([word]) => !lost.has(word));
  const next = { ...(Object.fromEntries(kept) as unknown as FieldEntry), type };
  return isMoney({ type }) ? { ...next, currency: next.currency ?? currency } : next;
}
