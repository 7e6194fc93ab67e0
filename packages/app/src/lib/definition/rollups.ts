// Rollups in a definition document: the names of their operations, the references and fields that they can have, and their
// words. Pure.

import { factsOf } from '../field-facts.ts';
import type { PlainKey, Translate } from '../messages/index.ts';
import type { DefinitionDocument, Entries, FieldEntry, RollupEntry } from './document.ts';

export const ROLLUP_NAMES = {
  count: 'rollup.count',
  sum: 'rollup.sum',
  min: 'rollup.min',
  max: 'rollup.max',
  last: 'rollup.last',
} as const satisfies Readonly<Record<RollupEntry['op'], PlainKey>>;

export const ROLLUP_OPERATIONS = Object.keys(ROLLUP_NAMES) as readonly RollupEntry['op'][];

type Objects = DefinitionDocument['objects'];

/** The references to the object. */
export function referencesTo(objects: Objects, type: string) {
  return Object.entries(objects).flatMap(([object_type, { name: object, fields }]) =>
    Object.entries(fields)
      .filter(([, { reference_object_type }]) => reference_object_type === type)
      .map(([field, { name = field }]) => ({
        reference: { object_type, field },
        label: `${object} (${name})`,
      })),
  );
}

/** The keys of the fields whose values the operation can summarize. */
export function fieldsFor(op: RollupEntry['op'], fields: Entries<FieldEntry>): readonly string[] {
  return Object.entries(fields).flatMap(([key, { type, result_type, storage }]) => {
    const facts = factsOf({ type: type === 'formula' ? (result_type ?? type) : type });
    const { aggregates, gate_operators, list } = facts;
    if (storage === 'jsonb' || op === 'count') return [];
    const isLast = gate_operators.length > 0 && !list;
    return (op === 'last' ? isLast : aggregates.includes(op)) ? [key] : [];
  });
}

/** The rollup with these words, without the words that no longer fit. */
export function withWords(
  rollup: RollupEntry,
  words: Partial<RollupEntry>,
  objects: Objects,
): RollupEntry {
  const { field, where = [], ...next } = { ...rollup, ...words };
  const { object_type } = next.reference;
  const { fields = {} } = objects[object_type] ?? {};
  const isPossible = field !== undefined && fieldsFor(next.op, fields).includes(field);
  const isAsBefore = object_type === rollup.reference.object_type && where.length > 0;
  return { ...next, ...(isPossible ? { field } : {}), ...(isAsBefore ? { where } : {}) };
}

/** The rollup in words, such as: Deals: Sum (Amount), one condition. */
export function rollupText(
  { reference, op, field, where = [] }: RollupEntry,
  objects: Objects,
  t: Translate,
): string {
  const { name = reference.object_type, fields = {} } = objects[reference.object_type] ?? {};
  const value = field === undefined ? '' : ` (${fields[field]?.name ?? field})`;
  const conditions =
    where.length === 0 ? '' : `, ${t('rollup.conditions', { count: where.length })}`;
  return `${name}: ${t(ROLLUP_NAMES[op])}${value}${conditions}`;
}
