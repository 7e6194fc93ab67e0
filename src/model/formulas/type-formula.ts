// Gives the parts of an expression their kinds: its functions and operators by the kinds of their operands. The work of
// the tree is bounded. Pure.

import { type Message, say } from '../../messages/message.ts';
import { unknownName } from '../text/nearest-name.ts';
import { foldedCall, literalNode } from './fold-formula.ts';
import { CALL_FORMS } from './formula-calls.ts';
import { problemAt, type Syntax } from './formula-syntax.ts';
import {
  type CallForm,
  type FormulaNode,
  MOST_CHARACTERS,
  type Operand,
  PLACES,
  UNIT,
  type ValueKind,
} from './formula-tree.ts';

/** Nodes of a formula, those of the formulas that it names included. */
const MOST_NODES = 500;
const MOST_DIGITS = 15;

/** The node of a field by its key. Throws the problem of a field that no formula can name. */
export type ResolveField = (key: string, at: number) => FormulaNode;

/** Throws its problem. */
export function typeFormula(syntax: Syntax, resolve: ResolveField): FormulaNode {
  const { at, is } = syntax;
  if (is === 'call') return typeCall(syntax, resolve);
  if (is === 'field') return resolve(syntax.text, at);
  if (is === 'boolean') {
    return literalNode('boolean', syntax.text === 'true');
  }
  if (is === 'number') return numberLiteral(syntax.text, at);
  const isFitting = syntax.text !== '' && syntax.text.length <= MOST_CHARACTERS;
  if (!isFitting) throw problemAt(at, say('formula_text', { most: MOST_CHARACTERS }));
  return literalNode('text', syntax.text);
}

function numberLiteral(text: string, at: number): FormulaNode {
  const [whole = '', places = ''] = text.split('.');
  if (whole.length > MOST_DIGITS || places.length > PLACES) {
    throw problemAt(at, say('formula_number', { digits: MOST_DIGITS }));
  }
  const value = BigInt(whole) * UNIT + BigInt(places.padEnd(PLACES, '0'));
  return literalNode('number', value);
}

type Call = Extract<Syntax, { is: 'call' }>;

const FORMS: ReadonlyMap<string, readonly CallForm[]> = new Map(
  CALL_FORMS.map(({ name }) => [name, CALL_FORMS.filter((form) => form.name === name)]),
);
/** Functions that take any number of operands: those behind the first are a call of their own. */
const REPEATED: ReadonlySet<string> = new Set(['min', 'max', 'coalesce']);
const CALL_NAMES = Object.fromEntries([...FORMS.keys(), 'date'].map((name) => [name, true]));

function typeCall({ at, name, parts }: Call, resolve: ResolveField): FormulaNode {
  const forms = FORMS.get(name);
  if (forms === undefined) {
    throw problemAt(at, unknownName(name, 'a function', CALL_NAMES));
  }
  const typed = parts.map((part) => typeFormula(part, resolve));
  if (name === 'date' && typed.length === 3) return dateOfParts(at, typed);
  return typedCall(at, name, typed);
}

function typedCall(at: number, name: string, parts: readonly FormulaNode[]): FormulaNode {
  if (REPEATED.has(name) && parts.length > 2) {
    const [first, ...others] = parts as [FormulaNode, ...FormulaNode[]];
    return typedCall(at, name, [first, typedCall(at, name, others)]);
  }
  if (name === 'if' && parts.length > 3) {
    return typedCall(at, name, [...parts.slice(0, 2), typedCall(at, name, parts.slice(2))]);
  }
  for (const form of FORMS.get(name) ?? []) {
    const kind = kindOfCall(form, parts);
    if (kind !== undefined) return callNode(at, form, parts, kind);
  }
  const bounds = boundsOfLast(name, parts);
  if (bounds !== undefined) throw problemAt(at, say('formula_written_number', { name, ...bounds }));
  const kinds = parts.map(({ kind }) => kind).join(', ');
  throw problemAt(at, say('formula_operands', { name, kinds }));
}

/** The bounds of a last operand that is a number but not one that is written within them. */
function boundsOfLast(name: string, parts: readonly FormulaNode[]) {
  for (const form of FORMS.get(name) ?? []) {
    const last = form.takes.at(-1);
    if (last === undefined || typeof last === 'string') continue;
    const takes = [...form.takes.slice(0, -1), 'number' as const];
    if (kindOfCall({ ...form, takes }, parts) === undefined) continue;
    const [least, most] = last;
    return { least, most };
  }
  return undefined;
}

function callNode(
  at: number,
  form: CallForm,
  parts: readonly FormulaNode[],
  kind: ValueKind,
): FormulaNode {
  const size = parts.reduce((sum, part) => sum + part.size, 1);
  if (size > MOST_NODES) throw problemAt(at, say('formula_too_large', { most: MOST_NODES }));
  return foldedCall({ op: 'call', kind, form, parts, size });
}

/** The kind of the result; undefined when the operands are not of the form. */
function kindOfCall({ takes, gives }: CallForm, parts: readonly FormulaNode[]) {
  if (parts.length !== takes.length) return undefined;
  const shared = takes.findIndex((one) => one === 'same' || one === 'ordered');
  const kind = shared < 0 ? undefined : parts[shared]?.kind;
  const isTaken = takes.every((one, index) => isOperand(one, parts[index] as FormulaNode, kind));
  if (!isTaken) return undefined;
  return gives === 'same' ? kind : gives;
}

function isOperand(operand: Operand, part: FormulaNode, shared: ValueKind | undefined): boolean {
  if (operand === 'same') return part.kind === shared;
  if (operand === 'ordered') return part.kind === shared && shared !== 'boolean';
  if (typeof operand === 'string') return part.kind === operand;
  const [least, most] = operand;
  if (part.op !== 'literal' || typeof part.value !== 'bigint') return false;
  const { value } = part;
  return value % UNIT === 0n && value >= BigInt(least) * UNIT && value <= BigInt(most) * UNIT;
}

/** The date of a year, a month and a day, when the calendar has it. */
function dateOfParts(at: number, parts: readonly FormulaNode[]): FormulaNode {
  const [year, month, day] = parts as [FormulaNode, FormulaNode, FormulaNode];
  const call = (name: string, ...operands: FormulaNode[]) => typedCall(at, name, operands);
  const first = literalNode('day', 0);
  const less = (number: FormulaNode) => call('-', number, numberLiteral('1', at));
  const months = call('+', call('*', less(year), numberLiteral('12', at)), less(month));
  const date = call('+', call('add_months', first, months), less(day));
  const isSame = (name: string, part: FormulaNode) => call('=', call(name, date), part);
  const isDate = call(
    'and',
    isSame('year', year),
    call('and', isSame('month', month), isSame('day', day)),
  );
  return call('if', isDate, date);
}

/** A sentence about an expression of another kind than the field. */
export function otherKind(kind: ValueKind, type: string): Message {
  return say('formula_result', { kind, type });
}
