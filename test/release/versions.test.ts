// One version in every package, document and page (D630).

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ABOUT, ROUTES } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/documents/openapi.ts';
import { packageVersion } from '../../src/package-folder.ts';

const root = resolve(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const version = packageVersion();

test('the packages and the lock file have the version of the service', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+(?:-rc\.\d+)?$/);
  for (const folder of ['.', 'packages/client', 'packages/app']) {
    expect(JSON.parse(read(join(folder, 'package.json'))).version, folder).toBe(version);
  }
  const { packages } = JSON.parse(read('package-lock.json'));
  for (const name of ['', 'packages/client', 'packages/app']) {
    expect(packages[name].version, name).toBe(version);
  }
  expect(buildOpenApi(ROUTES, ABOUT).info).toMatchObject({ version });
  expect(read('packages/python/workspace_records.py')).toContain(`__version__ = "${version}"`);
});

test('the pages name the version, and the changelog has its section below an open one', () => {
  for (const page of ['docs/versions.md', 'ROADMAP.md'])
    expect(read(page)).toContain(` ${version},`);
  const examples = ['deploy/workspace-records.service', 'deploy/kubernetes.yaml'];
  for (const page of ['docs/operations.md', 'packages/client/README.md', ...examples]) {
    const named = [
      ...read(page).matchAll(/workspace-records(?:-client)?[-:](\d[^\s/]*?)(?:\.tgz|$)/gm),
    ];
    expect(new Set(named.map(([, one]) => one)), page).toEqual(new Set([version]));
  }
  const sections = read('CHANGELOG.md').match(/^## .*$/gm);
  expect(sections?.slice(0, 2)).toEqual([
    '## [Unreleased]',
    expect.stringMatching(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`),
  ]);
});
