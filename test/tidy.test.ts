// The structure that ARCHITECTURE.md and STYLE.md describe, enforced: which layers import which, how large files and
// functions may get, where the driver and the router may be named.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { GUARDS, withoutGuard } from '../scripts/guard-list.ts';
import { FIELD_TYPES } from '../src/model/values/field-types.ts';
import { type Tier, tierOf } from './tiers.ts';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'src');

const PROGRAMS = [
  'src',
  'packages/client/src',
  'packages/mcp/src',
  'packages/tables/src',
  'bench',
  'faults',
  'scripts',
];

const BELOW_FLOW = [
  'control',
  'postgres',
  'sql',
  'plan',
  'model',
  'errors',
  'messages',
  'limits',
  'package-folder',
] as const;
const FLOWS = [
  'records',
  'files',
  'people',
  'events',
  'jobs',
  'views',
  'webhooks',
  'mail',
  'oauth',
].map((name) => `flow/${name}`);

/** Layer → layers it may import; the files directly in src/ are a layer each, and so are the rooms of LARGE folders. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  errors: ['limits', 'messages'],
  messages: [],
  limits: [],
  'package-folder': [],
  config: [
    'errors',
    'messages',
    'limits',
    'oidc-settings',
    'bucket-settings',
    'mail-settings',
    'model',
  ],
  'bucket-settings': ['errors', 'messages'],
  'oidc-settings': ['errors', 'messages'],
  'mail-settings': ['errors', 'messages'],
  'packages/tables': [],
  model: ['packages/tables', 'errors', 'messages', 'limits'],
  plan: ['model', 'errors', 'messages', 'limits'],
  sql: ['plan', 'model', 'errors', 'messages', 'limits'],
  postgres: ['sql', 'model', 'errors', 'messages', 'limits'],
  embedded: ['postgres', 'errors', 'messages'],
  control: ['postgres', 'sql', 'plan', 'model', 'errors', 'messages', 'limits'],
  'definitions/document': BELOW_FLOW,
  'definitions/changes': [
    'definitions/document',
    'sql',
    'plan',
    'model',
    'errors',
    'messages',
    'limits',
  ],
  'definitions/apply': ['definitions/changes', 'definitions/document', ...BELOW_FLOW],
  files: ['bucket-settings', 'errors', 'messages'],
  workspaces: [
    'files',
    'definitions/apply',
    'definitions/changes',
    'definitions/document',
    ...BELOW_FLOW,
  ],
  'flow/records': BELOW_FLOW,
  'flow/files': ['packages/tables', 'files', 'flow/records', ...BELOW_FLOW],
  'flow/people': BELOW_FLOW,
  'flow/events': ['flow/records', ...BELOW_FLOW],
  'flow/jobs': ['files', 'flow/files', 'flow/records', ...BELOW_FLOW],
  'flow/views': ['flow/people', 'flow/records', ...BELOW_FLOW],
  'flow/webhooks': ['webhooks', 'flow/events', 'flow/jobs', 'flow/records', ...BELOW_FLOW],
  webhooks: ['control', 'model', 'errors', 'messages', 'limits'],
  'flow/oauth': ['webhooks', 'flow/people', ...BELOW_FLOW],
  'flow/mail': ['mail', 'flow/people', ...BELOW_FLOW],
  mail: ['model', 'errors', 'messages', 'limits'],
  http: ['packages/mcp', 'model', 'errors', 'messages', 'limits', 'config', 'package-folder'],
  api: [
    'packages/tables',
    ...FLOWS,
    'files',
    'webhooks',
    'mail',
    'http',
    'definitions/apply',
    'definitions/document',
    'workspaces',
    'control',
    'postgres',
    'plan',
    'model',
    'errors',
    'messages',
    'limits',
    'config',
    'package-folder',
  ],
  import: [
    'packages/tables',
    'flow/records',
    'definitions/apply',
    'definitions/document',
    'workspaces',
    ...BELOW_FLOW,
  ],
  export: ['packages/tables', 'import', 'workspaces', 'flow/files', 'files', ...BELOW_FLOW],
  cli: [
    'packages/tables',
    'export',
    'import',
    'api',
    'http',
    ...FLOWS,
    'files',
    'webhooks',
    'mail',
    'mail-settings',
    'workspaces',
    'definitions/apply',
    'definitions/document',
    'control',
    'embedded',
    'postgres',
    'plan',
    'model',
    'errors',
    'messages',
    'limits',
    'config',
    'package-folder',
  ],
};

interface SourceFile {
  readonly path: string;
  readonly layer: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function listFiles(folder: string, ending = /\.(?:ts|mjs)$/): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Folders of which each folder is a layer. */
