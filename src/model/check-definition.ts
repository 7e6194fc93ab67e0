// Checks a definition document before anything is made of it: its structure by JSON Schema, then
// everything a schema cannot say. All problems are reported, in the order of the document. Pure.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { checkFields, type Report } from './check-fields.ts';
import { checkGrants, checkPeople, checkRelationships, checkWorkflows } from './check-links.ts';
import { checkRenames } from './check-renames.ts';
import { type DefinitionDocument, DefinitionSchema, NAME_PATTERN } from './definition.ts';
import { nearestName } from './nearest-name.ts';
import { tableName } from './physical-names.ts';
import { sortLocaleProblem } from './sort-locale.ts';
import { isStorableText } from './storable-text.ts';

/** One problem; `path` is like `objects.deals.fields.amount.type`, empty for the document itself. */
export interface DefinitionProblem {
  readonly path: string;
  readonly message: string;
}

/** Every problem of a merged document; none when it is a `DefinitionDocument` that can be compiled. */
export function checkDefinition(document: unknown): readonly DefinitionProblem[] {
  const validate = validatorOfDocuments();
  if (!validate(document)) return structureProblems(validate.errors ?? []);
  const problems: DefinitionProblem[] = [];
  const report: Report = (path, message) => problems.push({ path: path.join('.'), message });
  const definition = document as DefinitionDocument;
  checkTexts(definition, [], report);
  if (problems.length > 0) return problems;
  checkSortLocale(definition, report);
  checkTables(definition, report);
  for (const [objectType, object] of Object.entries(definition.objects)) {
    checkFields(definition, objectType, object, report);
  }
  checkRelationships(definition, report);
  checkWorkflows(definition, report);
  checkGrants(definition, report);
  checkPeople(definition, report);
  checkRenames(definition, report);
  return problems;
}

let validator: ValidateFunction | undefined;

/**
 * Compiled for the first document (D185): it takes 80 ms, and 160 when the code is simplified, which checks a document
 * no faster.
 */
function validatorOfDocuments(): ValidateFunction {
  if (validator !== undefined) return validator;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, code: { optimize: false } });
  addFormats.default(ajv);
  validator = ajv.compile(DefinitionSchema);
  return validator;
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair, wherever they stand. */
function checkTexts(value: unknown, path: readonly string[], report: Report): void {
  const message = 'must not contain U+0000 or lone surrogates';
  if (typeof value === 'string' && !isStorableText(value)) report(path, message);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (isStorableText(key)) checkTexts(item, [...path, key], report);
    else report([...path, JSON.stringify(key)], message);
  }
}

function checkSortLocale({ sort_locale }: DefinitionDocument, report: Report): void {
  const problem = sort_locale === undefined ? undefined : sortLocaleProblem(sort_locale);
  if (problem !== undefined) report(['sort_locale'], problem);
}

/** Table names of long object types are shortened and could be equal. */
function checkTables(document: DefinitionDocument, report: Report): void {
  const taken = new Map<string, string>();
  for (const objectType of Object.keys(document.objects)) {
    const table = tableName(objectType);
    const other = taken.get(table);
    if (other !== undefined) {
      report(['objects', objectType], `needs the same table as ${other}; choose another name`);
    }
    taken.set(table, objectType);
  }
}

function structureProblems(errors: readonly ErrorObject[]): readonly DefinitionProblem[] {
  const problems = new Map<string, DefinitionProblem>();
  for (const error of errors) {
    const problem = structureProblem(error);
    if (problem !== undefined) problems.set(`${problem.path} ${problem.message}`, problem);
  }
  return [...problems.values()];
}

/** Undefined for errors that only wrap another one, and for the null branch of an optional word. */
function structureProblem(error: ErrorObject): DefinitionProblem | undefined {
  const { keyword, params } = error;
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return undefined;
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const at = (key?: unknown) => [...path, ...(key === undefined ? [] : [String(key)])].join('.');
  if (keyword === 'required') return { path: at(params.missingProperty), message: 'is required' };
  if (keyword === 'additionalProperties') {
    const key = String(params.additionalProperty);
    return { path: at(key), message: unknownKey(key, error.parentSchema ?? {}) };
  }
  return { path: at(), message: structureMessage(error) };
}

function unknownKey(key: string, schema: Readonly<Record<string, unknown>>): string {
  const [pattern] = Object.keys((schema.patternProperties as object | undefined) ?? {});
  if (pattern !== undefined) return `is not a possible key here; keys match ${pattern}`;
  const known = Object.keys((schema.properties as object | undefined) ?? {});
  const near = nearestName(key, known);
  return near === undefined
    ? `is not a known key; known are ${known.join(', ')}`
    : `is not a known key; did you mean ${near}?`;
}

const NOT_PRINTABLE = 'must not have control characters or ends of lines';

const TYPE_NAMES: Readonly<Record<string, string>> = Object.freeze({
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
});

function structureMessage({ keyword, params, data, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${TYPE_NAMES[params.type] ?? params.type}`;
    case 'enum': {
      const near = nearestName(String(data), params.allowedValues);
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      return `must be one of ${params.allowedValues.join(', ')}${hint}`;
    }
    case 'pattern':
      if (params.pattern === NAME_PATTERN) return NOT_PRINTABLE;
      return `must match ${params.pattern}`;
    case 'format':
      return 'must be a regular expression';
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have ${params.limit} characters`;
    case 'maxLength':
      return `must not be longer than ${params.limit} characters`;
    case 'maxItems':
      return `must not have more than ${params.limit} entries`;
    case 'uniqueItems':
      return 'must not have an entry twice';
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    default:
      return message ?? 'is not valid';
  }
}
