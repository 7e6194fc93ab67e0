// Ten tasks of a sales agent over the demo, by the official client: what an agent sends and reads for them, counted in
// calls and tokens.

import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { type DemoWorld, openDemoWorld } from '../demo-world.ts';
import { type Agent, cursorIn, dataIn, openAgent, recordIn, tableIn } from './agents.ts';

let world: DemoWorld;
let jonathan: Client;
beforeAll(async () => {
  world = await openDemoWorld();
  jonathan = await world.as('Jonathan Berthelot');
});
afterAll(() => world?.close());

interface Spent {
  calls: number;
  tokens: number;
}

/** Use a tool and count what a model writes and reads. */
type Use = (tool: string, sent?: Readonly<Record<string, unknown>>) => Promise<string>;

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: object };
}

function counting(agent: Agent, tools: readonly ListedTool[], spent: Spent): Use {
  return async (tool, sent = {}) => {
    const strict = await agent.use(tool, withNulls(tools, tool, sent));
    expect(strict.isError, strict.text).toBe(false);
    const { text, isError } = await agent.use(tool, sent);
    expect(isError, text).toBe(false);
    if (!['write', 'changes'].includes(tool)) expect(strict.text).toBe(text);
    spent.calls += 1;
    spent.tokens +=
      countTokens(JSON.stringify({ name: tool, arguments: sent })) + countTokens(text);
    return text;
  };
}

/** The arguments as strict clients send them: null for what is left out. Nothing is written. */
function withNulls(tools: readonly ListedTool[], tool: string, sent: object) {
  const { properties = {} } = tools.find(({ name }) => name === tool)?.inputSchema ?? {};
  const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
  return { ...nulls, ...sent, ...(tool === 'write' ? { dry_run: true } : {}) };
}

const MINE = { field: 'owner_user_id', op: 'eq', value: { me: true } };
const OPEN = { field: 'status', op: 'in', value: ['prospecting', 'engaging'] };
const within = (field: string, from: string, to: string) => {
  return { field, op: 'between', value: [{ relative: from }, { relative: to }] };
};

test('ten tasks need at most 25 calls and 20,000 tokens', async () => {
  const port = Number(new URL(world.origin).port);
  const agent = await openAgent({ port, secret: jonathan.secret }, '2026');
  const tools = (await agent.tools()) as readonly ListedTool[];
  const spent: Spent = { calls: 0, tokens: countTokens(JSON.stringify(tools)) };
  const use = counting(agent, tools, spent);
  const found = await look(use);
  await change(use, found);
  // A wrong name leads to the right ones in one answer.
  for (const { name, inputSchema } of tools) {
    const { text, isError } = await agent.use(name, { wrong_name: 1 });
    expect([isError, text]).toEqual([true, expect.stringContaining('- wrong_name: ')]);
    expect(text).toContain(`${name} takes ${Object.keys(inputSchema.properties).join(', ')}.`);
  }
  await agent.close();
  console.log(`ten tasks: ${spent.calls} calls, ${spent.tokens} tokens`);
  expect(spent.calls).toBeLessThanOrEqual(25);
  expect(spent.tokens).toBeLessThanOrEqual(20_000);
});

/** The deal with Umbrella Corporation and what is known of it. */
interface Found {
  readonly deal: string;
  readonly company: string;
}