const LARGE = ['definitions', 'flow'];

/** Bundled with the service: it is given what it calls, and imports nothing of it. */
const MCP = join(root, 'packages', 'mcp', 'src');

/** Shared by the service and the application; it imports nothing of either. */
const TABLES = join(root, 'packages', 'tables', 'src');

function layerOf(path: string): string {
  if (path.startsWith(MCP)) return 'packages/mcp';
  if (path.startsWith(TABLES)) return 'packages/tables';
  const [first = '', second = ''] = relative(source, path).split('/');
  return LARGE.includes(first) ? `${first}/${second}` : first.replace(/\.ts$/, '');
}

const files: readonly SourceFile[] = [
  ...listFiles(source),
  ...listFiles(join(root, 'packages', 'tables', 'src')),
].map((path) => {
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(/^(?:import|export)[^;]*?from '([^']+)';/gms)];
  return { path, layer: layerOf(path), text, imports: imports.map((match) => match[1] as string) };
});

test('there are files to look at', () => {
  expect(files.length).toBeGreaterThan(40);
});

test.each(files.map((file) => [relative(root, file.path), file] as const))(
  '%s imports only what its layer may',
  (_, file) => {
    const allowed = ALLOWED[file.layer];
    expect(allowed, `layer ${file.layer}`).toBeDefined();
    for (const name of file.imports.filter((item) => item.startsWith('.'))) {
      const layer = layerOf(resolve(dirname(file.path), name));
      expect([file.layer, ...(allowed ?? [])], name).toContain(layer);
    }
  },
);

test('the MCP server knows the words of options, and of the service only the types of its OpenAPI document', () => {
  const sources = listFiles(MCP);
  expect(sources.length).toBeGreaterThan(10);
  const types = join(root, 'packages', 'client', 'src', 'schema.ts');
  const words = join(root, 'packages', 'tables', 'src', 'option-words.ts');
  for (const path of sources) {
    const text = readFileSync(path, 'utf8');
    const beyond = importedBy(path).filter((name) => !name.startsWith(MCP) && name !== words);
    expect(
      beyond.filter((name) => name !== types),
      path,
    ).toEqual([]);
    if (beyond.length > 0) expect(text).toMatch(/^import type \{ Endpoints \} from/m);
  }
});

test.each(PROGRAMS)('no file of %s imports itself by way of others', (folder) => {
  const graph = new Map(listFiles(join(root, folder)).map((path) => [path, importedBy(path)]));
  expect(graph.size).toBeGreaterThan(0);
  expect(cycleIn(graph)?.map((path) => relative(root, path))).toBeUndefined();
});

function importedBy(path: string): readonly string[] {
  const names = [
    ...readFileSync(path, 'utf8').matchAll(/^(?:import|export)[^;]*?from '(\.[^']+)';/gms),
  ];
  return names.map((match) => resolve(dirname(path), match[1] as string));
}

/** The files of one cycle, or undefined when there is none. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const cycle = visit(next, [...way, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

interface FunctionSize {
  /** Such as `src/limits.ts:12`. */
  readonly place: string;
  readonly lines: number;
  readonly parameters: number;
}

const functions = PROGRAMS.flatMap((folder) => listFiles(join(root, folder))).flatMap(sizesIn);

function sizesIn(path: string): readonly FunctionSize[] {
  const text = readFileSync(path, 'utf8');
  const { program, errors } = parseSync(path, text);
  expect(errors, path).toEqual([]);
  const found: FunctionSize[] = [];
  const note = ({ start, end, params, body }: FunctionNode) => {
    // Overloads and declarations have no body.
    if (!body) return;
    found.push({
      place: `${relative(root, path)}:${text.slice(0, start).split('\n').length}`,
      lines: text.slice(start, end).split('\n').length,
      parameters: params.length,
    });
  };
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(program);
  return found;
}

