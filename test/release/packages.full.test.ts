// The files that `npm pack` puts into the service and the client, a build without its tools, and the licences of the
// packages that come with a release. Installing and running both: test/package and test/client/package.nightly.test.ts.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
const MEGABYTE = 2 ** 20;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const PACKAGES = [
  {
    ...{ folder: '.', most: 15 * MEGABYTE },
    files: [
      /^(?:LICENSE|NOTICE\.md|README\.md|package\.json)$/,
      /^dist\/cli\/[\w-]+\.js(?:\.map)?$/,
      /^dist\/app\/(?:index\.html|inter-licence\.txt)$/,
      /^dist\/app\/assets\/[\w.~-]+\.(?:js|css|woff2)(?:\.br|\.gz)?$/,
      /^dist\/docs\/[\w./-]+\.(?:(?:html|md|css|js|json|txt)(?:\.br|\.gz)?|png)$/,
      /^dist\/sbom\/(?:application|service)\.json$/,
      /^dist\/reference\/standalone\.js(?:\.br|\.gz)?$/,
      /^migrations\/(?:control|workspace)\/\d{3}-[a-z-]+\.sql$/,
      /^definitions\/[a-z.-]+\.(?:yaml|json|txt)$/,
      /^examples\/[\w./-]+\.(?:csv|jsonl|yaml)$|^examples\/crm-sales\/\.gitattributes$/,
      /^docs\/(?:design\/|guide\/)?[\w-]+\.(?:md|json)$/,
    ],
  },
  {
    ...{ folder: 'packages/client', most: MEGABYTE / 2 },
    files: [
      /^(?:LICENSE|README\.md|package\.json)$/,
      /^dist\/[a-z-]+\.(?:js|d\.ts)(?:\.map)?$/,
      /^src\/[a-z-]+\.ts$/,
    ],
  },
];

function npm(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * MEGABYTE },
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

function packed(folder: string): Packed {
  const place = folder === '.' ? [] : ['--workspace', folder];
  const [found] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts', ...place));
  return found;
}

test.each(PACKAGES)('the package of $folder has its kinds of files and no others', (one) => {
  const { size, files } = packed(one.folder);
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => !one.files.some((kind) => kind.test(path)))).toEqual([]);
  // A kind without files is one that was forgotten.
  for (const kind of one.files)
    expect(
      paths.some((path) => kind.test(path)),
      `${kind}`,
    ).toBe(true);
  expect(paths).toContain('LICENSE');
  expect(size).toBeLessThan(one.most);
});

test.each(PACKAGES)('the package of $folder tells nothing of where it was built', ({ folder }) => {
  for (const { path } of packed(folder).files) {
    const text = readFileSync(join(root, folder, path), 'latin1');
    expect(text.includes(root), path).toBe(false);
    expect(/-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(text), path).toBe(false);
    if (path.endsWith('.map')) expect(JSON.parse(text), path).not.toHaveProperty('sourcesContent');
  }
});

test('the licence is that of the repository in each package', () => {
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8');
  for (const name of ['client', 'python'])
    expect(readFileSync(join(root, 'packages', name, 'LICENSE'), 'utf8')).toBe(licence);
});

test('without its tools a build says what is missing, and an earlier build is enough to start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-tools-'));
  const build = (...args: readonly string[]) => {
    const script = join(folder, 'scripts', 'build.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    return [status, stderr];
  };
  try {
    cpSync(join(root, 'scripts', 'build.mjs'), join(folder, 'scripts', 'build.mjs'));
    const sentence = expect.stringMatching(/^Nothing is built: .* missing; run "npm ci" .*\.\n$/);
    expect(build('--if-possible')).toEqual([0, sentence]);
    expect(build('--if-needed')).toEqual([1, sentence]);
    mkdirSync(join(folder, 'dist', 'cli'), { recursive: true });
    writeFileSync(join(folder, 'dist', 'cli', 'index.js'), '');
    expect(build('--if-needed')).toEqual([0, '']);
    expect(build()).toEqual([1, sentence]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

interface Component {
  readonly name: string;
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
}

const PERMISSIVE: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'],
  ...['MIT-0', 'PostgreSQL', 'Unlicense'],
]);

/** The packages that are installed with the service, and those inside its two bundles. */
const BILLS = [
  ['what is installed', () => npm('sbom', '--omit=dev', '--sbom-format', 'cyclonedx'), 20],
  ...(['service', 'application'] as const).map(
    (name) =>
      [name, () => readFileSync(join(root, 'dist', 'sbom', `${name}.json`), 'utf8'), 20] as const,
  ),
] as const;

test.each(BILLS)('the packages of %s have permissive licences', (_, read, least) => {
  const components: readonly Component[] = JSON.parse(read()).components;
  const licences = components.map(({ name, licenses }) => [name, licenses?.[0]?.license.id]);
  expect(licences.length).toBeGreaterThan(least);
  expect(licences.filter(([, licence = '']) => !PERMISSIVE.has(licence))).toEqual([]);
});
