// Random questions about the records of random-records.ts as clients send them, and the answers of an oracle in
// memory: conditions with every operator, values that are relative to a moment or name the caller, fields behind a
// reference.

import fc from 'fast-check';
import type { Field, ObjectModel } from '../src/model/definition/model.ts';
import { OPERAND_KINDS, type WhereOperator } from '../src/model/values/field-type.ts';
import { FIELD_TYPE_TRAITS } from '../src/model/values/field-types.ts';
import type { Row } from '../src/postgres/db.ts';
import { compareInRange, isMatch, poolOf } from './random-records.ts';

export type Tree =
  | { readonly all: readonly Tree[] }
  | { readonly any: readonly Tree[] }
  | { readonly not: Tree }
  | Leaf;

export interface Leaf {
  readonly field: string;
  readonly op: WhereOperator;
  readonly value: unknown;
}

/** The caller, and the time. */
export interface Asking {
  readonly id: number;
  readonly colleagues: readonly number[];
  readonly now: Date;
}

/** The records, and those that `through` leads to. */
export interface Known {
  readonly object: ObjectModel;
  readonly rows: readonly Row[];
  readonly through: string;
  readonly target: ObjectModel;
  readonly targets: ReadonlyMap<unknown, Row>;
}

const TIMES = [
  ...['now', '-1h', '+5h', '-30d', '+1d', '-22w', '-3m', '-5m', '-1y', '-1000y', '+12000m'],
  ...['day', 'week', 'month', 'quarter', 'year'].flatMap((unit) => [
    ...[`start_of_${unit}`, `end_of_${unit}`, `start_of_${unit}-1m`, `end_of_${unit}-5m`],
    ...[`start_of_${unit}+9h`, `end_of_${unit}+1w`, `start_of_${unit}-1y`],
  ]),
];

/** Trees of conditions, at most so deep and with so many conditions that a question can have them. */
export function treeOf(leaf: fc.Arbitrary<Leaf>): fc.Arbitrary<Tree> {
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
    const parts = fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
    return {
      tree: fc.oneof(
        { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
        leaf,
        parts.map((all) => ({ all })),
        parts.map((any) => ({ any })),
        tie('tree').map((not) => ({ not })),
      ),
    };
  });
  return tree;
}

/** Any condition on a field of the records, or of those that they refer to. */
export function leafOf({ object, rows, through, target, targets }: Known): fc.Arbitrary<Leaf> {
  const own = leafOfObject(object, rows, '');
  const behind = leafOfObject(target, [...targets.values()], `${through}.`);
  return fc.oneof({ weight: 3, arbitrary: own }, { weight: 1, arbitrary: behind });
}

function leafOfObject(
  object: ObjectModel,
  rows: readonly Row[],
  prefix: string,
): fc.Arbitrary<Leaf> {
  const pairs = [...object.fields.values()]
    .filter(({ storage }) => storage === 'physical')
    .flatMap((field) =>
      FIELD_TYPE_TRAITS[field.type].whereOperators
        .filter(
          (op) =>
            OPERAND_KINDS[op] !== 'part' || field.indexed || field.key === object.display_field,
        )
        .map((op) => ({ field, op })),
    );
  return fc.constantFrom(...pairs).chain(({ field, op }) => {
    const members = field.key === 'id' ? rows.map(({ id }) => id) : poolOf(field).flat();
    return operandFor(field, op, members).map((value) => ({
      field: prefix + field.key,
      op,
      value,
    }));
  });
}

function operandFor(
  field: Field,
  op: WhereOperator,
  members: readonly unknown[],
): fc.Arbitrary<unknown> {
  const { time, refersTo } = FIELD_TYPE_TRAITS[field.type];
  const plain = fc.constantFrom(...members);
  const relative = fc.constantFrom(...TIMES).map((text) => ({ relative: text }));
  const isUser = refersTo === 'user';
  const one = time === undefined ? plain : fc.oneof(plain, relative);
  const person = isUser ? fc.oneof(plain, fc.constant({ me: true })) : one;
  const items = isUser ? fc.oneof(person, fc.constant({ my_teams: true })) : one;
  const list = fc.array(items, { minLength: 1, maxLength: 4 });
  switch (OPERAND_KINDS[op]) {
    case 'boolean':
      return fc.boolean();
    case 'two':
      return fc.tuple(one, one);
    case 'list':
      return isUser ? fc.oneof(list, fc.constant({ my_teams: true })) : list;
    case 'part':
      return fc.constantFrom(...members.flatMap(partsOf));
    case 'one':
      return person;
  }
}

/** Parts of a text that are long enough, in another case. */
function partsOf(text: unknown): readonly string[] {
  const characters = [...String(text)];
  const parts = [characters.slice(0, 4), characters.slice(-3), characters.slice(2, 8)];
  const long = parts.filter(({ length }) => length >= 3).map((part) => part.join(''));
  return [
    ...long,
    ...long.map((part) => part.toUpperCase()).filter((part) => [...part].length >= 3),
    '%_\\',
  ];
}

