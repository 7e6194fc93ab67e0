// The computed fields that a write changes, by their keys: as changed fields they are named with their inputs. Pure.

import type { Field, ObjectModel } from '../definition/model.ts';
import { formulaValue } from './evaluate-formula.ts';

type Row = Readonly<Record<string, unknown>>;

/** Those that have a value in a new record. */
export function filledFormulas({ formulas }: ObjectModel, row: Row): readonly string[] {
  return formulas.flatMap(({ key, formula }) =>
    formula === null || formulaValue(formula, row) === null ? [] : [key],
  );
}

/** The fields that are set, and those computed from them that get another value. */
export function changedKeys(
  { formulas }: ObjectModel,
  row: Row,
  set: ReadonlyMap<Field, unknown>,
): string[] {
  const keys = [...set.keys()].map(({ key }) => key);
  if (formulas.length === 0) return keys;
  const after: Record<string, unknown> = { ...row };
  for (const [{ column, storage }, value] of set) if (storage === 'physical') after[column] = value;
  const computed = formulas.filter(
    ({ formula }) =>
      formula !== null && formulaValue(formula, row) !== formulaValue(formula, after),
  );
  return [...keys, ...computed.map(({ key }) => key)];
}
