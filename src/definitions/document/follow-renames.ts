// Expressions that name a field by the key that it had before: they get its new key, wherever the document has
// `renamed_from`. The document is not checked yet. Pure.

import { isObject } from '../../model/definition/definition.ts';
import { MOST_OF_EXPRESSION, renameInExpression } from '../../model/formulas/formula-syntax.ts';
import { ownValue } from '../../model/text/own-value.ts';

/** A part of `merged`, or all of it, with the new keys in its expressions. */
export function followRenames(part: unknown, merged: unknown): unknown {
  if (!isObject(part) || !isObject(part.objects)) return part;
  const all = isObject(merged) && isObject(merged.objects) ? merged.objects : {};
  return {
    ...part,
    objects: mapValues(part.objects, (object, type) => followInObject(object, ownValue(all, type))),
  };
}

function followInObject(object: unknown, merged: unknown): unknown {
  if (!isObject(object) || !isObject(object.fields)) return object;
  const fields = isObject(merged) && isObject(merged.fields) ? merged.fields : {};
  const newKeys = new Map(
    Object.entries(fields).flatMap(([key, field]) => {
      const old = isObject(field) ? field.renamed_from : undefined;
      return typeof old === 'string' && ownValue(fields, old) === undefined ? [[old, key]] : [];
    }),
  );
  if (newKeys.size === 0) return object;
  return { ...object, fields: mapValues(object.fields, (field) => followInField(field, newKeys)) };
}

function followInField(field: unknown, newKeys: ReadonlyMap<string, string>): unknown {
  if (!isObject(field) || typeof field.expression !== 'string') return field;
  const { expression } = field;
  if (expression.length > MOST_OF_EXPRESSION) return field;
  const renamed = renameInExpression(expression, (key) => newKeys.get(key) ?? key);
  return { ...field, expression: renamed };
}

type Entries = Readonly<Record<string, unknown>>;

function mapValues(entries: Entries, map: (value: unknown, key: string) => unknown): Entries {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, map(value, key)]));
}
