// Shapes: a schema compiled once, with its first value, into a function that finds every problem of a value (D7, D8). Ajv in
// the 2020 dialect converts nothing and removes nothing (D69); it only fills in defaults.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import { type Problem, shownName, shownNames } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import { describeError, type SchemaWords } from '../../model/text/schema-errors.ts';
import { SHOWN } from './shown-schema.ts';

/** Empty when the value has the shape. `defaults` of the schema are filled into the value. */
export type ShapeCheck = (value: unknown) => readonly Problem[];

/** The place of the value in the request, for a problem of the value as a whole. */
interface ShapeOptions {
  /** `The body`, `The query string`. */
  readonly subject: string;
}

const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);

const OPTIONS = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  discriminator: true,
  unicodeRegExp: true,
  addUsedSchema: false,
  validateFormats: true,
  // Simplifying the code takes about as long as the rest of compiling, 0.15 s for all routes, and a batch of 100 is
  // checked no faster.
  code: { optimize: false },
};

/** Stops at the first problem: the cheap check that nearly every request passes. */
const first = prepare(new Ajv2020({ ...OPTIONS, allErrors: false }));

/** `first` has checked the schema, so the other validators do not check it again. */
const OTHERS = { ...OPTIONS, verbose: true, validateSchema: false };
const all = prepare(new Ajv2020({ ...OTHERS, allErrors: true }));

/** Checks the bounds of a value only (`boundsOf`). */
const most = new Ajv2020({ ...OTHERS, strict: false, useDefaults: false });

/**
 * Counts are checked before properties and items are validated one by one: for a hostile body Ajv would make
 * an error object for each. A body within bounds has few problems.
 */
export function compileShape(schema: Type.TSchema, { subject }: ShapeOptions): ShapeCheck {
  const { isValid: compile, isWithin, findAll } = validatorsOf(schema);
  return (value) => {
    const isValid = compile();
    if (isValid(value)) return NO_PROBLEMS;
    const within = isWithin();
    if (!within(value)) {
      return (within.errors ?? []).map((error) => toProblem(error, value, subject));
    }
    const find = findAll();
    find(value);
    const errors = withoutBranches(find.errors ?? isValid.errors ?? []);
    return errors.map((error) => toProblem(error, value, subject));
  };
}

/** Each is compiled for the first value that needs it. */
interface Validators {
  readonly isValid: () => ValidateFunction;
  /** The check of bounds, for invalid values only. */
  readonly isWithin: () => ValidateFunction;
  readonly findAll: () => ValidateFunction;
}

const validators = new WeakMap<Type.TSchema, Validators>();

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}

/** Routes share schemas, and servers of one process share routes: each schema is compiled once (D185). */
function validatorsOf(schema: Type.TSchema): Validators {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const plain = once(() => withoutNames(schema) as Schema);
  const isValid = once(() => {
    requireBounds(plain());
    return first.compile(plain());
  });
  const compiled: Validators = {
    isValid,
    isWithin: once(() => most.compile(boundsOf(plain()))),
    findAll: once(() => all.compile(plain())),
  };
  validators.set(schema, compiled);
  return compiled;
}

type Schema = Readonly<Record<string, unknown>>;

/** Items are compared with each other only when they are few: 100,000 of them take 20 s. */
function requireBounds(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { uniqueItems, maxItems } = schema as Schema;
  if (uniqueItems === true && maxItems === undefined) {
    throw new Error('a list of different items has no bound');
  }
  for (const part of Object.values(schema)) requireBounds(part);
}

/**
 * The part of a schema that bounds items and properties. A closed object may have a few wrong properties, which are
 * reported one by one.
 */
function boundsOf(schema: Schema): Schema {
  const { items, maxItems, properties = {}, oneOf } = schema;
  const propertyNames = knownNames(schema);
  const isClosed = schema.additionalProperties === false || oneOf !== undefined;
  return {
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(items === undefined ? {} : { items: boundsOf(items as Schema) }),
    properties: Object.fromEntries(
      Object.entries(properties as object).map(([name, part]) => [name, boundsOf(part)]),
    ),
    ...(isClosed
      ? { maxProperties: propertyNames.length + LIMITS.namesShown, known: propertyNames }
      : {}),
  };
}

