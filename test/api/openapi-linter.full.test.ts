// The linter of OpenAPI documents, on the document for everybody and on those of three people of a workspace.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ABOUT, ROUTES } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/documents/openapi.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import { openWorldWith } from '../world.ts';
import { DOCUMENT } from './openapi-definition.ts';

test('the linter reports no problem in the documents of a workspace and in the one for everybody', async () => {
  const world = await openWorldWith(DOCUMENT);
  const folder = mkdtempSync(join(tmpdir(), 'records-openapi-'));
  const names = ['ada', 'rob', 'bea'] as const;
  for (const name of names) {
    const { body } = await (await world.as(name, { scopes: SCOPES })).get(
      '/openapi.json?workspace=true',
    );
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(body));
  }
  await world.close();
  writeFileSync(join(folder, 'all.json'), JSON.stringify(buildOpenApi(ROUTES, ABOUT)));
  // A browser that signs in at an identity provider is sent elsewhere: 303 is its success.
  const rules = 'extends: [recommended]\nrules: { operation-2xx-response: off }\n';
  writeFileSync(join(folder, 'redocly.yaml'), rules);
  const linter = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'redocly');
  const files = [...names, 'all'].map((name) => `${name}.json`);
  const options = {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
  } as const;
  const { status, stdout, stderr } = spawnSync(linter, ['lint', ...files], options);
  rmSync(folder, { recursive: true, force: true });
  expect(stdout + stderr).not.toMatch(/You have \d/);
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('are valid')]);
});
