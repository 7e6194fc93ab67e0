// The tools of MCP over one workspace: what each answers, and what it costs.

import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPENING } from '../../packages/mcp/src/answer-text.ts';
import type { Client } from '../client.ts';
import { openWorldWith, type World } from '../world.ts';
import { AGENT_ACME, cursorIn, dataIn, recordIn, tableIn, useTool } from './agents.ts';

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

describe('describe', () => {
  test('begins with the caller and the object types', async () => {
    const text = await textOf('describe');
    expect(text).toContain(`you: [${world.users.ada},"Ada"]`);
    expect(text).toContain('["deals","Deals","create read update delete",""]');
    expect(countTokens(text)).toBeLessThan(500);
  });

  test('says of an object what a query and a write need', async () => {
    const lines = dataIn(await textOf('describe', { object_type: 'deals' }));
    expect(lines).toContain('["code","text","unique"]');
    expect(lines).toContain('["company_id","reference to companies"]');
    expect(lines).toContain('["tags","multi_select","",["new","hot"]]');
    expect(lines).toContain('["origin","text","read-only"]');
    expect(lines).toContain('["lost","Lost",["open","won (needs approval: not by tools)"]]');
    const companies = dataIn(await textOf('describe', { object_type: 'companies' }));
    expect(companies).toContain('["note","text","custom, not for where or sort"]');
    expect(companies.join('\n')).toContain('"inv.deals.company_id","deals"');
  });

  test('finds people with their ids', async () => {
    const lines = dataIn(await textOf('describe', { people: 'mia' }));
    expect(lines).toEqual([`[${world.users.mia},"Mia",null,["North"]]`]);
  });

  test('shows what the caller may read, and nothing else', async () => {
    const rob = await world.as('rob');
    const { text } = await useTool(place(rob.secret), 'describe', { object_type: 'deals' });
    expect(text).toContain('"amount"');
    expect(text).not.toContain('"secret"');
  });
});

describe('search, query and aggregate', () => {
  test('search finds a record by its name', async () => {
    const [found] = dataIn(await textOf('search', { text: 'nordic' }));
    expect(JSON.parse(found ?? '').slice(0, 3)).toEqual(['companies', company, 'Nordic Sail']);
  });

  test('a query shows the fields that were asked for, each value once', async () => {
    await made('deals', { name: 'Sails', code: 'Q-1', amount: 100, company_id: company });
    const sent = {
      object_type: 'deals',
      where: { field: 'code', op: 'eq', value: 'Q-1' },
      fields: ['name', 'amount', 'company_id'],
      expand: ['company_id'],
      count: 'exact',
    };
    const text = await textOf('query', sent);
    expect(text.split('\n')[0]).toBe('records: 1 of 1');
    const [row] = tableIn(text);
    expect(row).toEqual({
      id: row?.id,
      name: 'Sails',
      status: 'open',
      amount: 100,
      company_id: { id: company, name: 'Nordic Sail' },
    });
    expect(text.split('Nordic Sail').length).toBe(2);
    expect(text.split('Sails').length).toBe(2);
  });

  test('pages follow each other by the cursor', async () => {
    const names = Array.from({ length: 7 }, (_, index) => `Paged ${index}`);
    for (const name of names) await made('boats', { name, company_id: company });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const sent = { object_type: 'boats', query: 'Paged', limit: 3, sort: [{ field: 'name' }] };
      const text = await textOf('query', { ...sent, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...tableIn(text).map(({ display }) => display));
      cursor = cursorIn(text);
    } while (cursor !== undefined);
    expect(seen).toEqual(names);
  });

  test('an aggregate counts in groups', async () => {
    const text = await textOf('aggregate', {
      object_type: 'companies',
      group_by: ['tier'],
      metrics: [{ name: 'n', op: 'count' }],
    });
    expect(tableIn(text)).toEqual([{ tier: 'gold', n: 1 }]);
  });
});