/** Names of the properties of an object, or of all objects of a union. */
function knownNames({ properties, oneOf }: Schema): readonly string[] {
  const branches = (oneOf ?? []) as readonly Schema[];
  return [...new Set([...Object.keys(properties ?? {}), ...branches.flatMap(knownNames)])];
}

/** `format: 'plain-text'` refuses what PostgreSQL cannot hold; other formats only document. */
function prepare(ajv: Ajv2020): Ajv2020 {
  ajv.addFormat('plain-text', (text: string) => !text.includes('\0') && text.isWellFormed());
  for (const name of ['date-time', 'date', 'uri', 'email', 'uuid']) ajv.addFormat(name, true);
  return ajv;
}

/** Keywords for the OpenAPI document only; for Ajv an `$id` would be an address. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(['$id', SHOWN]);

function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !OF_DOCUMENTS.has(keyword))
      .map(([keyword, value]) => {
        const isMap = keyword === 'properties' || keyword === 'patternProperties';
        return [keyword, isMap ? mapValues(value) : withoutNames(value)];
      }),
  );
}

/** A map from names to schemas: its keys are not keywords. */
function mapValues(map: object): object {
  return Object.fromEntries(
    Object.entries(map).map(([name, schema]) => [name, withoutNames(schema)]),
  );
}

/** When no branch of a union fits, keep the union's own error and not those of its branches. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)));
}

function toProblem(error: ErrorObject, value: unknown, subject: string): Problem {
  const { path, message } = describeError(error, wordsFor(subject));
  const param = printPath(path, value);
  return { ...(param === '' ? {} : { param }), code: 'validation_failed', message };
}

const noForm = () => say('value_of_no_form');

/** `subject`: the value as a whole. */
function wordsFor(subject: string): SchemaWords<Message> {
  return {
    additionalProperties: () => say('property_unknown'),
    maxProperties: ({ data, parentSchema }) =>
      tooManyMessage(Object.keys(data as object), parentSchema?.known as readonly string[]),
    required: () => say('property_missing'),
    enum: ({ params, data }) => oneOf(params.allowedValues, data),
    const: ({ params }) => say('value_must_equal', { value: JSON.stringify(params.allowedValue) }),
    discriminator: ({ params, parentSchema }) =>
      oneOf(tagsOf(parentSchema, String(params.tag)), params.tagValue),
    ...{ anyOf: noForm, oneOf: noForm },
    format: () => say('text_not_storable'),
    other: ({ instancePath, message: rule = 'is not valid' }) =>
      say('value_must_be_shaped', { subject: instancePath === '' ? subject : 'The value', rule }),
  };
}

/** Some languages print booleans with a capital letter, so the message has a hint for them. */
function oneOf(values: readonly unknown[], sent: unknown): Message {
  const isCase = typeof sent === 'string' && values.includes(sent.toLowerCase());
  const hint = isCase ? ', in lower case' : '';
  return say('value_must_be_one_of', { values: `${values.join(', ')}${hint}` });
}

/** The values that the branches of a union have for the property that distinguishes them. */
function tagsOf(union: object | undefined, tag: string): readonly unknown[] {
  const { oneOf: branches = [] } = (union ?? {}) as { readonly oneOf?: readonly Branch[] };
  return branches.flatMap(({ properties }) => properties[tag]?.enum ?? []);
}

interface Branch {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
}

function tooManyMessage(names: readonly string[], known: readonly string[] = []): Message {
  const unknown: string[] = [];
  for (const name of names) {
    if (!known.includes(name)) unknown.push(name);
    if (unknown.length === LIMITS.namesShown) break;
  }
  const count = names.length - known.filter((name) => names.includes(name)).length;
  return say('properties_unknown', { names: shownNames(unknown, count) });
}

/** `operations`, `3`, `match` → `operations[3].match`. */
function printPath(steps: readonly string[], root: unknown): string {
  let path = '';
  let here = root;
  for (const step of steps) {
    const name = shownName(step);
    path = Array.isArray(here) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    here = (here as Record<string, unknown> | undefined)?.[step];
  }
  return path;
}
