// Connecting an agent: a key that reads and passes no gates, the configuration to copy, and the agent at work.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardKey } from '../../../../test/access/canary.ts';
import { call } from '../../../../test/http-client.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;

beforeAll(async () => {
  app = await openBrowserWorld();
});
afterAll(() => app?.close());

const message = (method: string, params: object = {}) => {
  return { jsonrpc: '2.0', id: 1, method, params };
};

test('a person connects an agent that reads', async () => {
  const page = await app.as('rob');
  await page.goto(`${app.address}/settings/keys`);
  await page.getByRole('button', { name: 'Connect an agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Week planner');
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
  guardKey(secret, '@acme.example');
  const { json } = await call(app.world.port, '/v1/keys', {
    key: (await app.world.as('ada')).secret,
  });
  const made = json.data.find(({ name }: { readonly name: string }) => name === 'Week planner');
  expect(made).toMatchObject({
    user: { id: app.world.users.rob },
    scopes: ['records:read', 'comments:read', 'users:read'],
    gates: false,
  });

  const snippet = dialog.locator('pre');
  expect(await snippet.textContent()).toContain(`/mcp`);
  expect(await snippet.textContent()).not.toContain(secret);
  for (const [label, part] of Object.entries({
    Cursor: '"mcpServers"',
    'VS Code': '"servers"',
    Codex: 'bearer_token_env_var',
    'Gemini CLI': 'httpUrl',
    'Claude Desktop': 'mcp-remote',
    curl: 'tools/list',
    'Claude Code': 'claude mcp add',
  })) {
    await dialog.getByLabel('Configuration for').selectOption({ label });
    await expect.poll(() => snippet.textContent()).toContain(part);
  }
  expect(await axeFindings(page)).toEqual([]);

  const body = message('tools/list');
  const { json: listed } = await call(app.world.port, '/mcp', {
    method: 'POST',
    key: secret,
    body,
  });
  const names = listed.result.tools.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual(['describe', 'search', 'query', 'get', 'aggregate', 'changes']);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
});

test('an administrator connects an agent of its own that writes, in German', async () => {
  const page = await app.as('ada', { locale: 'de-DE' });
  await page.goto(`${app.address}/settings/keys?user=${app.world.users.bot}`);
  await page.getByRole('button', { name: 'Agent verbinden' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Kran');
  await dialog.getByLabel('Der Agent darf').selectOption('write');
  await dialog.getByRole('button', { name: 'Schlüssel anlegen' }).click();
  const secret = (await dialog.getByTestId('secret').textContent()) ?? '';
  guardKey(secret, '@acme.example');
  await dialog.getByText('In einem Terminal').waitFor();
  const operations = [{ action: 'create', object_type: 'companies', fields: { name: 'Kranbau' } }];
  const body = message('tools/call', { name: 'write', arguments: { operations } });
  const { json } = await call(app.world.port, '/mcp', { method: 'POST', key: secret, body });
  expect(json.result.content[0].text).toContain('operations done: 1');
});
