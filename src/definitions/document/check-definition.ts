// Checks a definition document before anything is made of it: its structure by JSON Schema, then
// everything a schema cannot say. Problems are reported in the order of the document. Pure.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';
import {
  type DefinitionDocument,
  DefinitionSchema,
  isObject,
} from '../../model/definition/definition.ts';
import { NAME_PATTERN } from '../../model/definition/definition-words.ts';
import { tableName } from '../../model/definition/physical-names.ts';
import { sortLocaleProblem } from '../../model/definition/sort-locale.ts';
import { runSteps, type Steps } from '../../model/steps.ts';
import { nearestName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';
import { patternWork } from '../../model/text/pattern-work.ts';
import {
  describeError,
  isWrapper,
  type SchemaProblem,
  type SchemaWords,
} from '../../model/text/schema-errors.ts';
import { isStorableText, UNSTORABLE } from '../../model/values/storable-text.ts';
import { checkFields, type Report } from './check-fields.ts';
import { checkGrants, checkPeople, checkRelationships, checkWorkflows } from './check-links.ts';
import { checkRenames } from './check-renames.ts';

/** One problem; `path` is like `objects.deals.fields.amount.type`, empty for the document itself. */
export interface DefinitionProblem {
  readonly path: string;
  readonly message: Message;
}

/** Problems reported for one document; the rest of it is not checked. */
const MOST_PROBLEMS = 500;
const TOO_MANY = say('definition_more_problems');

/** Thrown when there are so many. */
const ENOUGH = Symbol('enough problems');

/**
 * Every problem of a merged document, up to a bound; none when it is a `DefinitionDocument` that can be
 * compiled.
 */
export function* checkSteps(document: unknown): Steps<readonly DefinitionProblem[]> {
  const problems: DefinitionProblem[] = [];
  const report: Report = (path, message) => {
    if (problems.push({ path: path.join('.'), message }) >= MOST_PROBLEMS) throw ENOUGH;
  };
  try {
    yield* structureSteps(document, report);
    if (problems.length === 0) yield* textSteps(document as DefinitionDocument, report);
    if (problems.length === 0) yield* ruleSteps(document as DefinitionDocument, report);
  } catch (error) {
    if (error !== ENOUGH) throw error;
    problems.push({ path: '', message: TOO_MANY });
  }
  return problems;
}

/** Runs `checkSteps` without a pause. */
export function checkDefinition(document: unknown): readonly DefinitionProblem[] {
  return runSteps(checkSteps(document));
}

/** The rules that a schema cannot express. */
function* ruleSteps(definition: DefinitionDocument, report: Report): Steps<void> {
  checkSortLocale(definition, report);
  checkTables(definition, report);
  const checks = { document: definition, report, work: patternWork() };
  for (const [objectType, object] of Object.entries(definition.objects)) {
    yield* checkFields(checks, objectType, object);
  }
  yield* checkRelationships(definition, report);
  yield* checkWorkflows(definition, report);
  yield* checkGrants(definition, report);
  yield* checkPeople(definition, report);
  checkRenames(definition, report);
}

const SECTIONS = Object.keys(DefinitionSchema.properties).filter(
  (key) => !['$schema', 'name', 'sort_locale'].includes(key),
);

/** The document without what its sections hold, then each entry of a section as a document of its own. */
function* structureSteps(document: unknown, report: Report): Steps<void> {
  const check = (part: unknown) => {
    const validate = validatorOf(isLarge(part) ? 'first' : 'all');
    if (validate(part)) return;
    for (const { path, message } of structureProblems(validate.errors ?? [])) report(path, message);
  };
  const sections = isObject(document)
    ? SECTIONS.filter((section) => isObject(ownValue(document, section)))
    : [];
  const empty = Object.fromEntries(sections.map((section) => [section, {}]));
  check(isObject(document) ? { ...document, ...empty } : document);
  for (const section of sections) {
    const entries = (document as Sections)[section] as Sections;
    if (reportMany({ path: [section], entries, most: MOST_OF_SECTION[section] }, report)) continue;
    for (const [key, entry] of Object.entries(entries)) {
      yield;
      if (key.length > MOST_KEY)
        report([section, `${key.slice(0, 100)}…`], say('definition_key_too_long'));
      else if (!reportMany(partsOf(section, key, entry), report)) {
        check({ objects: {}, [section]: { [key]: entry } });
      }
    }
  }
}

type Sections = Readonly<Record<string, unknown>>;

/** Parts below longer keys are not checked. */
const MOST_KEY = 1000;

const MOST_OF_SECTION: Readonly<Record<string, number>> = { objects: LIMITS.objectsOfDefinition };
/** The part of each entry of a section that is limited. */
const LIMITED_PARTS: Readonly<Record<string, { readonly part: string; readonly most: number }>> = {
  objects: { part: 'fields', most: LIMITS.fieldsOfObject },
  workflows: { part: 'statuses', most: LIMITS.statusesOfWorkflow },
};

interface Counted {
  readonly path: readonly string[];
  readonly entries: unknown;
  readonly most: number | undefined;
}

function partsOf(section: string, key: string, entry: unknown): Counted {
  const { part = '', most } = LIMITED_PARTS[section] ?? {};
  const entries = isObject(entry) ? ownValue(entry, part) : undefined;
  return { path: [section, key, part], entries, most };
}

/** True when there are more entries than may be: they are not looked at. */
function reportMany({ path, entries, most = Infinity }: Counted, report: Report): boolean {
  const count = isObject(entries) ? Object.keys(entries).length : 0;
  if (count > most) report(path, say('definition_too_many_entries', { most, count }));
  return count > most;
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair, in any text. */
function* textSteps(definition: DefinitionDocument, report: Report): Steps<void> {
  for (const [section, entries] of Object.entries(definition)) {
    if (!isObject(entries)) checkTexts(entries, [section], report);
    else {
      for (const entry of Object.entries(entries)) {
        yield;
        checkTexts(Object.fromEntries([entry]), [section], report);
      }
    }
  }
}

/** Keys of a part of a document, of which all problems are looked for: each takes 3 µs. */
const MOST_KEYS = 10_000;

function isLarge(part: unknown): boolean {
  let left = MOST_KEYS;
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || left < 0) return;
    const inside = Object.values(value);
    left -= inside.length;
    for (const one of inside) count(one);
  };
  count(part);
  return left < 0;
}