/** Two values, true and false, whatever is empty. */
export function holds(known: Known, row: Row, tree: Tree, asking: Asking): boolean {
  if ('all' in tree) return tree.all.every((part) => holds(known, row, part, asking));
  if ('any' in tree) return tree.any.some((part) => holds(known, row, part, asking));
  if ('not' in tree) return !holds(known, row, tree.not, asking);
  const { op } = tree;
  const { field, row: seen } = placeOf(known, row, tree.field);
  const value = operandOf(field, tree.value, asking);
  const found = seen[field.column] ?? null;
  if (op === 'not_in') return !isMatch(seen, { field, op: 'in', value });
  if (op === 'has_none') return !isMatch(seen, { field, op: 'in', value });
  if (op === 'has_any') return isMatch(seen, { field, op: 'in', value });
  if (op === 'has_all') {
    return Array.isArray(found) && (value as unknown[]).every((item) => found.includes(item));
  }
  if (op === 'between') {
    const [low, high] = value as readonly [unknown, unknown];
    return (
      found !== null &&
      compareInRange(field, found, low) >= 0 &&
      compareInRange(field, found, high) <= 0
    );
  }
  if (OPERAND_KINDS[op] !== 'part') return isMatch(seen, { field, op, value });
  if (found === null) return false;
  const [text, part] = [folded(found), folded(value)] as const;
  if (op === 'contains') return text.includes(part);
  return op === 'starts_with' ? text.startsWith(part) : text.endsWith(part);
}

function folded(text: unknown): string {
  return String(text).toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/** A field by its path, and the record that has it; one without values where the reference is empty. */
export function placeOf(
  { object, through, target, targets }: Known,
  row: Row,
  path: string,
): { readonly field: Field; readonly row: Row } {
  const isBehind = path.startsWith(`${through}.`);
  const key = isBehind ? path.slice(through.length + 1) : path;
  const field = (isBehind ? target : object).fields.get(key);
  if (field === undefined) throw new Error(`there is no ${path}`);
  return { field, row: isBehind ? (targets.get(row[through]) ?? {}) : row };
}

function operandOf(field: Field, value: unknown, asking: Asking): unknown {
  const isTeams = (one: unknown) => (one as { my_teams?: true } | null)?.my_teams === true;
  if (isTeams(value)) return asking.colleagues;
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown): readonly unknown[] =>
      isTeams(one) ? asking.colleagues : [operandOf(field, one, asking)],
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('me' in value) return asking.id;
  const text = timeOf(String((value as { relative: string }).relative), asking.now);
  return field.type === 'date' ? text.slice(0, 10) : text;
}

const TIME = /^(?:now|(?:(start|end)_of_(\w+?))?(?:([+-]\d+)([hdwmy]))?)$/;

/** A relative time in UTC, by the calendar of JavaScript. */
function timeOf(relative: string, now: Date): string {
  const [, edge, unit = '', count, step = ''] = TIME.exec(relative) ?? [];
  let time = new Date(now);
  if (edge !== undefined) {
    time = startOf(time, unit);
    if (edge === 'end') time = unit === 'week' ? moved(time, 7, 'd') : moved(time, ...NEXT(unit));
  }
  if (count !== undefined) time = moved(time, Number(count), step);
  if (edge === 'end') time = new Date(time.getTime() - 1);
  return printed(time);
}

const NEXT = (unit: string): readonly [number, string] => {
  if (unit === 'quarter') return [3, 'm'];
  return [1, unit.charAt(0)];
};

function startOf(time: Date, unit: string): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  const starts: Readonly<Record<string, readonly [number, number, number]>> = {
    day: [year, month, day],
    week: [year, month, day - ((time.getUTCDay() + 6) % 7)],
    month: [year, month, 1],
    quarter: [year, month - (month % 3), 1],
    year: [year, 0, 1],
  };
  const [y, m, d] = starts[unit] as readonly [number, number, number];
  return new Date(Date.UTC(y, m, d));
}

/** Days that a month does not have become its last day. */
function moved(time: Date, count: number, step: string): Date {
  const lengths: Readonly<Record<string, number>> = { h: 1, d: 24, w: 24 * 7 };
  const hours = lengths[step];
  if (hours !== undefined) return new Date(time.getTime() + count * hours * 3_600_000);
  const months = step === 'y' ? 12 * count : count;
  const next = new Date(time);
  next.setUTCDate(1);
  next.setUTCMonth(next.getUTCMonth() + months);
  const last = new Date(next);
  last.setUTCMonth(last.getUTCMonth() + 1);
  last.setUTCDate(0);
  next.setUTCDate(Math.min(time.getUTCDate(), last.getUTCDate()));
  return next;
}

function printed(time: Date): string {
  const [year = '', ...rest] = time
    .toISOString()
    .replace(/^[+-]00/, '')
    .split('-');
  return [year.padStart(4, '0'), ...rest].join('-');
}
