// Shapes: a schema compiled once into a function that finds every problem of a value (D7, D8). Ajv in
// the 2020 dialect converts nothing and removes nothing (D69); it only fills in defaults.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type Type from 'typebox';
import type { Problem } from '../errors.ts';

/** Empty when the value has the shape. `defaults` of the schema are filled into the value. */
export type ShapeCheck = (value: unknown) => readonly Problem[];

/** Where the value stands in the request, for a problem of the value as a whole. */
interface ShapeOptions {
  /** `The body`, `The query string`. */
  readonly subject: string;
}

const NO_PROBLEMS: readonly Problem[] = Object.freeze([]);
/** Problems shown in one answer; a hostile body could have a million. */
const MOST = 100;

const OPTIONS = {
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  useDefaults: true,
  discriminator: true,
  unicodeRegExp: true,
  addUsedSchema: false,
  validateFormats: true,
};

/** Stops at the first problem: the cheap check that nearly every request passes. */
const first = prepare(new Ajv2020({ ...OPTIONS, allErrors: false }));
const all = prepare(new Ajv2020({ ...OPTIONS, allErrors: true, verbose: true }));

/** One error of these is enough: what they bound is not looked into item by item. */
const BOUNDS: ReadonlySet<string> = new Set(['maxItems', 'maxProperties', 'maxLength']);

export function compileShape(schema: Type.TSchema, { subject }: ShapeOptions): ShapeCheck {
  const plain = withoutNames(schema) as object;
  const isValid = first.compile(plain);
  let findAll: ValidateFunction | undefined;
  return (value) => {
    if (isValid(value)) return NO_PROBLEMS;
    const found = isValid.errors ?? [];
    if (found.some(({ keyword }) => BOUNDS.has(keyword))) {
      return found.map((error) => toProblem(error, value, subject));
    }
    findAll ??= all.compile(plain);
    findAll(value);
    const errors = withoutBranches(findAll.errors ?? found);
    return errors.slice(0, MOST).map((error) => toProblem(error, value, subject));
  };
}

/** `format: 'plain-text'` refuses what PostgreSQL cannot hold; other formats only document. */
function prepare(ajv: Ajv2020): Ajv2020 {
  ajv.addFormat('plain-text', (text: string) => !text.includes('\0') && text.isWellFormed());
  for (const name of ['date-time', 'date', 'uri', 'email', 'uuid']) ajv.addFormat(name, true);
  return ajv;
}

/** `$id` names a component of the OpenAPI document; for Ajv it would be an address. */
function withoutNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNames);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== '$id')
      .map(([keyword, value]) => {
        const isMap = keyword === 'properties' || keyword === 'patternProperties';
        return [keyword, isMap ? mapValues(value) : withoutNames(value)];
      }),
  );
}

/** A map from names to schemas: its keys are no keywords. */
function mapValues(map: object): object {
  return Object.fromEntries(
    Object.entries(map).map(([name, schema]) => [name, withoutNames(schema)]),
  );
}

/** Of a union that nothing fits, keep the union's own error and not those of its branches. */
function withoutBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ schemaPath }) => `${schemaPath}/`);
  return errors.filter(({ schemaPath }) => !unions.some((union) => schemaPath.startsWith(union)));
}

function toProblem(error: ErrorObject, value: unknown, subject: string): Problem {
  const { keyword, params } = error;
  const path = printPath(error.instancePath, value);
  const extra = params.additionalProperty ?? params.missingProperty ?? params.tag;
  const param = extra === undefined ? path : join(path, String(extra).slice(0, 200));
  const message = describe(keyword, error, subject);
  return { ...(param === '' ? {} : { param }), code: 'validation_failed', message };
}

function describe(
  keyword: string,
  { instancePath, params, message, data, parentSchema }: ErrorObject,
  subject: string,
) {
  switch (keyword) {
    case 'additionalProperties':
      return 'There is no such property.';
    case 'required':
      return 'The property is required.';
    case 'enum':
      return oneOf(params.allowedValues as unknown[], data);
    case 'const':
      return `The value must be ${JSON.stringify(params.allowedValue)}.`;
    case 'discriminator':
      return oneOf(tagsOf(parentSchema, String(params.tag)), params.tagValue);
    case 'anyOf':
    case 'oneOf':
      return 'The value has none of the allowed forms.';
    case 'format':
      return 'The text must not contain U+0000 or lone surrogates.';
    default:
      return `${instancePath === '' ? subject : 'The value'} ${message ?? 'is not valid'}.`;
  }
}

/** Some languages print their booleans with a capital letter. */
function oneOf(values: readonly unknown[], sent: unknown): string {
  const isCase = typeof sent === 'string' && values.includes(sent.toLowerCase());
  return `The value must be one of ${values.join(', ')}${isCase ? ', in lower case' : ''}.`;
}

/** What the branches of a union have for the property that tells them apart. */
function tagsOf(union: object | undefined, tag: string): readonly unknown[] {
  const { oneOf: branches = [] } = (union ?? {}) as { readonly oneOf?: readonly Branch[] };
  return branches.flatMap(({ properties }) => properties[tag]?.enum ?? []);
}

interface Branch {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly unknown[] }>>;
}

/** `/operations/3/match` → `operations[3].match`. */
function printPath(pointer: string, root: unknown): string {
  let path = '';
  let here = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path = Array.isArray(here) ? `${path}[${name}]` : join(path, name);
    here = (here as Record<string, unknown> | undefined)?.[name];
  }
  return path;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