/** The common properties of all kinds of functions in the tree of the parser. */
interface FunctionNode {
  readonly start: number;
  readonly end: number;
  readonly params: readonly unknown[];
  readonly body: { readonly type: string } | null;
}

test('no function is longer than 60 lines or takes more than four parameters', () => {
  expect(functions.length).toBeGreaterThan(2000);
  const isOver = ({ lines, parameters }: FunctionSize) => lines > 60 || parameters > 4;
  expect(functions.filter(isOver)).toEqual([]);
});

test('of the functions 95 % have at most 25 lines', () => {
  const long = functions.filter(({ lines }) => lines > 25).sort((a, b) => a.lines - b.lines);
  const shortest = long.slice(0, 20).map(({ place, lines }) => `${place} ${lines}`);
  expect(long.length / functions.length, shortest.join('\n')).toBeLessThanOrEqual(0.05);
});

test('the driver is named in postgres only, the router in http only', () => {
  for (const { path, layer, imports } of files) {
    for (const name of imports) {
      if (name === 'pg' || name.startsWith('pg-')) expect(layer, path).toBe('postgres');
      if (name === 'find-my-way')
        expect(path, name).toBe(join(source, 'http', 'route', 'router.ts'));
    }
  }
});

test('handlers and commands open no transaction, and one function writes the administrative audit', () => {
  const opens = files.filter(({ text }) => text.includes('.transaction('));
  const audits = files.filter(({ text }) => text.includes('appendAdministrativeAudit('));
  const named = (found: readonly SourceFile[]) =>
    found.map(({ path }) => relative(source, path)).sort();
  expect(named(opens.filter(({ layer }) => layer === 'api' || layer === 'cli'))).toEqual([]);
  expect(named(audits)).toEqual([
    'control/workspace/administer.ts',
    'control/workspace/administrative-audit.ts',
    'definitions/apply/commit-changes.ts',
  ]);
});

test('the pure middle never waits', () => {
  for (const { path, layer, text } of files) {
    if (['model', 'plan', 'sql', 'definitions/changes'].includes(layer))
      expect(text, path).not.toMatch(/\bawait\b/);
  }
});

