// Generates files from the code; with --check it writes no file and exits 1 when one is not current.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ABOUT, ROUTES } from '../src/api/index.ts';
import { ERROR_CATALOGUE } from '../src/errors.ts';
import { buildOpenApi } from '../src/http/documents/openapi.ts';
import { MappingSchema } from '../src/import/mapping/mapping.ts';
import { DefinitionSchema } from '../src/model/definition/definition.ts';
import { decisionPages } from './decisions-page.ts';
import { fieldTypesPage } from './field-types-page.ts';
import { type Contract, clientSchema } from './generate-client.ts';
import { clientFacts } from './generate-facts.ts';
import { clientMessages } from './generate-messages.ts';
import { pythonClient } from './generate-python.ts';
import { noticePage } from './notice.ts';
import { openApiDigest } from './openapi-text.ts';

type Json = Readonly<Record<string, unknown>>;

const root = resolve(import.meta.dirname, '..');

const PYTHON = 'packages/python/workspace_records.py';
const ERRORS_PAGE = 'docs/guide/errors.md';

/** Path → content: text, or a value that is written as JSON. */
const FILES: readonly (readonly [string, () => unknown])[] = [
  ['definitions/definition.schema.json', definitionPatchSchema],
  ['definitions/mapping.schema.json', mappingSchema],
  ['docs/openapi.sha256', openApiDigest],
  [ERRORS_PAGE, errorsPage],
  ['docs/guide/field-types.md', fieldTypesPage],
  ['NOTICE.md', noticePage],
  ['packages/client/src/facts.ts', clientFacts],
  ['packages/client/src/messages.ts', clientMessages],
  ['packages/client/src/schema.ts', clientTypes],
  [PYTHON, () => pythonClient(join(root, PYTHON))],
  ...decisionPages(root),
];

/**
 * The schema of a workspace's own document, for editors. The document is a merge patch: no property is required, and
 * null removes one. Lists are replaced as a whole, so the schema does not change inside them.
 */
function definitionPatchSchema(): Json {
  const schema = JSON.parse(JSON.stringify(DefinitionSchema));
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...patchOf(schema) };
}

function mappingSchema(): Json {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...MappingSchema };
  return JSON.parse(JSON.stringify(schema, withoutNames));
}

/** Names of components of the OpenAPI document, which are not addresses. */
function withoutNames(key: string, value: unknown): unknown {
  return key === '$id' && !String(value).startsWith('https:') ? undefined : value;
}

function clientTypes(): string {
  const document = JSON.parse(JSON.stringify(buildOpenApi(ROUTES, ABOUT)));
  return clientSchema(document as Contract);
}

/** The page as it is, with the table of codes between its marks. */
function errorsPage(): string {
  const page = readFileSync(join(root, ERRORS_PAGE), 'utf8');
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, type, message }]) => `| ${status} | \`${code}\` | \`${type}\` | ${message} |`,
  );
  const table = ['| Status | `code` | `type` | Message |', '| --- | --- | --- | --- |', ...rows];
  const [start, end] = ['<!-- codes: made by scripts/generate.ts -->', '<!-- end of codes -->'];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${ERRORS_PAGE} has lost its marks`);
  return `${before}${start}\n\n${table.join('\n')}\n\n${end}${after}`;
}

function patchOf(schema: Json): Json {
  const { required: _, ...rest } = schema;
  const entries = Object.entries(rest).map(([word, value]) => {
    if (word !== 'properties' && word !== 'patternProperties') return [word, value];
    const members = Object.entries(value as Json).map(([key, member]) => [
      key,
      removable(patchOf(member as Json)),
    ]);
    return [word, Object.fromEntries(members)];
  });
  return Object.fromEntries(entries);
}

function removable(schema: Json): Json {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  return schema;
}

function isCurrent(path: string, text: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8') === text;
}

const isCheck = process.argv.includes('--check');
for (const [name, content] of FILES) {
  const path = join(root, name);
  const made = content();
  const text = typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;
  if (isCurrent(path, text)) continue;
  if (isCheck) {
    process.stderr.write(`${name} is not current: run npx tsx scripts/generate.ts\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    process.stdout.write(`wrote ${relative(root, path)}\n`);
  }
}
