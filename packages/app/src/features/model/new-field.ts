// A new field of an object: the words it starts with, and its place. Pure.

import {
  type DefinitionDocument,
  type EntryType,
  type FieldEntry,
  type ObjectEntry,
  orderedKeys,
  withValue,
} from '../../lib/definition/document.ts';
import { isMoney } from '../../lib/field-facts.ts';
import { homeCurrency } from '../../lib/home-currency.ts';

export function startOf(type: EntryType, document: DefinitionDocument): FieldEntry {
  const start: FieldEntry = { name: '', type };
  if (type === 'formula') return { ...start, result_type: 'number' };
  return isMoney({ type }) ? { ...start, currency: presentCurrency(document) } : start;
}

/** The currency of most amounts of the workspace, or that of the region. */
export function presentCurrency({ objects }: DefinitionDocument): string {
  const used = Object.values(objects)
    .flatMap(({ fields }) => Object.values(fields))
    .flatMap(({ currency }) => currency ?? []);
  const counted = [...new Set(used)].map((currency) => ({
    currency,
    count: used.filter((one) => one === currency).length,
  }));
  return counted.toSorted((one, other) => other.count - one.count)[0]?.currency ?? homeCurrency();
}

/** The document with a new field at the end, also where the object has an order. */
export function withNewField(
  document: DefinitionDocument,
  type: string,
  key: string,
  field: FieldEntry,
): DefinitionDocument {
  const { fields, field_order } = document.objects[type] as ObjectEntry;
  const next = withValue(document, ['objects', type, 'fields', key], field);
  if (field_order === undefined) return next;
  const order = [...orderedKeys(fields, field_order), key];
  return withValue(next, ['objects', type, 'field_order'], order);
}
