// The formulas of an object as its fields have them: their trees, and the columns that these read. Pure.

import type { Formula } from '../formulas/formula-tree.ts';
import { formulasOf } from '../formulas/object-formulas.ts';
import type { ObjectDefinition } from './definition.ts';

/** The formulas by the keys of their fields. */
export function compileFormulas(
  { fields }: ObjectDefinition,
  columnOf: (key: string) => string,
): ReadonlyMap<string, Formula> {
  const compiled = new Map<string, Formula>();
  for (const [key, formula] of formulasOf(fields)) {
    if ('problem' in formula) continue;
    const { tree, inputs } = formula;
    const columns = new Map([...inputs].map((input) => [input, columnOf(input)]));
    const { expression = '' } = fields[key] ?? {};
    compiled.set(key, Object.freeze({ expression, tree, inputs, columns }));
  }
  return compiled;
}
