// Expressions and rollups that name a field by the key that it had before: they get its new key, wherever the document has
// `renamed_from`. The document is not checked yet. Pure.

import { isObject } from '../../model/definition/definition.ts';
import { MOST_OF_EXPRESSION, renameInExpression } from '../../model/formulas/formula-syntax.ts';
import { renameInRollup } from '../../model/rollups/rollup-words.ts';
import { ownValue } from '../../model/text/own-value.ts';

/** The new keys of the fields of each object by the former ones. */
type NewKeys = (objectType: unknown) => ReadonlyMap<string, string>;

/** A part of `merged`, or all of it, with the new keys in its expressions and rollups. */
export function followRenames(part: unknown, merged: unknown): unknown {
  if (!isObject(part) || !isObject(part.objects)) return part;
  const all = isObject(merged) && isObject(merged.objects) ? merged.objects : {};
  const byObject = new Map(
    Object.entries(all).map(([type, object]) => [type, renamedFieldsOf(object)]),
  );
  const newKeys: NewKeys = (type) => byObject.get(String(type)) ?? new Map();
  if ([...byObject.values()].every(({ size }) => size === 0)) return part;
  const follow = (object: unknown, type: string) => {
    if (!isObject(object) || !isObject(object.fields)) return object;
    const fields = mapValues(object.fields, (field) => followInField(field, type, newKeys));
    return { ...object, fields };
  };
  return { ...part, objects: mapValues(part.objects, follow) };
}

function renamedFieldsOf(object: unknown): ReadonlyMap<string, string> {
  const fields = isObject(object) && isObject(object.fields) ? object.fields : {};
  return new Map(
    Object.entries(fields).flatMap(([key, field]) => {
      const old = isObject(field) ? field.renamed_from : undefined;
      return typeof old === 'string' && ownValue(fields, old) === undefined ? [[old, key]] : [];
    }),
  );
}

function followInField(field: unknown, type: string, newKeys: NewKeys): unknown {
  if (!isObject(field)) return field;
  const { expression, rollup } = field;
  if (isObject(rollup)) {
    const { object_type } = isObject(rollup.reference) ? rollup.reference : {};
    const keys = newKeys(object_type);
    return { ...field, rollup: renameInRollup(rollup, (key) => keys.get(key) ?? key) };
  }
  if (typeof expression !== 'string' || expression.length > MOST_OF_EXPRESSION) return field;
  const keys = newKeys(type);
  return { ...field, expression: renameInExpression(expression, (key) => keys.get(key) ?? key) };
}

type Entries = Readonly<Record<string, unknown>>;

function mapValues(entries: Entries, map: (value: unknown, key: string) => unknown): Entries {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value, key)]));
}