async function look(use: Use): Promise<Found> {
  // 1. Which data is there, and which deals do I have?
  expect(dataIn(await use('describe')).join('\n')).toContain('"work_items"');
  await use('describe', { object_type: 'deals' });
  await use('describe', { object_type: 'work_items' });
  const deals = tableIn(
    await use('query', {
      ...{ object_type: 'deals', where: OPEN, count: 'exact' },
      ...{ fields: ['close_date', 'close_value'], expand: ['company_id'] },
      ...{ sort: [{ field: 'close_date' }], limit: 10 },
    }),
  );
  expect(deals.length).toBe(10);
  // 2. Which of them close in the next three weeks?
  const soon = tableIn(
    await use('query', {
      object_type: 'deals',
      where: { all: [OPEN, within('close_date', 'start_of_day', '+3w')] },
      fields: ['close_date'],
    }),
  );
  expect(soon.length).toBeGreaterThan(0);
  // 3. Who do I talk to at Umbrella Corporation?
  const [hit] = dataIn(await use('search', { text: 'Umbrella Corporation' }));
  const company = (JSON.parse(hit ?? '') as string[])[1] as string;
  const contacts = tableIn(
    await use('query', {
      object_type: 'contacts',
      where: { field: 'company_id', op: 'eq', value: company },
      fields: ['email', 'phone', 'job_title'],
    }),
  );
  expect(contacts.map(({ display }) => display).sort()).toEqual(['Jonas Castro', 'Yusuf Larsen']);
  // 4. How much is in my pipeline?
  const pipeline = tableIn(
    await use('aggregate', {
      object_type: 'deals',
      where: OPEN,
      group_by: ['status'],
      metrics: [
        { name: 'deals', op: 'count' },
        { name: 'value', op: 'sum', field: 'close_value' },
      ],
    }),
  );
  expect(pipeline.map(({ status }) => status).sort()).toEqual(['engaging', 'prospecting']);
  // 5. Prepare my week: tasks that are due, and meetings.
  const open = { not: { field: 'status', op: 'eq', value: 'done' } };
  const tasks = tableIn(
    await use('query', {
      object_type: 'work_items',
      where: { all: [MINE, open, { field: 'due_date', op: 'lte', value: { relative: '+3w' } }] },
      fields: ['due_date', 'priority'],
      expand: ['company_id'],
    }),
  );
  expect(tasks.map(({ display }) => display)).toContain('Plan the reference visit');
  const meetings = tableIn(
    await use('query', {
      object_type: 'meetings',
      where: { all: [MINE, within('starts_at', 'now', '+2w')] },
      fields: ['starts_at', 'location'],
    }),
  );
  expect(meetings.length).toBeGreaterThan(0);
  // 6. What was said about the deal?
  const umbrella = deals.find(
    ({ company_id }) => (company_id as { id: string } | null)?.id === company,
  );
  const deal = String(umbrella?.id);
  const comments = await use('get', { object_type: 'deals', id: deal, comments: true });
  expect(comments).toContain('Sent the offer with and without training.');
  return { deal, company };
}

async function change(use: Use, { deal, company }: Found): Promise<void> {
  const start = cursorIn(await use('changes')) as string;
  // 7. Note a call and make a task of it, checked first.
  const operations = [
    {
      action: 'comment',
      object_type: 'deals',
      id: deal,
      body: 'They want the contract on Monday.',
    },
    {
      action: 'create',
      object_type: 'work_items',
      fields: {
        ...{ title: 'Send the contract', work_item_type_id: 'task', priority: 'high' },
        ...{ deal_id: deal, company_id: company, due_date: '2027-02-01' },
      },
    },
  ];
  await use('write', { operations, dry_run: true });
  await use('write', { operations, request_key: 'call-umbrella' });
  // 8. Correct the value of the deal, unless somebody else has changed it.
  const { version } = recordIn(
    await use('get', { object_type: 'deals', id: deal, fields: ['close_value'] }),
  );
  const update = { action: 'update', object_type: 'deals', id: deal, expected_version: version };
  await use('write', { operations: [{ ...update, fields: { close_value: 12_000 } }] });
  // 9. A new contact at the company.
  const contact = {
    name: 'Ines Vogel',
    email: 'ines.vogel@umbrellacorporation.example',
    company_id: company,
  };
  await use('write', {
    operations: [{ action: 'create', object_type: 'contacts', fields: contact }],
  });
  // 10. The deal is won; what has changed today?
  const won = { action: 'status', object_type: 'deals', id: deal, status_id: 'won' };
  await use('write', { operations: [won] });
  const rows = dataIn(await use('changes', { cursor: start })).map((line) => JSON.parse(line));
  expect(rows.filter((row) => row.at(-1) === 'mcp').length).toBe(5);
  const { body } = await jonathan.get(`/objects/deals/records/${deal}`);
  expect(body.data).toMatchObject({ status: 'won', fields: { close_value: 12_000 } });
}
