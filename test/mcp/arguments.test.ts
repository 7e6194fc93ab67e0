// Arguments of the tools of MCP: null for what is left out, and refusals that lead to the right call.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOptionValues } from '../../packages/mcp/src/option-values.ts';
import { expectNoCanary } from '../access/canary.ts';
import type { Client } from '../client.ts';
import { openWorldWith, type World } from '../world.ts';
import { AGENT_ACME, dataIn, tableIn, useTool } from './agents.ts';

let world: World;
let ada: Client;
let company: string;
beforeAll(async () => {
  world = await openWorldWith(AGENT_ACME);
  ada = await world.as('ada');
  company = await made('companies', { name: 'Nordic Sail', tier: 'gold', revenue: 12.5 });
});
afterAll(() => world?.close());

const place = (secret: string) => ({ port: world.port, secret });
const use = (tool: string, sent: unknown = {}) => useTool(place(ada.secret), tool, sent);

async function made(type: string, fields: object): Promise<string> {
  const { body } = await ada.post(`/objects/${type}/records`, { fields });
  return body.data.id;
}

async function textOf(tool: string, sent: unknown = {}): Promise<string> {
  const { text, isError } = await use(tool, sent);
  expect(isError, text).toBe(false);
  return text;
}

async function refusalOf(tool: string, sent: unknown = {}): Promise<string> {
  const { text, isError } = await use(tool, sent);
  expect(isError, text).toBe(true);
  return text;
}

describe('null', () => {
  test('means left out, at every depth', async () => {
    const unused = { all: null, any: null, not: null };
    const where = {
      all: [{ field: 'name', op: 'eq', value: 'Nordic Sail', ...unused }],
      field: null,
      op: null,
      value: null,
    };
    const sent = {
      object_type: 'companies',
      where,
      sort: [{ field: 'name', direction: null }],
      fields: null,
      limit: null,
      linked_to: null,
    };
    expect(tableIn(await textOf('query', sent)).map(({ id }) => id)).toEqual([company]);
    expect(await textOf('describe', { object_type: null, people: null, cursor: null })).toContain(
      'you:',
    );
    const metrics = [{ name: 'n', op: 'count', field: null }];
    const counted = await textOf('aggregate', {
      object_type: 'companies',
      metrics,
      group_by: null,
      where: null,
    });
    expect(counted).toContain('groups: 1');
  });

  test('clears a field of a record', async () => {
    const deal = await made('deals', { name: 'Cleared', amount: 5 });
    const update = { action: 'update', object_type: 'deals', id: deal, fields: { amount: null } };
    const unused = { match: null, expected_version: null, status_id: null, body: null };
    await textOf('write', {
      operations: [{ ...update, ...unused }],
      dry_run: null,
      request_key: null,
    });
    const { body } = await ada.get(`/objects/deals/records/${deal}`);
    expect(body.data.fields.amount).toBe(null);
    const where = { field: 'amount', op: 'eq', value: null };
    expect(await refusalOf('query', { object_type: 'deals', where })).toContain('where.value: ');
  });
});