test('each finding is in the index', () => {
  const index = readFileSync(join(root, 'findings', 'README.md'), 'utf8');
  const names = readdirSync(join(root, 'findings'), { recursive: true }).map(String);
  const scripts = names.filter((name) => name.endsWith('.sh'));
  expect(scripts.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test('files are small, have unique names, and begin with their purpose', () => {
  const names = new Set<string>();
  for (const { path, text } of files) {
    expect(text.split('\n').length, path).toBeLessThanOrEqual(401);
    expect(text.replace(/^#!.*\n/, ''), path).toMatch(/^\/\/ \S/);
    const name = basename(path);
    expect(names.has(name), `two files are named ${name}`).toBe(
      name === 'index.ts' && names.has(name),
    );
    names.add(name);
    expect(name).not.toMatch(/util|helper|common|manager|service|base/);
  }
});

/** Files of the application that name field types, and why. */
const NAMES_TYPES: Readonly<Record<string, string>> = {
  'lib/where.ts': 'types of values in JSON',
  'lib/schema-queries.ts': 'makes a field for the type of work items',
  'features/imports/subjects.ts': 'makes the fields of comments and links',
  'features/home/start-templates.ts': 'writes a definition',
  'features/imports/object-of-table.ts': 'writes a definition',
  'features/model/new-object-dialog.tsx': 'writes a definition',
  'features/model/new-connection.ts': 'writes a definition',
};

test('only modules of fields know field types by name', () => {
  const app = join(root, 'packages', 'app', 'src');
  const type = `'(?:${FIELD_TYPES.join('|')})'`;
  const judges = new RegExp(
    [
      `(?<!element\\.)\\btype\\)?\\s*[!=]==\\s*${type}`,
      `\\btype: ${type}`,
      `'(?:long_text|multi_select|datetime)'`,
      `${type}(?:,| \\|)\\s+${type}`,
      `\\n\\s+(?:${FIELD_TYPES.join('|')}): [^\\n]+\\n\\s+(?:${FIELD_TYPES.join('|')}): `,
    ].join('|'),
  );
  const named = listFiles(app, /\.tsx?$/)
    .filter((path) => judges.test(readFileSync(path, 'utf8')))
    .map((path) => relative(app, path))
    .filter((path) => !path.startsWith('fields/') && !path.startsWith('lib/messages/'));
  expect(named.sort()).toEqual(Object.keys(NAMES_TYPES).sort());
});

test('no folder has more than 25 files', () => {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = relative(root, dirname(path));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
});

test('no SQL text is put together outside sql/', () => {
  const concatenated = /`[^`]*\b(?:select|insert into|update|delete from)\b[^`]*\$\{/i;
  for (const { path, layer, text } of files) {
    if (layer === 'sql' || path.endsWith('-sql.ts')) continue;
    for (const line of text.split('\n')) {
      if (/\bsql`/.test(line)) continue;
      expect(line, path).not.toMatch(concatenated);
    }
  }
});

test('the project speaks of itself only', () => {
  const tracked = [...listFiles(join(root, 'test')), ...files.map((file) => file.path)];
  for (const path of tracked) {
    if (path === import.meta.filename) continue;
    expect(readFileSync(path, 'utf8'), path).not.toMatch(/\.\.\/shared|\/work\//);
  }
});

test('every decision is in one place, and every number that is mentioned is a decision', () => {
  const pages = readdirSync(join(root, 'docs', 'design')).map((name) => join('design', name));
  const texts = ['decisions.md', ...pages].map((name) =>
    readFileSync(join(root, 'docs', name), 'utf8'),
  );
  const defined = texts.flatMap((text) =>
    [...text.matchAll(/^\*\*D(\d+)\. /gm)].map((match) => Number(match[1])),
  );
  expect(defined.length).toBeGreaterThan(100);
  expect(defined.filter((number, index) => defined.indexOf(number) !== index)).toEqual([]);
  const slugs = texts.flatMap((text) =>
    [...text.matchAll(/^<a id="([^"]+)"><\/a>\n\*\*D\d+\. /gm)].map((match) => match[1]),
  );
  expect(slugs.length, 'npm run generate writes the slugs').toBe(defined.length);
  expect(slugs.filter((slug, index) => slugs.indexOf(slug) !== index)).toEqual([]);
  const folders = [
    'src',
    'test',
    'bench',
    'faults',
    'scripts',
    'packages/client/src',
    'packages/mcp/src',
    'packages/tables/src',
  ];
  const sources = folders.flatMap((name) => listFiles(join(root, name)));
  for (const path of [...sources, ...documents]) {
    for (const [, number] of readFileSync(path, 'utf8').matchAll(/(?<![\w+\\])D(\d{1,3})\b/g)) {
      expect(defined, `${relative(root, path)} mentions D${number}`).toContain(Number(number));
    }
  }
});

test('every link of the documents leads to a file, and to a place that it has', () => {
  expect(documents.length).toBeGreaterThan(50);
  for (const path of documents) {
    const text = withoutCode(readFileSync(path, 'utf8'));
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [file = '', place] = target.split('#');
      if (/^[a-z]+:/.test(file)) continue;
      const led = file === '' ? path : resolve(dirname(path), file);
      const label = `${relative(root, path)}: ${target}`;
      expect(existsSync(led), label).toBe(true);
      if (place !== undefined && led.endsWith('.md')) expect(placesOf(led), label).toContain(place);
    }
  }
});

const documents = [
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, name)),
  ...[
    'docs',
    'packages/app',
    'packages/client',
    'packages/mcp',
    'packages/tables',
    'examples',
    'bench',
    'faults',
  ].flatMap((name) => listFiles(join(root, name), /\.md$/)),
];

test('every file that a document names is there', () => {
  const folders = ['src', 'packages', 'test', 'bench', 'faults', 'scripts', 'migrations'];
  const inFolders = folders.flatMap((name) => listFiles(join(root, name), /\.(?:tsx?|mjs|sql)$/));
  const known = inFolders.filter((path) => !path.includes('node_modules'));
  const isKnown = (name: string) =>
    existsSync(join(root, name)) || known.some((path) => path.endsWith(`/${name}`));
  for (const path of documents) {
    const named = readFileSync(path, 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g);
    const missing = [...named].map(([, name = '']) => name).filter((name) => !isKnown(name));
    expect(missing, relative(root, path)).toEqual([]);
  }
});

