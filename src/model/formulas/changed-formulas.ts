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

/** Those that have another value when these are set. */
export function changedFormulas(
  { formulas }: ObjectModel,
  row: Row,
  set: ReadonlyMap<Field, unknown>,
): readonly string[] {
  if (formulas.length === 0) return [];
  const after: Record<string, unknown> = { ...row };
  for (const [{ column, storage }, value] of set) if (storage === 'physical') after[column] = value;
  return formulas.flatMap(({ key, formula }) => {
    if (formula === null) return [];
    return formulaValue(formula, row) === formulaValue(formula, after) ? [] : [key];
  });
}