describe('get', () => {
  test('answers the version and the filled fields', async () => {
    const record = recordIn(await textOf('get', { object_type: 'companies', id: company }));
    const { body } = await ada.get(`/objects/companies/records/${company}`);
    expect(record).toMatchObject({ id: company, name: 'Nordic Sail', version: body.data.version });
    expect(record).not.toHaveProperty('display');
    expect(record).not.toHaveProperty('founded');
  });

  test('a long text is cut, and read to its end part by part', async () => {
    const story = Array.from({ length: 900 }, (_, index) => `Sentence ${index}. ⛵`).join(' ');
    const id = await made('deals', { name: 'Long', story });
    const shown = recordIn(await textOf('get', { object_type: 'deals', id })).story as string;
    expect(shown).toMatch(/… \(\d+ more characters\)$/);
    let read = '';
    for (let from = 0; read.length < story.length; from = read.length) {
      const text = await textOf('get', { object_type: 'deals', id, fields: ['story'], from });
      const part = JSON.parse((dataIn(text)[0] ?? '').replace(/^.*?: /, '')) as string;
      read += part.replace(/… \(\d+ more characters\)$/, '');
      const rest = read.length < story.length ? [`${read.length}`] : [];
      expect(/^rest: call again with from (\d+)/m.exec(text)?.slice(1) ?? []).toEqual(rest);
    }
    expect(read).toBe(story);
  });

  test('comments are answered in place of fields', async () => {
    const deal = await made('deals', { name: 'Commented' });
    await ada.post(`/objects/deals/records/${deal}/comments`, { body: 'Call again\nsoon' });
    const [line] = dataIn(await textOf('get', { object_type: 'deals', id: deal, comments: true }));
    expect(JSON.parse(line ?? '').slice(1)).toEqual(['Ada', 'Call again\nsoon']);
  });

  test('a long comment is read to its end part by part', async () => {
    const deal = await made('deals', { name: 'Long comments' });
    const long = Array.from({ length: 800 }, (_, index) => `Word ${index}. ⛵`)
      .join(' ')
      .slice(0, 9000);
    const bodies = ['oldest', long, 'newest'];
    for (const body of bodies) {
      const path = `/objects/deals/records/${deal}/comments`;
      expect((await ada.post(path, { body })).status).toBe(201);
    }
    const read: string[] = [];
    let [cursor, from]: [string | undefined, number | undefined] = [undefined, undefined];
    do {
      const sent: Record<string, unknown> = { object_type: 'deals', id: deal, comments: true };
      if (cursor !== undefined) sent.cursor = cursor;
      if (from !== undefined) sent.from = from;
      const text = await textOf('get', sent);
      const parts = dataIn(text).map((line) => JSON.parse(line)[2] as string);
      const kept = parts.map((part) => part.replace(/… \(\d+ more characters\)$/, ''));
      if (from === undefined) read.push(...kept);
      else read.push(`${read.pop()}${kept.join('')}`);
      const next = /^rest: call again with from (\d+)/m.exec(text)?.[1];
      from = next === undefined ? undefined : Number(next);
      if (from === undefined) cursor = cursorIn(text);
    } while (from !== undefined || cursor !== undefined);
    expect(read).toEqual(bodies.toReversed());
  });
});

describe('write', () => {
  test('a batch makes a record, refers to it and comments on it', async () => {
    const text = await textOf('write', {
      operations: [
        { action: 'create', object_type: 'companies', fields: { name: 'Harbour' } },
        {
          action: 'create',
          object_type: 'deals',
          fields: { name: 'Pier', company_id: { $op: 0 } },
        },
        { action: 'comment', object_type: 'deals', id: { $op: 1 }, body: 'Made by an agent' },
        { action: 'status', object_type: 'deals', id: { $op: 1 }, status_id: 'won' },
      ],
    });
    const [, pier = ''] = /^1: create deals (\S+)/m.exec(text) ?? [];
    const { body } = await ada.get(`/objects/deals/records/${pier}`);
    expect(body.data).toMatchObject({ display: 'Pier', status: 'won' });
    const [, version] = /^3: .* version (\S+)$/m.exec(text) ?? [];
    expect(version).toBe(body.data.version);
  });

  test('a dry run checks everything and changes nothing', async () => {
    const deal = await made('deals', { name: 'Dry', code: 'DRY' });
    const operations = [
      { action: 'update', object_type: 'deals', id: deal, fields: { name: 'Wet' } },
      { action: 'create', object_type: 'deals', fields: { name: 'Other' } },
    ];
    const before = await world.digest();
    const text = await textOf('write', { operations, dry_run: true, request_key: 'k1' });
    expect(text.split('\n')[0]).toBe('dry run, nothing written; operations that would succeed: 2');
    const taken = [{ action: 'create', object_type: 'deals', fields: { name: 'X', code: 'DRY' } }];
    expect(await refusalOf('write', { operations: taken, dry_run: true })).toContain('fields.code');
    expect(await world.digest()).toBe(before);
    // The key of the dry run is free.
    expect(await textOf('write', { operations, request_key: 'k1' })).toContain(
      'operations done: 2',
    );
  });

  test('a request key is an Idempotency-Key', async () => {
    const operations = [{ action: 'create', object_type: 'companies', fields: { name: 'Once' } }];
    const first = await textOf('write', { operations, request_key: 'once' });
    expect(await textOf('write', { operations, request_key: 'once' })).toBe(first);
    const other = [{ action: 'create', object_type: 'companies', fields: { name: 'Twice' } }];
    const refusal = await refusalOf('write', { operations: other, request_key: 'once' });
    expect(refusal).toContain('idempotency_key_reused');
  });

  test('events, history and audit name MCP as the source', async () => {
    const fields = { name: 'Sourced' };
    const update = { action: 'update', object_type: 'companies', id: company, fields };
    await textOf('write', { operations: [update] });
    const events = await ada.get('/changes?cursor=start&object_type=companies&limit=1000');
    expect(events.body.data.at(-1)).toMatchObject({ record_id: company, source: 'mcp' });
    const audit = await ada.get(`/audit?record_id=${company}&limit=1`);
    expect(audit.body.data[0]).toMatchObject({ action: 'update', source: 'mcp' });
    const history = await ada.get(`/objects/companies/records/${company}/history`);
    expect(history.body.data[0]).toMatchObject({ source: 'mcp' });
    await ada.patch(`/objects/companies/records/${company}`, { fields: { name: 'Nordic Sail' } });
    const after = await ada.get(`/audit?record_id=${company}&limit=1`);
    expect(after.body.data[0]).toMatchObject({ source: 'api' });
  });

  test('a move that needs approval is refused, for approvers too', async () => {
    const mia = await world.as('mia');
    const rob = await world.as('rob');
    const ofRob = async () => {
      const { body } = await rob.post('/objects/deals/records', { fields: { name: 'Gated' } });
      const path = `/objects/deals/records/${body.data.id}/status`;
      await mia.post(path, { status_id: 'lost' });
      // Mia moves nothing alone that she has changed last.
      await rob.patch(`/objects/deals/records/${body.data.id}`, { fields: { amount: 1 } });
      return { id: body.data.id as string, path };
    };
    const [byTool, byRest] = [await ofRob(), await ofRob()];
    const move = { action: 'status', object_type: 'deals', id: byTool.id, status_id: 'won' };
    const { text, isError } = await useTool(place(mia.secret), 'write', { operations: [move] });
    expect(isError).toBe(true);
    expect(text).toContain(
      'operations[0].status_id: This move needs the approval of someone else.',
    );
    expect(text).toContain('No tool can make or request this move.');
    expect((await mia.post(byRest.path, { status_id: 'won' })).status).toBe(200);
  });

  test('it deletes nothing', async () => {
    const operations = [{ action: 'delete', object_type: 'companies', id: company }];
    expect(await refusalOf('write', { operations })).toContain(
      'operations[0].action: Use the tool',
    );
  });
});

