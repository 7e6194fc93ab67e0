// JSON Schemas of field values: as answers show them, as writes take them, as filters of a body compare them. Rules
// of a field apply to writes; values stored before a rule was made may break it.

import { LIMITS } from '../../limits.ts';
import {
  type Field,
  type ObjectModel,
  TYPE_KEY,
  WORK_ITEMS,
  type WorkItemType,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { mostFiles } from '../../model/fields/file-field.ts';
import type { FilterOperator } from '../../model/values/field-type.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../../model/values/field-types.ts';

export type Json = Readonly<Record<string, unknown>>;

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
    ...valueSchema(field, { values, nullable: !field.required, written: true }),
    ...rulesOf(field),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...aboutOf(shown),
  };
}

/** The options of a field that has one of them: statuses are such a field as well. */
export function optionsOf({ type, rules }: Field): readonly string[] | undefined {
  const { isList } = FIELD_TYPE_TRAITS[type];
  const options = isList ? undefined : rules.options?.map((option) => option.value);
  return options?.length === 0 ? undefined : options;
}

/** A filter of a query string on a field with options: one of them, or an object of operators. */
export function queryFilterSchema(type: FieldType, options: readonly string[]): Json {
  const value = { type: 'string', enum: options };
  const properties = FIELD_TYPE_TRAITS[type].operators.map((operator) => {
    if (operator === 'is_null') return [operator, { type: 'string', enum: ['true', 'false'] }];
    return [operator, operator === 'in' ? LISTED : value];
  });
  const operators = { type: 'object', properties: Object.fromEntries(properties) };
  return { anyOf: [value, { ...operators, additionalProperties: false, minProperties: 1 }] };
}

const LISTED = { type: 'string', description: 'Values with commas between them.' };

/** A filter of a body: a value, null, or an object of operators. */
export function filterSchema(type: FieldType, options?: readonly string[]): Json {
  const { operators, schema, exactOperand } = FIELD_TYPE_TRAITS[type];
  const { format: _, ...lax } = schema;
  const operandSchema = exactOperand ? schema : lax;
  const value = options === undefined ? operandSchema : { ...operandSchema, enum: options };
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

interface ValueOptions {
  readonly values: readonly string[] | undefined;
  readonly nullable: boolean;
  readonly written?: boolean;
}

function valueSchema({ type }: Field, { values, nullable, written }: ValueOptions): Json {
  const traits = FIELD_TYPE_TRAITS[type];
  const one = {
    ...((written && traits.written) || traits.schema),
    ...(values === undefined ? {} : { enum: values }),
  };
  const schema: Json = traits.isList ? { type: 'array', items: one } : one;
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

/** Decimal places are described in words: `multipleOf` is not exact for binary numbers. */
function rulesOf({ type, rules }: Field): Json {
  const { isList, holdsFiles } = FIELD_TYPE_TRAITS[type];
  if (isList) return { maxItems: LIMITS.multiSelectValues };
  if (holdsFiles) return { maxItems: mostFiles(rules) };
  const { minLength, maxLength, pattern, minimum, maximum } = rules;
  const words = { minLength, maxLength, pattern, minimum, maximum };
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined));
}

function aboutOf({ field, refersTo }: ShownField): Json {
  const { name, type, description, rules, constraints, unique, system } = field;
  const kind = refersTo === null ? type : `${type} to ${refersTo}`;
  const facts = [
    `${name} (${kind})`,
    ...(constraints?.currency === undefined ? [] : [`in ${constraints.currency}`]),
    ...(rules.scale === undefined ? [] : [`at most ${rules.scale} decimal places`]),
    ...(unique && !system ? ['no two records share a value'] : []),
  ].join(', ');
  return { description: description === null ? `${facts}.` : `${facts}: ${description}` };
}
