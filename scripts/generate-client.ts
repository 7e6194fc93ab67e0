// The types of the client, made from the same document as docs/openapi.json and so from the routes: one type for each
// named schema; for each route its request and its answer, and how it is called.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROUTES } from '../src/api/index.ts';
import { ERROR_CATALOGUE } from '../src/errors.ts';
import { LIMITS } from '../src/limits.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

/** The OpenAPI document of the service. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const ROOT = join(import.meta.dirname, '..');
const HEADER = `// Made from the routes of the service by scripts/generate.ts; changes here are lost. One type for each
// named schema; for each route what it takes and answers, and how it is called.
`;
/** Of query strings only: the client has filters of its own, written as objects. */
const LEFT_OUT: ReadonlySet<string> = new Set(['FilterOperators']);

/** In requests, lists may be read-only and omitted properties may be undefined. */
type Side = 'sent' | 'answered';

/** The text of packages/client/src/schema.ts. */
export function clientSchema({ paths, components }: Contract): string {
  const named = Object.entries(components.schemas)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, schema]) => {
      return `${aboutOf(schema)}export type ${name} = ${typeOf(schema, 'answered')};`;
    });
  const types = [...new Set(Object.values(ERROR_CATALOGUE).map(({ type }) => type))];
  const routes = ROUTES.map((route) => {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${route.operationId} is not in the document`);
    return { route, operation };
  });
  const endpoints = routes.map(({ route, operation }) => {
    const description = `${route.summary}: ${route.method} ${route.path}`;
    return aboutOf({ description }) + endpointOf(route, operation);
  });
  const calls = routes.map(({ route: { operationId, method, path, idempotent = false } }) => {
    return `${operationId}: '${method} ${path}${idempotent ? ' idempotent' : ''}',`;
  });
  return formatted(`${HEADER}
    ${named.join('\n\n')}

    /** Every code that the service answers. */
    export type ErrorCode = ${union(Object.keys(ERROR_CATALOGUE))};

    export type ErrorType = ${union(types)};

    export interface Endpoints {
      ${endpoints.join('\n')}
    }

    /** Method and path of each route; \`idempotent\`: an Idempotency-Key makes a repetition safe. */
    export const ENDPOINTS: Readonly<Record<keyof Endpoints, string>> = {
      ${calls.join('\n')}
    };

    /** Operations that a batch may have. */
    export const BATCH_OPERATIONS = ${LIMITS.batchOperations};
  `);
}

function endpointOf({ operationId }: { readonly operationId: string }, operation: Operation) {
  const answers = Object.entries(operation.responses).filter(([status]) => /^2|^303$/.test(status));
  const results = answers.map(([, { content }]) => {
    return typeOf(Object.values(content)[0]?.schema ?? {}, 'answered');
  });
  return `${operationId}: {
    params: ${parametersIn('path', operation)};
    query: ${parametersIn('query', operation)};
    body: ${bodyOf(operation)};
    result: ${results.join(' | ')};
  };`;
}

function bodyOf({ requestBody }: Operation): string {
  const [given] = Object.entries(requestBody?.content ?? {});
  if (given === undefined) return 'undefined';
  const [mediaType, { schema }] = given;
  if (mediaType !== 'application/json') return 'string | Blob';
  const isEmpty = Object.keys(schema.properties ?? { any: schema }).length === 0;
  return isEmpty ? 'undefined' : typeOf(schema, 'sent');
}

/** Filters are written by hand: a name for each field, which no schema has. */
function parametersIn(place: string, { parameters }: Operation): string {
  const members = parameters.flatMap((parameter) => {
    if ('$ref' in parameter || parameter.in !== place) return [];
    const { name, required, description, schema } = parameter;
    const isTold = description !== undefined && place === 'query';
    const about = isTold ? aboutOf({ description }) : '';
    return [about + memberOf(name, { schema, required, side: 'sent' })];
  });
  return members.length === 0 ? 'undefined' : braced(members);
}

function typeOf(schema: Schema, side: Side): string {
  const { $ref, enum: values, anyOf, oneOf, items } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if ('const' in schema) return literal(schema.const);
  if (values !== undefined) return union(values);
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) return branches.map((one) => typeOf(one, side)).join(' | ');
  if (items !== undefined) {
    return `${side === 'sent' ? 'readonly ' : ''}(${typeOf(items, side)})[]`;
  }
  return schema.type === 'object' ? objectOf(schema, side) : scalarOf(schema.type);
}

function objectOf({ properties, required = [], additionalProperties }: Schema, side: Side): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : {};
    return `{ [key: string]: ${typeOf(values, side)} }`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return aboutOf(schema) + memberOf(name, { schema, required: isRequired, side });
  });
  return braced(members);
}

/** Characters of an object without comments that is printed in one line. */
const SHORT = 88;

/** The formatter keeps the line: it breaks only objects that begin with a line break. */
function braced(members: readonly string[]): string {
  const line = `{ ${members.join(' ')} }`;
  return line.length <= SHORT && !line.includes('\n') ? line : `{\n${members.join('\n')} }`;
}

function memberOf(
  name: string,
  { schema, required, side }: { readonly schema: Schema; required: boolean; side: Side },
): string {
  const type = typeOf(schema, side);
  if (required) return `${name}: ${type};`;
  return `${name}?: ${type}${side === 'sent' ? ' | undefined' : ''};`;
}

function scalarOf(type: string | undefined): string {
  if (type === undefined) return 'unknown';
  if (type === 'integer') return 'number';
  if (['string', 'number', 'boolean', 'null'].includes(type)) return type;
  throw new Error(`the client has no type for "${type}"`);
}

function union(values: readonly unknown[]): string {
  return values.map(literal).join(' | ');
}

function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** The description of the schema, as a comment; a reference has none: its target has one. */
function aboutOf({ description }: Schema): string {
  if (description === undefined) return '';
  const text = description.replaceAll('*/', '* /').replaceAll('\n', ' ');
  const lines = text.match(/.{1,80}(?:\s|$)|\S+/g) ?? [];
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line.trim()}\n`).join('')} */\n`;
}

/** As the formatter of the project would leave it. */
/** The text of a module of the client, formatted. */
export function formatted(text: string): string {
  const command = join(ROOT, 'node_modules', '.bin', 'biome');
  const args = ['format', '--stdin-file-path=packages/client/src/schema.ts'];
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`biome cannot format a module of the client: ${stderr}`);
  return stdout;
}
