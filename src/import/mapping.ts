// The mapping file: which column of a file becomes which field, and how. Its structure is checked
// here; whether the names in it exist is checked against model and header in compile-mapping.ts.

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import Type, { type Static } from 'typebox';
import { operatorError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { OBJECT_TYPE_PATTERN } from '../model/definition.ts';
import { readDefinitionFile } from '../provision/definition-file.ts';

const closed = { additionalProperties: false } as const;

const FieldName = Type.String({
  pattern: '^(custom_fields\\.)?[a-z][a-z0-9_]{0,49}$',
  description:
    'A field key, custom_fields.<key>, id, status, owner_user_id, created_at, updated_at, ' +
    'created_by_user_id; for work items public_id. Of comments: id, record_id, body, ' +
    'author_user_id, created_at, updated_at, mention_user_ids.',
});

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const conversions = {
  values: Type.Optional(
    Type.Record(Type.String(), Value, {
      description: 'Value in the file → value to use instead; of a list, also for each item.',
    }),
  ),
  lookup: Type.Optional(
    Type.Object(
      {
        object_type: Type.String({ pattern: OBJECT_TYPE_PATTERN }),
        field: Type.String({ description: 'The field whose value the file has; exact match.' }),
      },
      { ...closed, description: 'References: find the record that has the value.' },
    ),
  ),
  user: Type.Optional(
    Type.Enum(['email', 'name'], {
      description: 'Users: find the active person; the author of a comment may have left.',
    }),
  ),
  fallback: Type.Optional({
    ...Value,
    description: 'With lookup or user: the value to use when nothing is found; null: none.',
  }),
  separator: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'multi_select and mention_user_ids: between values, ";" by default. ' +
        'A list for a text field is joined with it, "; " by default.',
    }),
  ),
};

const Column = Type.Object({ field: FieldName, ...conversions }, closed);

const Made = Type.Object(
  {
    template: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Text with {column} in it. A part in […] is left out when a column in it is empty.',
      }),
    ),
    constant: Type.Optional(Type.Unknown({ description: 'The same value for every row.' })),
    ...conversions,
  },
  closed,
);

const head = {
  $schema: Type.Optional(Type.String()),
  object_type: Type.Optional(Type.String({ pattern: OBJECT_TYPE_PATTERN })),
  comments_on: Type.Optional(
    Type.String({
      pattern: OBJECT_TYPE_PATTERN,
      description: 'Instead of object_type: each row is a comment on a record of this type.',
    }),
  ),
  match: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.matchKeys,
      uniqueItems: true,
      description: 'Fields that identify a record: found records are updated, others created.',
    }),
  ),
  delimiter: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1, description: 'CSV: what separates the columns.' }),
  ),
  fields: Type.Optional(
    Type.Record(FieldName, Made, { ...closed, description: 'Field → a value made for it.' }),
  ),
};

const about = {
  ...closed,
  $id: 'https://workspace-records.example/mapping.schema.json',
  title: 'Import mapping',
};

/** The mapping file as people write it, for editors. */
export const MappingSchema = Type.Object(
  {
    ...head,
    columns: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([
          FieldName,
          Column,
          Type.Array(Type.Union([FieldName, Column]), { minItems: 1 }),
        ]),
        { description: 'Column of the file → field. Without it, columns go to their namesakes.' },
      ),
    ),
  },
  about,
);

/** The same with every column written out, which makes for clearer messages. */
const FullMapping = Type.Object(
  {
    ...head,
    columns: Type.Optional(Type.Record(Type.String(), Type.Array(Column, { minItems: 1 }))),
  },
  closed,
);

export type Mapping = Static<typeof FullMapping>;
export type Conversions = Omit<Static<typeof Column>, 'field'>;

const validate = new Ajv2020({ allErrors: true, verbose: true }).compile(FullMapping);

/** Read a mapping file; every problem of its structure is in the operator error. */
export function readMappingFile(path: string): Mapping {
  return parseMapping(path, readDefinitionFile(path));
}

/** The mapping in a document that was read from `path`. */
export function parseMapping(path: string, document: unknown): Mapping {
  const full = writeOut(document);
  if (validate(full)) return full as Mapping;
  const problems = (validate.errors ?? []).flatMap((error) => describe(error, document));
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The problem at its path in the document; none for errors that only wrap another one. */
function describe(error: ErrorObject, document: unknown): readonly string[] {
  const { keyword, params, instancePath, parentSchema } = error;
  if (keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')) return [];
  const path = shortPath(instancePath, document);
  const at = (key?: unknown) => [...path, ...(key === undefined ? [] : [String(key)])].join('.');
  if (keyword === 'required') return [`${at(params.missingProperty)} is missing`];
  if (keyword === 'additionalProperties') {
    const known = Object.keys(parentSchema?.properties ?? {});
    const key = at(params.additionalProperty);
    return [
      known.length === 0
        ? `${key} is not the name of a field`
        : `${key} is not one of ${known.join(', ')}`,
    ];
  }
  if (keyword === 'enum') return [`${at()} must be one of ${params.allowedValues.join(', ')}`];
  if (keyword === 'pattern') return [`${at()} is not a name that can be used here`];
  return [`${at() || 'The mapping'} ${error.message}`];
}

/** Leaves out the index that `writeOut` has added. */
function shortPath(instancePath: string, document: unknown): readonly string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [first, column = '', ...rest] = path;
  if (first !== 'columns' || !isObject(document) || !isObject(document.columns)) return path;
  const targets = document.columns[column];
  if (!Array.isArray(targets)) return [first, column, ...rest.slice(1)];
  return typeof targets[Number(rest[0])] === 'string' ? [first, column, ...rest.slice(0, 1)] : path;
}
