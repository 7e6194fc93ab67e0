// The mapping file: which column of a file becomes which field, and how. Its structure is checked
// here; whether the names in it exist is checked against model and header in compile-mapping.ts.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { readDefinitionFile } from '../../definitions/document/definition-file.ts';
import { operatorError } from '../../errors.ts';
import { isObject } from '../../model/definition/definition.ts';
import { Column, head, ImportMapping } from '../../model/text/mapping-shape.ts';
import { describeError, isWrapper, type SchemaWords } from '../../model/text/schema-errors.ts';

const closed = { additionalProperties: false } as const;

const about = {
  ...closed,
  $id: 'https://workspace-records.example/mapping.schema.json',
  title: 'Import mapping',
};

/** The mapping file as people write it, for editors. */
export const MappingSchema = Type.Object(ImportMapping.properties, about);

/** The mapping with every column written out, which makes for clearer messages. */
const FullMapping = Type.Object(
  {
    ...head,
    columns: Type.Optional(Type.Record(Type.String(), Type.Array(Column, { minItems: 1 }))),
  },
  closed,
);

export type Mapping = Static<typeof FullMapping>;
export type Conversions = Omit<Static<typeof Column>, 'field'>;

let compiled: ValidateFunction | undefined;

/** Read a mapping file; every problem of its structure is in the operator error. */
export function readMappingFile(path: string): Mapping {
  return parseMapping(path, readDefinitionFile(path));
}

/** The mapping in a document that was read from `path`. */
export function parseMapping(path: string, document: unknown): Mapping {
  const full = writeOut(document);
  // Compiled for the first mapping: the start of the service needs none.
  compiled ??= new Ajv2020({ allErrors: true, verbose: true }).compile(FullMapping);
  const validate = compiled;
  if (validate(full)) return full as Mapping;
  const errors = (validate.errors ?? []).filter((error) => !isWrapper(error));
  const problems = errors.map((error) => describe(error, document));
  throw refuseMapping(path, problems);
}

/** One operator error for all problems of a mapping. */
export function refuseMapping(path: string, problems: readonly string[]): Error {
  const lines = [...new Set(problems)].map((problem) => `  ${problem}`);
  return operatorError(`${path} cannot be used:\n${lines.join('\n')}`);
}

/** A column's short forms: one field, or several of them. */
function writeOut(document: unknown): unknown {
  if (!isObject(document) || !isObject(document.columns)) return document;
  const columns = Object.entries(document.columns).map(([column, targets]) => {
    const list = Array.isArray(targets) ? targets : [targets];
    return [column, list.map((item) => (typeof item === 'string' ? { field: item } : item))];
  });
  return { ...document, columns: Object.fromEntries(columns) };
}

const WORDS: SchemaWords<string> = Object.freeze({
  required: () => 'is missing',
  additionalProperties({ parentSchema }) {
    const known = Object.keys(parentSchema?.properties ?? {});
    return known.length === 0 ? 'is not the name of a field' : `is not one of ${known.join(', ')}`;
  },
  enum: ({ params }) => `must be one of ${params.allowedValues.join(', ')}`,
  pattern: () => 'is not a name that can be used here',
  other: ({ message = 'is not valid' }) => message,
});

/** The problem at its path in the document. */
function describe(error: ErrorObject, document: unknown): string {
  const { path, message } = describeError(error, WORDS);
  return `${shortPath(path, document).join('.') || 'The mapping'} ${message}`;
}

/** Leaves out the index that `writeOut` has added. */
function shortPath(path: readonly string[], document: unknown): readonly string[] {
  const [first, column = '', ...rest] = path;
  if (first !== 'columns' || !isObject(document) || !isObject(document.columns)) return path;
  const targets = document.columns[column];
  if (!Array.isArray(targets)) return [first, column, ...rest.slice(1)];
  return typeof targets[Number(rest[0])] === 'string' ? [first, column, ...rest.slice(0, 1)] : path;
}
