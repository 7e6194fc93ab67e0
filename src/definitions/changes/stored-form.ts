// Whether the values of a field are stored in another form by a new definition. Pure.

import { labelledTexts } from '../../model/definition/fitting.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { Formula } from '../../model/formulas/formula-tree.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { toStatement } from '../../sql/sql.ts';
import { formulaSql } from '../../sql/write/formula-sql.ts';

/** True when values have to be rebuilt, besides the definition. */
export function hasNewForm(from: Field, field: Field): boolean {
  if (from.storage !== field.storage) return true;
  if (from.type === field.type) return false;
  const [old, now] = [FIELD_TYPE_TRAITS[from.type], FIELD_TYPE_TRAITS[field.type]];
  if (labelledTexts(from, field).size > 0) return true;
  return from.storage === 'physical'
    ? old.columnType !== now.columnType
    : old.becomes[field.type]?.json !== undefined;
}

/** True for a computed field whose values are others by the new definition, or computed from other columns. */
export function isRecomputed(old: ObjectModel, object: ObjectModel, field: Field): boolean {
  const { formula } = field;
  const from = old.fields.get(field.key);
  if (formula === null || from === undefined || from.formula === null) return false;
  if (from.type !== field.type || describeFormula(from) !== describeFormula(field)) return true;
  return [...formula.inputs].some((key) => {
    const [before, now] = [old.fields.get(key), object.fields.get(key)];
    return before !== undefined && now !== undefined && hasNewForm(before, now);
  });
}

/** A text that is equal for formulas of equal values, whatever columns they read; null for other fields. */
export function describeFormula({ type, formula }: Pick<Field, 'type' | 'formula'>): string | null {
  return formula === null
    ? null
    : toStatement(formulaSql({ type, formula: withKeys(formula) })).text;
}

function withKeys(formula: Formula): Formula {
  return { ...formula, columns: new Map([...formula.inputs].map((key) => [key, key])) };
}
