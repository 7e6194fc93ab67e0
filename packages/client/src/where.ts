// Conditions with the types of an object's fields: wrong keys, operators and values do not compile. The builder makes
// the JSON that questions have under `where`.

import type { AnyFields, ObjectFields, PhysicalKey } from './fields.ts';
import type { FilterScalar } from './filters.ts';
import type { Where } from './schema.ts';

/** A time before or after now ("-30d"), or an edge of a day, week, month, quarter or year. */
export interface RelativeTime {
  readonly relative: string;
}

/** The operators of every field. */
interface Equality<Value> {
  eq(value: Value): Where;
  ne(value: Value): Where;
  in(values: readonly Value[]): Where;
  notIn(values: readonly Value[]): Where;
  isNull(isNull?: boolean): Where;
}

interface Order<Value> {
  lt(value: Value): Where;
  lte(value: Value): Where;
  gt(value: Value): Where;
  gte(value: Value): Where;
  between(low: Value, high: Value): Where;
}

/** Parts of texts, whatever their case; on indexed fields and the display field, from three characters on. */
interface Parts {
  contains(text: string): Where;
  startsWith(text: string): Where;
  endsWith(text: string): Where;
}

/** Fields of several values. */
interface Lists<Item> extends Equality<Item> {
  hasAny(values: readonly Item[]): Where;
  hasAll(values: readonly Item[]): Where;
  hasNone(values: readonly Item[]): Where;
}

/** Times come as texts, so every text has their operators; numbers can be users. */
type OfText<Value> = Equality<Value> & Order<Value | RelativeTime> & Parts;
type OfNumber = Order<number> &
  Equality<number | { readonly me: true }> & {
    in(values: readonly number[] | { readonly my_teams: true }): Where;
  };

/** The operators of a field of this type; an unknown one has all. */
export type Asked<Value> = unknown extends Value
  ? Equality<FilterScalar | { readonly me: true }> &
      Order<FilterScalar | RelativeTime> &
      Parts &
      Lists<FilterScalar>
  : NonNullable<Value> extends readonly (infer Item)[]
    ? Lists<Item>
    : NonNullable<Value> extends boolean
      ? Equality<boolean>
      : NonNullable<Value> extends number
        ? OfNumber
        : OfText<NonNullable<Value>>;

/** Fields that lead to a record of another object; their own fields are behind them. */
type Behind<Fields extends ObjectFields> = Fields extends { readonly references: infer Targets }
  ? {
      [Key in keyof Targets & string]: Targets[Key] extends ObjectFields
        ? `${Key}.${PhysicalKey<Targets[Key]>}`
        : `${Key}.${string}`;
    }[keyof Targets & string]
  : string extends PhysicalKey<Fields>
    ? string
    : never;

/** A key of the object, or one behind a reference: `company_id.sector`. */
export type WherePath<Fields extends ObjectFields> = PhysicalKey<Fields> | Behind<Fields>;

type ValueAt<Fields extends ObjectFields, Path extends string> = Path extends keyof Fields['read']
  ? Fields['read'][Path]
  : Path extends `${infer Key}.${infer Rest}`
    ? Fields extends { readonly references: infer Targets }
      ? Key extends keyof Targets
        ? Targets[Key] extends { readonly read: infer Read }
          ? Rest extends keyof Read
            ? Read[Rest]
            : unknown
          : unknown
        : unknown
      : unknown
    : unknown;

export interface WhereBuilder<Fields extends ObjectFields = AnyFields> {
  /** All of them. */
  all(...parts: readonly Where[]): Where;
  /** One of them at least. */
  any(...parts: readonly Where[]): Where;
  /** Everything that the condition does not find. */
  not(part: Where): Where;
  /** The condition on a field. */
  field<Path extends WherePath<Fields>>(path: Path): Asked<ValueAt<Fields, Path>>;
}

const OPERATORS = {
  ...{ eq: 'eq', ne: 'ne', in: 'in', notIn: 'not_in', lt: 'lt', lte: 'lte', gt: 'gt', gte: 'gte' },
  ...{ contains: 'contains', startsWith: 'starts_with', endsWith: 'ends_with' },
  ...{ hasAny: 'has_any', hasAll: 'has_all', hasNone: 'has_none' },
} as const;

/** Conditions in the types of an object: `whereOf<Objects['deals']>()`. */
export function whereOf<Fields extends ObjectFields = AnyFields>(): WhereBuilder<Fields> {
  return BUILDER as unknown as WhereBuilder<Fields>;
}

const BUILDER = Object.freeze({
  all: (...parts: readonly Where[]) => ({ all: parts }),
  any: (...parts: readonly Where[]) => ({ any: parts }),
  not: (part: Where) => ({ not: part }),
  field: (path: string) => conditionsOn(path),
});

function conditionsOn(field: string) {
  const simple = Object.entries(OPERATORS).map(
    ([name, op]) => [name, (value: unknown) => ({ field, op, value })] as const,
  );
  return {
    ...Object.fromEntries(simple),
    between: (low: unknown, high: unknown) => ({ field, op: 'between', value: [low, high] }),
    isNull: (value = true) => ({ field, op: 'is_null', value }),
  };
}
