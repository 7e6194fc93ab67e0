// What a field type is: everything that differs between types, in one object for each. The types are in
// fields/, field-types.ts names them; other code uses their properties.

import type { Parsed } from './parsed.ts';
import type { SearchKind } from './search-text.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** Operators of filters (specification §4.3). */
export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators of `where`. */
export const WHERE_OPERATORS = [
  ...FILTER_OPERATORS,
  'not_in',
  'between',
  'contains',
  'starts_with',
  'ends_with',
  'has_any',
  'has_all',
  'has_none',
] as const;
export type WhereOperator = (typeof WHERE_OPERATORS)[number];

/** What a value is checked against; the words are JSON Schema's (specification §2.5). */
export interface ValueRules {
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scale?: number;
}

/** Words of a definition that only some types understand. */
export const TYPE_WORDS = [
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'scale',
  'currency',
  'searchable',
  'options',
  'reference_object_type',
  'on_delete',
] as const;
export type TypeWord = (typeof TYPE_WORDS)[number];

/**
 * What an operator asks of a column, true or not true of each value: `{column}`, `{value}` (of the type
 * the field is compared in), `{values}` (an array of them), `{low}` and `{high}` of a range; `{folded}` is the
 * column without regard to case, `{containing}`, `{starting}` and `{ending}` are patterns of a text, folded
 * as well. `is_null` is the same for all types.
 */
export type Predicates = Readonly<Partial<Record<Exclude<WhereOperator, 'is_null'>, SqlText>>>;

/** How stored values get another type; both are cast where nothing is said. */
export interface Conversion {
  /** Of `{column}`. */
  readonly column?: SqlText;
  /** Of `{text}`, the value in `custom_fields`, which stays when nothing is said. */
  readonly json?: SqlText;
  /** The JSON of the new value, not parsed yet; the value itself when nothing is said. */
  readonly read?: (value: unknown) => unknown;
  /** True: a value that cannot be parsed as the new type has no place in it. */
  readonly isPartial?: boolean;
  /** True: of a value that cannot be parsed as the new type a part is lost. */
  readonly loses?: boolean;
}

/** What values that count as equal have in common, a text (D267). */
export interface EqualityKey {
  /** Tells the indexes by it from those by others; digits, which came first, have no name. Four letters at most. */
  readonly name?: string;
  /** Of `{column}`, and immutable: indexes are made of it. */
  readonly column: SqlText;
  /** The same of a value or an operand; of a key it is the key itself. */
  readonly of: (value: string) => string;
  /** True: ranges compare by it as well. */
  readonly ordered?: true;
}

export interface FieldTypeTraits<Name extends string = string> {
  readonly name: Name;

  /** Column type in DDL; text compares by code point where nothing else is said. */
  readonly columnType: SqlText;
  /** Type name for `$n::…` casts and `jsonb_to_recordset`. */
  readonly castType: SqlText;
  /** The column's value from `{json}` or `{text}` of `custom_fields`, when a cast does not do. */
  readonly fromJson?: SqlText;
  /** What `custom_fields` has for `{column}`. */
  readonly toJson: SqlText;
  /** Types it can become. */
  readonly becomes: Readonly<Record<string, Conversion>>;
  /** False: values may be too long for an index, or have no order. */
  readonly indexable: boolean;
  /** What a value is the id of. Such fields have a column always. */
  readonly refersTo?: 'record' | 'user';
  /** A value is several: its column an array, its JSON a list, its rules those of each item. */
  readonly isList: boolean;
  /** A value may be any JSON, an object or text as well. */
  readonly isAnyJson: boolean;

  readonly predicates: Predicates;
  /**
   * By which `eq`, `ne` and `in`, unique fields, matches and look-ups compare; by the value itself when nothing is said.
   * Sorts and groups are always by the value.
   */
  readonly equalityKey?: EqualityKey;
  /** Those of `predicates` that filters know, and `is_null`. */
  readonly operators: readonly FilterOperator[];
  /** Those of `predicates`, and `is_null`. */
  readonly whereOperators: readonly WhereOperator[];
  readonly sortable: boolean;
  /** Sorts, groups, `min` and `max` have it in the order of the workspace's language. */
  readonly sortsByLocale: boolean;
  readonly groupable: boolean;
  readonly aggregates: readonly ('sum' | 'avg' | 'min' | 'max')[];