type Found = 'all' | 'first';

const OPTIONS = { verbose: true, code: { optimize: false }, allowUnionTypes: true };

const validators = new Map<Found, ValidateFunction>();

/**
 * The validator that finds these problems. Compiled for the first document (D185): it takes 80 ms, and 160 when the
 * code is simplified, which checks a document no faster.
 */
function validatorOf(found: Found): ValidateFunction {
  const known = validators.get(found);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ ...OPTIONS, allErrors: found === 'all' });
  addFormats.default(ajv);
  const validator = ajv.compile(DefinitionSchema);
  validators.set(found, validator);
  return validator;
}

function checkTexts(value: unknown, path: readonly string[], report: Report): void {
  if (typeof value === 'string' && !isStorableText(value)) report(path, UNSTORABLE);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (isStorableText(key)) checkTexts(item, [...path, key], report);
    else report([...path, JSON.stringify(key)], UNSTORABLE);
  }
}

function checkSortLocale({ sort_locale }: DefinitionDocument, report: Report): void {
  const problem = sort_locale === undefined ? undefined : sortLocaleProblem(sort_locale);
  if (problem !== undefined)
    report(['sort_locale'], say('sort_locale_unknown', { reason: problem }));
}

/** Table names of long object types are shortened and could be equal. */
function checkTables(document: DefinitionDocument, report: Report): void {
  const taken = new Map<string, string>();
  for (const objectType of Object.keys(document.objects)) {
    const table = tableName(objectType);
    const other = taken.get(table);
    if (other !== undefined) {
      report(['objects', objectType], say('definition_table_taken', { other }));
    }
    taken.set(table, objectType);
  }
}

/** Up to the number that is reported. */
function structureProblems(errors: readonly ErrorObject[]): readonly SchemaProblem<Message>[] {
  const problems = new Map<string, SchemaProblem<Message>>();
  for (const error of errors) {
    if (isWrapper(error)) continue;
    const problem = describeError(error, WORDS);
    problems.set(`${problem.path.join('.')} ${problem.message.text}`, problem);
    if (problems.size === MOST_PROBLEMS) break;
  }
  return [...problems.values()];
}

function unknownKey({ params, parentSchema: schema = {} }: ErrorObject): Message {
  const [pattern] = Object.keys(schema.patternProperties ?? {});
  if (pattern !== undefined) return say('definition_key_malformed', { pattern });
  const known = Object.keys(schema.properties ?? {});
  const near = nearestName(String(params.additionalProperty), known);
  return near === undefined
    ? say('definition_key_unknown', { known: known.join(', ') })
    : say('definition_key_near', { near });
}

const NOT_PRINTABLE = say('definition_not_printable');

const TYPE_NAMES: Readonly<Record<string, string>> = Object.freeze({
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
});

const WORDS: SchemaWords<Message> = Object.freeze({
  required: () => say('definition_required'),
  additionalProperties: unknownKey,
  type: ({ params }) => say('must_be_of_type', { type: TYPE_NAMES[params.type] ?? params.type }),
  enum({ params, data }) {
    const near = nearestName(String(data), params.allowedValues);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    return say('must_be_one_of', { values: `${params.allowedValues.join(', ')}${hint}` });
  },
  pattern: ({ params: { pattern } }) =>
    pattern === NAME_PATTERN ? NOT_PRINTABLE : say('must_match', { pattern }),
  format: () => say('must_be_pattern'),
  minLength: ({ params: { limit } }) =>
    limit === 1 ? say('must_not_be_empty') : say('must_have_length', { length: limit }),
  maxLength: ({ params }) => say('must_not_be_longer', { most: params.limit }),
  maxItems: ({ params }) => say('must_not_have_more_entries', { most: params.limit }),
  uniqueItems: () => say('must_not_repeat_entries'),
  minimum: ({ params }) => say('must_be_at_least', { least: params.limit }),
  maximum: ({ params }) => say('must_be_at_most', { most: params.limit }),
  other: ({ message: rule = 'is not valid' }) => say('not_valid', { rule }),
});