test('the titles of tests that the page about security cites are in their files', () => {
  const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  const citations = [...page.matchAll(/(?:`([^`\s]+\.test\.ts)`|the same): ([^;`|]+)/g)];
  expect(citations.length).toBeGreaterThan(100);
  let strings = '';
  const missing = citations.flatMap(([, path, titles = '']) => {
    const text = path && readFileSync(join(root, path), 'utf8');
    if (text) strings = (text.match(/(['"`]).*\1/g) ?? []).join('\n');
    // An ellipsis stands for omitted words. Commas separate titles, and the parts of one.
    const parts = titles.split(/, |…/).map((part) => part.trim());
    return parts.filter((part) => !strings.includes(part));
  });
  expect(missing).toEqual([]);
});

/** When and with which commit something was measured: "2026-11-26 (185865a3)". */
const MEASURED = /\b20\d\d-\d\d-\d\d(?:, revision \S+)? \(([0-9a-f]{7,10})\)/;

test('each release of the changelog has at most 40 bullets, each subject once under a heading', () => {
  const text = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const releases = text.split(/^## /m).slice(1);
  expect(releases.length).toBeGreaterThan(1);
  for (const release of releases) {
    expect(release.match(/^- /gm)?.length ?? 0, release.slice(0, 20)).toBeLessThanOrEqual(40);
    for (const part of release.split(/^### /m)) {
      const subjects = [...part.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, subject]) => subject);
      expect(subjects).toEqual([...new Set(subjects)]);
    }
  }
});

test('a table of figures names the date and a commit that there is', () => {
  const commits = ['performance.md', 'reliability.md'].flatMap((name) => {
    const sections = readFileSync(join(root, 'docs', name), 'utf8').split(/^(?=##)/m);
    return sections.flatMap((section) => {
      const rows = section.split('\n').filter((line) => line.startsWith('| '));
      if (rows.length === 0) return [];
      // Rows of separate runs name theirs, all others that of their section.
      const dated = /\| Run \|/.test(rows[0] ?? '') ? rows.slice(2) : [section];
      expect(dated.filter((text) => !MEASURED.test(text)).map((text) => text.slice(0, 60))).toEqual(
        [],
      );
      return [...section.matchAll(new RegExp(MEASURED, 'g'))].map(([, commit = '']) => commit);
    });
  });
  expect(commits.length).toBeGreaterThan(20);
  const git = (args: readonly string[], input = '') =>
    spawnSync('git', args, { ...{ cwd: root, encoding: 'utf8' }, input }).stdout;
  // A copy without the history cannot know.
  if (git(['rev-parse', '--is-shallow-repository']).trim() !== 'false') return;
  const found = git(['cat-file', '--batch-check'], commits.join('\n')).trim().split('\n');
  expect(found.filter((line) => !line.includes(' commit '))).toEqual([]);
});

test('the figures of a release are not older than the release before', () => {
  const { version: present } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const releases = [...changelog.matchAll(/^## \[([^\]]+)\] - (\S+)$/gm)];
  const current = releases.findIndex(([, version]) => version === present);
  const before = releases[current + 1]?.[2] ?? '';
  expect([current, before]).toEqual([expect.any(Number), expect.stringMatching(/^20\d\d-/)]);
  const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
  // The rest of the second page is measured by hand, and each of its sections says when.
  const [results = ''] = read('performance.md').split('<!-- End of results. -->');
  for (const written of [read('reliability.md'), results]) {
    const runs = [...written.matchAll(new RegExp(MEASURED, 'g'))].map(([run]) => run);
    expect(runs).not.toEqual([]);
    expect(runs.filter((run) => run < before)).toEqual([]);
  }
});

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '`');
}

/** The possible parts of an address after `#`: headings, as GitHub names them, and anchors. */
function placesOf(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? '')];
}

/** Words of STYLE.md, "English", that a reader has to decode; documents, sources and tests do not have them. */
const RIDDLES: readonly RegExp[] = [
  /\banew\b/i,
  /\bwho(?:so)?ever\b/i,
  /\bstands? against\b/i,
  /\b(?:hold|holds|held|holding) up\b/i,
  /\b(?:go|goes|going|went) on\b/i,
  /\bbeside (?:those who|writers)\b/i,
  /\bby now\b/i,
  /\bany more\b/i,
  /\btak(?:e|es|en|ing) back\b/i,
];

/** Where comments and test titles follow STYLE.md as well. */
const CHECKED = [
  ...['test', 'bench', 'faults', 'scripts'],
  ...['packages/app/src', 'packages/app/test', 'packages/client/src', 'packages/mcp/src'],
  'packages/tables/src',
];

test('documents, comments and messages are in plain English', () => {
  for (const path of documents) {
    if (path === join(root, 'STYLE.md')) continue;
    const text = withoutCode(readFileSync(path, 'utf8'));
    expect(linesWith(RIDDLES, text), relative(root, path)).toEqual([]);
  }
  for (const path of checkedFiles()) {
    // Names are read as the words that they are made of.
    const text = readFileSync(path, 'utf8').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
    expect(linesWith(RIDDLES, text), relative(root, path)).toEqual([]);
  }
});

/** First words of a comment that make a clause its subject: "What the key may do." */
const OPENING = /^(?:what|who(?:m|ever)?|nobody|nothing)\b/i;

/** A test that is named by a clause: "what is refused". */
const TITLE = /\b(?:test|describe)(?:\.\w+)*\((?:\[.*\]\)\()?['"`](?:what|who(?:m|ever)?)\b/i;

test('a comment or a test title begins with a noun or a verb', () => {
  for (const path of checkedFiles()) {
    const text = readFileSync(path, 'utf8');
    const openings = commentsIn(path, text).filter((comment) => OPENING.test(comment));
    expect([...openings, ...linesWith([TITLE], text)], relative(root, path)).toEqual([]);
  }
});

/** The comments of a file without their marks; of a comment of several `//` lines only the first. */
function commentsIn(path: string, text: string): readonly string[] {
  const { comments } = parseSync(path, text);
  const isBegun = (index: number) => {
    const [before, own] = [comments[index - 1], comments[index]];
    return !(before && own?.type === 'Line' && /^\n *$/.test(text.slice(before.end, own.start)));
  };
  return comments
    .filter((_, index) => isBegun(index))
    .map(({ value }) => value.replace(/^[*\s]+/, ''));
}

/** First words of a doc comment that leaves its noun out: "Of work items that of their type." */
const NOUNLESS = /^(?:Of|The same|Those|As|Such|Others?)\b/;

/** A doc comment of a preposition and its object alone: "By the key of the field." */
const PREPOSITIONAL = /^(?:By|In|To|For|From|With|Without|On|At the)\b[^,:;.]*\.?$/;

/** Names that say how a value came about, not what it is. */
const VAGUE = /^(?:found|known|shown|asked|told|kept|made|named|given|own|one|others|place)$/;

/** Lines in which a vague name is still near to its declaration. */
const NEAR = 5;

test('doc comments have a noun, and local constants that live long say what they hold', () => {
  const sources = [
    'src',
    ...['app', 'client', 'mcp', 'tables'].map((name) => `packages/${name}/src`),
  ]
    .flatMap((folder) => listFiles(join(root, folder), /\.tsx?$/))
    .filter((path) => basename(path) !== 'schema.ts')
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
  const documented = sources.flatMap(({ path, text }) =>
    docCommentsIn(path, text).map((comment) => ({ path, comment })),
  );
  const matching = (opening: RegExp) =>
    documented.filter(({ comment }) => opening.test(comment)).map((item) => JSON.stringify(item));
  // Numbers that are left: they can only go down.
  expectAtMost(matching(NOUNLESS), 28);
  expectAtMost(matching(PREPOSITIONAL), 8);
  expectAtMost(sources.flatMap(vagueNamesIn), 52);
});

/** The text of the doc comments of a file, without their marks. */
function docCommentsIn(path: string, text: string): readonly string[] {
  return parseSync(path, text)
    .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value }) => value.replaceAll(/^[*\s]+|\s+$/g, '').replaceAll(/\s*\n\s*\*\s*/g, ' '));
}

function expectAtMost(items: readonly string[], most: number): void {
  expect(items.length, items.join('\n')).toBeLessThanOrEqual(most);
}

interface NamedSpot {
  readonly name: string;
  readonly start: number;
}

/** The places of local constants with a vague name that are used more than `NEAR` lines long. */
function vagueNamesIn({ path, text }: { readonly path: string; readonly text: string }) {
  const blocks: { readonly start: number; readonly end: number }[] = [];
  const declared: NamedSpot[] = [];
  const used: NamedSpot[] = [];
  const keys = new Set<number>();
  new Visitor({
    BlockStatement: (block) => void blocks.push(block),
    VariableDeclarator: ({ id }) => void declared.push(...bindingsIn(id)),
    Identifier: (identifier) => void used.push(identifier),
    MemberExpression: ({ property, computed }) => void (computed || keys.add(property.start)),
    Property: ({ key, shorthand }) => void (shorthand || keys.add(key.start)),
  }).visit(parseSync(path, text).program);
  const lineAt = (position: number) => text.slice(0, position).split('\n').length;
  return declared.flatMap(({ name, start }) => {
    // The innermost block begins last.
    const block = blocks.filter((one) => one.start < start && start < one.end).at(-1);
    if (block === undefined || !VAGUE.test(name)) return [];
    const uses = used.filter((one) => one.name === name && !keys.has(one.start));
    const inBlock = uses.map((one) => one.start).filter((at) => at > start && at < block.end);
    const lines = lineAt(Math.max(start, ...inBlock)) - lineAt(start) + 1;
    return lines > NEAR ? [`${path}:${lineAt(start)} ${name} ${lines}`] : [];
  });
}

/** The names that a pattern of a declaration binds. */
function bindingsIn(pattern: unknown): readonly NamedSpot[] {
  const { type, name, start, ...parts } = Object(pattern);
  if (type === 'Identifier') return [{ name, start }];
  const { properties = [], elements = [], argument, left, value } = parts;
  return [...properties, ...elements, argument, left, value].filter(Boolean).flatMap(bindingsIn);
}

/** All source and test files but this one, which quotes the refused words. */
function checkedFiles(): readonly string[] {
  const others = CHECKED.flatMap((name) => listFiles(join(root, name), /\.(?:tsx?|mjs)$/));
  const paths = [...files.map((file) => file.path), ...others];
  return paths.filter((path) => path !== import.meta.filename);
}

function linesWith(riddles: readonly RegExp[], text: string): readonly string[] {
  return text.split('\n').filter((line) => riddles.some((riddle) => riddle.test(line)));
}

test('the tiers have every file of tests, each of them once, and as its name says', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tiers: readonly [Tier, readonly string[]][] = [
    ['test', projectsOf(scripts.test)],
    ['full', projectsOf(scripts['test:full'])],
    ['nightly', ['nightly']],
  ];
  const run = listTests().map(({ file, projectName }) => {
    expect(tiers.find(([, projects]) => projects.includes(projectName))?.[0], file).toBe(
      tierOf(relative(root, file)),
    );
    return file;
  });
  const every = ['test', 'packages'].flatMap((name) => listFiles(join(root, name), /\.test\.ts$/));
  const own = every.filter((path) => !path.includes('node_modules'));
  expect(own.length).toBeGreaterThan(300);
  expect(run.sort()).toEqual(own.sort());
});

test('each guard is in its file once, and its tests are there', () => {
  for (const guard of GUARDS) {
    const text = readFileSync(join(root, guard.file), 'utf8');
    expect(withoutGuard(guard, text), guard.name).not.toBe(text);
    expect(guard.tests.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  }
});

const projectsOf = (script: string) =>
  [...script.matchAll(/--project (\w+)/g)].map(([, name = '']) => name);

/** All files of tests with their projects, as in continuous integration, which has a browser. */
function listTests(): readonly { readonly file: string; readonly projectName: string }[] {
  const command = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { stdout } = spawnSync(process.execPath, [command, 'list', '--filesOnly', '--json'], {
    ...{ cwd: root, encoding: 'utf8' },
    env: { ...process.env, CI: 'true' },
  });
  return JSON.parse(stdout);
}