describe('delete', () => {
  test('needs the name that the record has now', async () => {
    const id = await made('companies', { name: 'Old <name>' });
    const sent = { object_type: 'companies', id };
    const refusal = await refusalOf('delete', { ...sent, expected_display: 'Old' });
    expect(dataIn(refusal)).toEqual(['name: "Old \\u003cname>"']);
    expect(refusal.split(OPENING)[0]).not.toContain('name>');
    const done = await textOf('delete', { ...sent, expected_display: 'Old <name>' });
    expect(done).toBe(`Deleted companies ${id}.`);
    const gone = await refusalOf('delete', { ...sent, expected_display: 'Old <name>' });
    expect(gone).toMatch(/^record_not_found/);
  });
});

describe('changes', () => {
  test('continues where the last answer ended', async () => {
    const start = cursorIn(await textOf('changes')) as string;
    const id = await made('companies', { name: 'Changed' });
    const text = await textOf('changes', { cursor: start });
    const [row] = dataIn(text).map((line) => JSON.parse(line));
    expect(row.slice(1, 4)).toEqual(['record.created', 'companies', id]);
    expect(row.at(-1)).toBe('api');
    expect(dataIn(await textOf('changes', { cursor: cursorIn(text) }))).toEqual([]);
  });

  test('a summary counts by object and kind, and shows the newest', async () => {
    const cursor = cursorIn(await textOf('changes')) as string;
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      ids.push(await made('companies', { name: `Counted ${index}` }));
    }
    await ada.patch(`/objects/companies/records/${ids[0]}`, { fields: { name: 'Counted again' } });
    const text = await textOf('changes', { cursor, summary: true });
    expect(text).toMatch(/^changes: 31\./);
    const rows = dataIn(text).map((line) => JSON.parse(line));
    expect(rows.slice(0, 2)).toEqual([
      ['companies', 'record.created', 30],
      ['companies', 'record.updated', 1],
    ]);
    const newest = rows.slice(2).map(([, type, , id]) => [type, id]);
    expect(newest.length).toBe(25);
    expect(newest.slice(0, 2)).toEqual([
      ['record.updated', ids[0]],
      ['record.created', ids.at(-1)],
    ]);
    expect(dataIn(await textOf('changes', { cursor: cursorIn(text), summary: true }))).toEqual([]);
  });
});

describe('merge', () => {
  test('says what would change, and changes nothing', async () => {
    const [id, other] = [
      await made('companies', { name: 'Halyard' }),
      await made('companies', { name: 'Halyard & Sons' }),
    ];
    await made('deals', { name: 'Ropes', company_id: other });
    const before = await world.digest();
    const sent = { object_type: 'companies', id, from: [other], take: { name: other } };
    const text = await textOf('merge', sent);
    expect(text).toContain('Nothing was changed.');
    expect(text).toContain('1 deals');
    expect(text).toContain('Fields that would change: name.');
    expect(await world.digest()).toBe(before);
    expect(await refusalOf('merge', { ...sent, take: { none: other } })).toContain('take');
  });
});
