// Parts of a formula whose values do not depend on the record, as literals. PostgreSQL 18 refuses a generated column that
// compares two constant texts, also when it finds out by itself that they are (findings/postgres/generated-constants.sh). Pure.

import type { CallForm, FormulaNode, FormulaValue } from './formula-tree.ts';

type Call = Extract<FormulaNode, { op: 'call' }>;

export function literalNode(kind: FormulaNode['kind'], value: FormulaValue): FormulaNode {
  return { op: 'literal', kind, value, size: 1 };
}

/** The call, or a simpler node with the same values. */
export function foldedCall(call: Call): FormulaNode {
  const { form, parts, kind } = call;
  const choice = chosenPart(form, parts);
  if (choice === 'empty') return literalNode(kind, null);
  if (choice !== undefined) return choice;
  if (isEmpty(form, parts)) return literalNode(kind, null);
  if (!parts.every(isLiteral)) return call;
  const operands = parts.map((part) => (isLiteral(part) ? part.value : null));
  return literalNode(kind, form.of(...(operands as never[])));
}

function isLiteral(node: FormulaNode): node is Extract<FormulaNode, { op: 'literal' }> {
  return node.op === 'literal';
}

/** True when an operand is always empty, so that the value is. */
function isEmpty({ isTotal }: CallForm, parts: readonly FormulaNode[]): boolean {
  return isTotal !== true && parts.some((part) => isLiteral(part) && part.value === null);
}

/** The operand that is the value of the call for every record; undefined: it depends on the record. */
function chosenPart(
  { name }: CallForm,
  parts: readonly FormulaNode[],
): FormulaNode | 'empty' | undefined {
  const [first, second, third = 'empty'] = parts as [FormulaNode, FormulaNode, FormulaNode?];
  switch (name) {
    case 'if':
      if (!isLiteral(first)) return undefined;
      return first.value === true ? second : third;
    case 'coalesce':
      if (!isLiteral(first)) return undefined;
      return first.value === null ? second : first;
    case 'and':
      return chosenLogic(first, second, true);
    case 'or':
      return chosenLogic(first, second, false);
    default:
      return undefined;
  }
}

/** The operand to which `and` or `or` folds: one value leaves the other operand, the opposite decides alone. */
function chosenLogic(first: FormulaNode, second: FormulaNode, neutral: boolean) {
  if (isLiteral(first) && first.value !== null) return first.value === neutral ? second : first;
  if (isLiteral(second) && second.value !== null) return second.value === neutral ? first : second;
  return undefined;
}