  /** Stored as text; a subtitle field may have it. */
  readonly textual: boolean;
  /** A display field may have it. */
  readonly canDisplay: boolean;
  /** How values are found by `GET /search`; undefined: not at all. */
  readonly search?: {
    readonly kind: SearchKind;
    /** Searched when the definition does not say. */
    readonly byDefault: boolean;
    /** Which type gives the subtitle of a hit when the definition does not say: the lowest. */
    readonly subtitleRank?: number;
  };

  /** What its values are of time. */
  readonly time?: 'day' | 'moment';
  /** Decimal places of all its numbers, when the definition does not say. */
  readonly places?: number;

  /** Words of a definition it understands. */
  readonly words: readonly TypeWord[];
  /** Constraints that the definition answer tells of each field. */
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly defaultMaxLength?: number;
  /** Characters of the longest value as text, where a definition does not allow more; of a list all of them. */
  readonly longest: number;
  /** Parse a value written as JSON; null never gets here. */
  parse(value: unknown, rules: ValueRules): Parsed;
  /** Parse a filter operand: `text` is true for query strings, false for JSON bodies. */
  parseOperand(value: unknown, text: boolean): Parsed;

  /** What JSON has for a value, for each item of a list; nothing where it can be any. */
  readonly schema: { readonly type?: string; readonly format?: string };
  /** True: an operand has the format as well; false: values are compared with any of the type. */
  readonly exactOperand: boolean;

  /** Text of a file to a value for `parse`; what is none is passed on. Lists have a separator. */
  readCell(text: string, separator?: string): Parsed;
  /** A canonical value as text of a file; `readCell` gives it back. */
  printCell(value: unknown): string;
  /** Printed values are never free text, so they need no guard against formulas. */
  readonly isHarmless: boolean;
  /** A list for it becomes one text. */
  readonly joinsItems: boolean;
}

export const EQUALITY: Predicates = Object.freeze({
  eq: sqlText`{column} = {value}`,
  ne: sqlText`{column} is distinct from {value}`,
  in: sqlText`{column} = any({values})`,
  not_in: sqlText`({column} = any({values})) is not true`,
});

export const ORDER: Predicates = Object.freeze({
  ...EQUALITY,
  lt: sqlText`{column} < {value}`,
  lte: sqlText`{column} <= {value}`,
  gt: sqlText`{column} > {value}`,
  gte: sqlText`{column} >= {value}`,
  between: sqlText`{column} between {low} and {high}`,
});

const USUAL = Object.freeze({
  toJson: sqlText`to_jsonb({column})`,
  becomes: Object.freeze({}),
  indexable: true,
  isList: false,
  isAnyJson: false,
  sortable: true,
  sortsByLocale: false,
  groupable: true,
  aggregates: Object.freeze([]),
  textual: false,
  canDisplay: false,
  words: Object.freeze([]),
  constraints: Object.freeze({}),
  exactOperand: false,
  longest: 50,
  readCell: (text: string): Parsed => ({ value: text }),
  printCell: String,
  isHarmless: false,
  joinsItems: false,
});

type RequiredTrait =
  | 'name'
  | 'columnType'
  | 'castType'
  | 'predicates'
  | 'schema'
  | 'parse'
  | 'parseOperand';

/** What a type has to say of itself; the rest is as most types have it. */
export type OwnTraits<Name extends string> = Pick<FieldTypeTraits<Name>, RequiredTrait> &
  Partial<Omit<FieldTypeTraits<Name>, RequiredTrait | 'operators' | 'whereOperators'>>;

export function defineFieldType<const Name extends string>(
  own: OwnTraits<Name>,
): FieldTypeTraits<Name> {
  const isKnown = (operator: WhereOperator) => operator === 'is_null' || operator in own.predicates;
  return Object.freeze({
    ...{ ...USUAL, ...own },
    operators: Object.freeze(FILTER_OPERATORS.filter(isKnown)),
    whereOperators: Object.freeze(WHERE_OPERATORS.filter(isKnown)),
  });
}
