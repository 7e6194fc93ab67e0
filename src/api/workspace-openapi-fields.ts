// JSON Schemas of field values: as answers show them, as writes take them, as filters of a body compare
// them. Rules of a field hold for what is written; what was stored before a rule was made may break it.

import { LIMITS } from '../limits.ts';
import { FIELD_TYPE_TRAITS, type FieldType, type FilterOperator } from '../model/field-types.ts';
import {
  type Field,
  type ObjectModel,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkItemType,
  type WorkspaceModel,
} from '../model/model.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What JSON has for one value of each type; a field of type json can have any. */
export const VALUE_SCHEMAS: Readonly<Record<FieldType, { type?: string; format?: string }>> =
  Object.freeze({
    text: { type: 'string' },
    long_text: { type: 'string' },
    number: { type: 'number' },
    integer: { type: 'integer', format: 'int32' },
    currency: { type: 'number' },
    percent: { type: 'number' },
    boolean: { type: 'boolean' },
    date: { type: 'string', format: 'date' },
    datetime: { type: 'string', format: 'date-time' },
    select: { type: 'string' },
    multi_select: { type: 'string' },
    // Letters beyond ASCII are taken, which the formats "email" and "uri" do not allow.
    email: { type: 'string', format: 'idn-email' },
    phone: { type: 'string' },
    url: { type: 'string', format: 'iri' },
    reference: { type: 'string', format: 'uuid' },
    user: { type: 'integer', format: 'int32' },
    json: {},
  });

/** A field of an object, and what may be said of the object it refers to. */
export interface ShownField {
  readonly object: ObjectModel;
  readonly field: Field;
  /** Null when there is none, or none that the caller may know of. */
  readonly refersTo: string | null;
}

/** The value in an answer. */
export function readSchema(model: WorkspaceModel, shown: ShownField): Json {
  const { field } = shown;
  const values = choicesOf(shown, [...model.work_item_types.values()]);
  return { ...valueSchema(field, { values, nullable: field.nullable }), ...aboutOf(shown) };
}

/** The value in a create or update. */
export function writtenSchema(model: WorkspaceModel, shown: ShownField): Json {
  const { field } = shown;
  const active = [...model.work_item_types.values()].filter((type) => type.active);
  const values = choicesOf(shown, active);
  return {
    ...valueSchema(field, { values, nullable: !field.required }),
    ...rulesOf(field),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...aboutOf(shown),
  };
}

/** The options of a field that has one of them: statuses are such a field as well. */
export function optionsOf({ type, rules }: Field): readonly string[] | undefined {
  const options = type === 'select' ? rules.options?.map((option) => option.value) : undefined;
  return options?.length === 0 ? undefined : options;
}

/** A filter of a query string on a field with options: one of them, or an object of operators. */
export function queryFilterSchema(options: readonly string[]): Json {
  const value = { type: 'string', enum: options };
  const properties = FIELD_TYPE_TRAITS.select.operators.map((operator) => {
    if (operator === 'is_null') return [operator, { type: 'string', enum: ['true', 'false'] }];
    return [operator, operator === 'in' ? LISTED : value];
  });
  const operators = { type: 'object', properties: Object.fromEntries(properties) };
  return { anyOf: [value, { ...operators, additionalProperties: false, minProperties: 1 }] };
}

const LISTED = { type: 'string', description: 'Values with commas between them.' };

/** A filter of a body: a value, null, or an object of operators. */
export function filterSchema(type: FieldType, options?: readonly string[]): Json {
  const { format, ...lax } = VALUE_SCHEMAS[type];
  const exact = format !== undefined && EXACT_OPERANDS.has(format) ? { ...lax, format } : lax;
  const value = options === undefined ? exact : { ...exact, enum: options };
  const { operators } = FIELD_TYPE_TRAITS[type];
  const operand = (operator: FilterOperator): Json => {
    if (operator === 'is_null') return { type: 'boolean' };
    if (operator !== 'in') return value;
    return { type: 'array', items: value, minItems: 1, maxItems: LIMITS.inValues };
  };
  const properties = Object.fromEntries(operators.map((one) => [one, operand(one)]));
  return {
    description: 'A value (equals), null (is empty), or operators.',
    anyOf: [
      ...(operators.includes('eq') ? [value] : []),
      { type: 'null' },
      { type: 'object', properties, additionalProperties: false, minProperties: 1 },
    ],
  };
}

/** Formats that what is compared with must have as well; others are compared with any text. */
const EXACT_OPERANDS: ReadonlySet<string> = new Set(['date', 'uuid', 'int32']);

interface ValueOptions {
  readonly values: readonly string[] | undefined;
  readonly nullable: boolean;
}

function valueSchema({ type }: Field, { values, nullable }: ValueOptions): Json {
  const one = { ...VALUE_SCHEMAS[type], ...(values === undefined ? {} : { enum: values }) };
  const schema: Json = type === 'multi_select' ? { type: 'array', items: one } : one;
  if (!nullable || schema.type === undefined) return schema;
  const choices = schema.enum as readonly string[] | undefined;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
  };
}

/** Options, or the types that a work item can be of. */
function choicesOf(
  { object, field }: ShownField,
  types: readonly WorkItemType[],
): readonly string[] | undefined {
  if (field.rules.options !== undefined) return field.rules.options.map(({ value }) => value);
  const isType = object.object_type === WORK_ITEMS && field.key === TYPE_KEY;
  return isType && types.length > 0 ? types.map(({ id }) => id) : undefined;
}

/** Decimal places are told in words: `multipleOf` is not exact for binary numbers. */
function rulesOf({ type, rules }: Field): Json {
  if (type === 'multi_select') return { maxItems: LIMITS.multiSelectValues };
  const { minLength, maxLength, pattern, minimum, maximum } = rules;
  const words = { minLength, maxLength, pattern, minimum, maximum };
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined));
}

function aboutOf({ field, refersTo }: ShownField): Json {
  const { name, type, description, rules, constraints, unique, system } = field;
  const kind = refersTo === null ? type : `${type} to ${refersTo}`;
  const told = [
    `${name} (${kind})`,
    ...(constraints?.currency === undefined ? [] : [`in ${constraints.currency}`]),
    ...(rules.scale === undefined ? [] : [`at most ${rules.scale} decimal places`]),
    ...(unique && !system ? ['no two records share a value'] : []),
  ].join(', ');
  return { description: description === null ? `${told}.` : `${told}: ${description}` };
}