describe('refusals', () => {
  test('an unknown object type is answered with those there are', async () => {
    const text = await refusalOf('query', { object_type: 'ships' });
    expect(text).toMatch(/^object_not_available\n/);
    expect(text).toContain('deals');
  });

  test('an unknown field is answered with those there are', async () => {
    const query = await refusalOf('query', { object_type: 'deals', fields: ['value'] });
    expect(query).toMatch(/- fields.*: There is no field "value"\./);
    expect(query).toMatch(/^fields of deals: ".*amount.*"$/m);
    const operations = [{ action: 'create', object_type: 'deals', fields: { nme: 'X' } }];
    const write = await refusalOf('write', { operations });
    expect(write).toMatch(/operations\[0\]\.fields\.nme/);
    expect(write).toMatch(/^fields of deals: ".*amount.*"$/m);
  });

  test('a missing type of a work item is one problem', async () => {
    const operations = [{ action: 'create', object_type: 'work_items', fields: { title: 'X' } }];
    const text = await refusalOf('write', { operations });
    expect(text.match(/work_item_type_id: .*/g)).toEqual([
      'work_item_type_id: The field is required.',
    ]);
  });

  test('a label is its option, and a word of two options is answered with both', async () => {
    const fields = { name: 'Labelled', tier: 'Gold' };
    const operation = { action: 'create', object_type: 'companies', fields };
    const [id] = /[\da-f-]{36}/.exec(await textOf('write', { operations: [operation] })) ?? [];
    const { body } = await ada.get(`/objects/companies/records/${id}`);
    expect(body.data.fields.tier).toBe('gold');
    const options = [
      { value: 'new', label: 'Lead' },
      { value: 'lead', label: 'Qualified' },
      { value: 'won', label: 'LEAD' },
    ];
    const answer = { data: { fields: [{ key: 'tier', options }] } };
    const wordOption = async (tier: unknown) => {
      const [written] = await withOptionValues(
        [{ ...operation, fields: { tier } }],
        (async () => answer) as never,
      );
      return (written as typeof operation).fields.tier;
    };
    const meant = ['Lead', 'lead', 'qualified', ['QUALIFIED', 'other']].map(wordOption);
    expect(await Promise.all(meant)).toEqual(['new', 'lead', 'lead', ['lead', 'other']]);
    await expect(wordOption('lEAD')).rejects.toMatchObject({
      refusal: {
        problems: [{ param: 'operations[0].fields.tier' }],
        data: ['operations[0].fields.tier means: "new (Lead) or lead (Qualified) or won (LEAD)"'],
      },
    });
  });

  test('a wrong option is answered with the options', async () => {
    const fields = { name: 'X', tier: 'bronze' };
    const operations = [{ action: 'create', object_type: 'companies', fields }];
    const text = await refusalOf('write', { operations });
    expect(text).toContain('operations[0].fields.tier');
    expect(dataIn(text)).toEqual(['tier takes: "gold, silver"']);
  });

  test('a wrong status is answered with the moves that are allowed', async () => {
    const deal = await made('deals', { name: 'Moved' });
    const move = { action: 'status', object_type: 'deals', id: deal, status_id: 'done' };
    const text = await refusalOf('write', { operations: [move] });
    expect(text).toContain('Allowed from here: won, lost.');
  });

  test.each<[string, unknown, string]>([
    ['query', {}, '- object_type: The property is required.'],
    ['query', { object_type: 'deals', limit: 1000 }, '- limit: '],
    [
      'query',
      { object_type: 'deals', colour: 1 },
      '- colour: There is no such argument. query takes object_type, where,',
    ],
    [
      'query',
      { object_type: 'deals', sort: [{ key: 'name' }] },
      '- sort[0].key: There is no such argument. sort[0] takes field, direction.',
    ],
    ['search', { q: 'abc' }, '- q: There is no such argument. search takes text, limit.'],
    [
      'get',
      { object_type: 'deals', record_id: 'x' },
      '- record_id: There is no such argument. get takes object_type, id,',
    ],
    ['get', { object_type: 'deals', id: 'x' }, '- id: There is no such record.'],
    [
      'delete',
      { object_type: 'deals', id: 'x', expected_display: null },
      '- expected_display: The property is required.',
    ],
    ['changes', { object_type: 'deals,ships' }, '- object_type: There is no such object type.'],
    ['changes', { since: '2020-01-01' }, '- since: Changes of that time are no longer kept.'],
    ['query', { object_type: 'deals', count: 'all' }, 'must be one of none, exact'],
    ['search', { text: 'a' }, '- text: '],
    ['get', { object_type: 'deals', id: 'x', fields: 'name' }, '- fields: '],
    ['describe', { cursor: 'x' }, '- cursor: '],
    ['write', { operations: [] }, '- operations: '],
    ['write', { operations: [{ action: 'drop' }] }, '- operations[0].action: '],
    ['aggregate', { object_type: 'deals', metrics: [] }, '- metrics: '],
    ['changes', { cursor: 'nonsense' }, 'invalid_cursor'],
  ])('%s %j', async (tool, sent, expected) => {
    expect(await refusalOf(tool, sent)).toContain(expected);
  });

  const broken = 'a\ud800b';
  test.each<[string, object, string]>([
    ['search', { text: broken }, 'text'],
    ['describe', { people: broken }, 'people'],
    ['describe', { people: 'a\0b' }, 'people'],
    ['describe', { object_type: broken }, 'object_type'],
    ['get', { object_type: 'deals', id: broken }, 'id'],
    ['get', { object_type: 'deals', id: 'x', fields: ['name', broken] }, 'fields[1]'],
    ['get', { object_type: 'deals', id: 'x', comments: true, cursor: broken }, 'cursor'],
    ['delete', { object_type: 'deals', id: broken, expected_display: 'x' }, 'id'],
    ['changes', { cursor: broken }, 'cursor'],
    ['changes', { since: broken }, 'since'],
    ['changes', { object_type: broken }, 'object_type'],
    ['write', { operations: [{ action: 'create', id: broken }] }, 'operations[0].id'],
  ])('%s refuses text that has no UTF-8: %j', async (tool, sent, name) => {
    const reason = 'The text must not contain U+0000 or lone surrogates.';
    expect(await refusalOf(tool, sent)).toContain(`invalid_arguments\n- ${name}: ${reason}`);
  });

  test('arguments that are no object are refused', async () => {
    for (const sent of [[], 'x', 1, null]) {
      await expect(useTool(place(ada.secret), 'query', sent)).rejects.toThrow(/-32602|400/);
    }
  });

  test('a number that would lose digits is refused and not written as null', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"operations":
      [{"action":"update","object_type":"companies","id":"${company}","fields":{"revenue":123456789012345.0123}}]}}}`;
    const answer = await fetch(`http://127.0.0.1:${world.port}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.secret}`, 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    expectNoCanary(ada.secret, text);
    expect(text).toContain('operations[0].fields.revenue: The number has too many digits.');
    const { body: now } = await ada.get(`/objects/companies/records/${company}`);
    expect(now.data.fields.revenue).toBe(12.5);
  });
});
