// The interface of a field type: everything that differs between types, in one object for each. The types are in
// fields/, field-types.ts names them; other code uses their properties.

import type { FormulaRole } from '../formulas/formula-tree.ts';
import type { SearchKind } from '../text/search-text.ts';
import type { Parsed } from './parsed.ts';
import { type SqlText, sqlText } from './sql-text.ts';

/** Operators of filters (specification §4.3). */
export const FILTER_OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators of `where`, and the kind of their operand: `part` is a part of a text. */
export const OPERAND_KINDS = Object.freeze({
  ...{ eq: 'one', ne: 'one', lt: 'one', lte: 'one', gt: 'one', gte: 'one' },
  ...{ in: 'list', is_null: 'boolean', not_in: 'list', between: 'two' },
  ...{ contains: 'part', starts_with: 'part', ends_with: 'part' },
  ...{ has_any: 'list', has_all: 'list', has_none: 'list' },
} as const satisfies Readonly<Record<string, 'one' | 'list' | 'two' | 'part' | 'boolean'>>);

export type WhereOperator = keyof typeof OPERAND_KINDS;
export const WHERE_OPERATORS = Object.keys(OPERAND_KINDS) as readonly WhereOperator[];

/** Operators of conditions that are judged on a record in memory (gate.ts). */
export type GateOperator = {
  [Operator in WhereOperator]: (typeof OPERAND_KINDS)[Operator] extends 'part' ? never : Operator;
}[WhereOperator];
export const GATE_OPERATORS = WHERE_OPERATORS.filter(
  (operator): operator is GateOperator => OPERAND_KINDS[operator] !== 'part',
);

/** The rules that a value is checked against; the words are JSON Schema's (specification §2.5). */
export interface ValueRules {
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scale?: number;
  /** Rules for files: more than one, the permitted media types, and the most bytes of one. */
  readonly multiple?: boolean;
  readonly types?: readonly string[];
  readonly max_bytes?: number;
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
  'multiple',
  'types',
  'max_bytes',
] as const;
export type TypeWord = (typeof TYPE_WORDS)[number];

/**
 * The condition of an operator on a column, true or not true of each value: `{column}`, `{value}` (of the type the
 * field is compared in), `{values}` (an array of them), `{low}` and `{high}` of a range; `{folded}` is the column
 * without regard to case, `{containing}`, `{starting}` and `{ending}` are patterns of a text, folded as well.
 * `is_null` is the same for all types.
 */
export type Predicates = Readonly<Partial<Record<Exclude<WhereOperator, 'is_null'>, SqlText>>>;

/** How stored values get another type; both parts default to a cast. */
export interface Conversion {
  /** An expression of `{column}`. */
  readonly column?: SqlText;
  /** An expression of `{text}`, the value in `custom_fields`; undefined: the value stays. */
  readonly json?: SqlText;
  /** The JSON of the new value, not parsed yet; by default the value itself. */
  readonly read?: (value: unknown) => unknown;
  /** True: a value that cannot be parsed as the new type has no place in it. */
  readonly isPartial?: boolean;
  /** True: of a value that cannot be parsed as the new type a part is lost. */
  readonly loses?: boolean;
  /** True: an option becomes its label, or a label its option. */
  readonly isLabelled?: boolean;
}

/** The common text of values that count as equal (D267). */
export interface EqualityKey {
  /**
   * Distinguishes its indexes from those of other keys; digits, which came first, have no name. Four letters at most.
   */
  readonly name?: string;
  /** An immutable expression of `{column}`, because indexes contain it. */
  readonly column: SqlText;
  /** The key of a value or an operand; the key of a key is the key itself. */
  readonly of: (value: string) => string;
  /** True: ranges compare by it as well. */
  readonly ordered?: true;
}

export interface FieldTypeTraits<Name extends string = string> {
  readonly name: Name;

  /** Column type in DDL; text compares by code point unless another collation is given. */
  readonly columnType: SqlText;
  /** Type name for `$n::…` casts and `jsonb_to_recordset`. */
  readonly castType: SqlText;
  /** The column's value from `{json}` or `{text}` of `custom_fields`, when a cast does not do. */
  readonly fromJson?: SqlText;
  /** The JSON in `custom_fields` for `{column}`. */
  readonly toJson: SqlText;
  /** Types it can become. */
  readonly becomes: Readonly<Record<string, Conversion>>;
  /** False: values may be too long for an index, or have no order. */
  readonly indexable: boolean;
  /** The kind of row whose id is the value. Such fields always have a column. */
  readonly refersTo?: 'record' | 'user';
  /** A value is several: its column an array, its JSON a list, its rules those of each item. */
  readonly isList: boolean;
  /** A value may be any JSON, an object or text as well. */
  readonly isAnyJson: boolean;
  /** A value is a list of files, which a write looks up. Such fields always have a column. */
  readonly holdsFiles: boolean;

  readonly predicates: Predicates;
  /**
   * The key by which `eq`, `ne` and `in`, unique fields, matches and look-ups compare; by default the value itself.
   * Sorts and groups are always by the value.
   */
  readonly equalityKey?: EqualityKey;
  /** The operators of filters: those of `predicates` that filters know, and `is_null`. */
  readonly operators: readonly FilterOperator[];
  /** The operators of conditions: those of `predicates`, and `is_null`. */
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
  /** How `GET /search` finds values; undefined: it does not. */
  readonly search?: {
    readonly kind: SearchKind;
    /** Searched when the definition does not say. */
    readonly byDefault: boolean;
    /** The type with the lowest rank gives the subtitle of a hit when the definition names none. */
    readonly subtitleRank?: number;
  };

  /** The kind of time that its values are. */
  readonly time?: 'day' | 'moment';
  /** The property of a contact card (vCard) that has it; `reaches`: it makes a record a contact. */
  readonly card?: { readonly property: 'EMAIL' | 'TEL' | 'URL'; readonly reaches: boolean };

  /** Decimal places of all its numbers, when the definition does not say. */
  readonly places?: number;

  /** Guessed types of the columns of files that it takes; any other column is a poor match. */
  readonly takes?: readonly string[];

  /** Its role in formulas; undefined: they neither read its values nor give one. */
  readonly formula?: FormulaRole;

  /** Words of a definition it understands. */
  readonly words: readonly TypeWord[];
  /** Constraints of each field in the definition answer. */
  readonly constraints: Readonly<Record<string, unknown>>;
  readonly defaultMaxLength?: number;
  /** Characters of the longest value as text, where a definition does not allow more; of a list all of them. */
  readonly longest: number;
  /** Parse a value written as JSON; null never gets here. */
  parse(value: unknown, rules: ValueRules): Parsed;
  /** Parse a filter operand: `text` is true for query strings, false for JSON bodies. */
  parseOperand(value: unknown, text: boolean): Parsed;

  /** The JSON Schema of a value, or of each item of a list; empty when any JSON is valid. */
  readonly schema: { readonly type?: string; readonly format?: string; readonly items?: object };
  /** The JSON Schema of a written value, when it has other forms as well. */
  readonly written?: { readonly type: string; readonly items: object };
  /** True: an operand has the format as well; false: values are compared with any of the type. */
  readonly exactOperand: boolean;

  /** Text of a file to a value for `parse`; text that is not a value is passed on. Lists have a separator. */
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
  holdsFiles: false,
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

/** The traits that each type defines itself; the others have defaults. */
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
