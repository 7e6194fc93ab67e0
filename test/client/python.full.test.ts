// The Python client as programs use it: processes of python3 that import the file, against a running world, through a proxy
// that loses requests and answers.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ABOUT, ROUTES } from '../../src/api/index.ts';
import { buildOpenApi } from '../../src/http/documents/openapi.ts';
import { expectNoCanary } from '../access/canary.ts';
import { FILED } from '../file-world.ts';
import { openWorldWith, type World } from '../world.ts';
import { type CuttingProxy, type Fault, openCuttingProxy, refusal } from './cutting-proxy.ts';

const FOLDER = join(import.meta.dirname, '../../packages/python');
const PRELUDE = `
import json, os, sys
from workspace_records import Client, CursorExpired, RecordsError
client = Client(os.environ["BASE_URL"], os.environ["KEY"], timeout=20)
def say(value): print(json.dumps(value))
`;

let world: World;
let proxy: CuttingProxy;
let secret: string;

beforeAll(async () => {
  world = await openWorldWith(FILED);
  proxy = await openCuttingProxy(world.port);
  ({ secret } = await world.key('ada'));
});
afterAll(async () => {
  await proxy?.close();
  await world?.close();
});

/** The values that the program says, in order. */
async function python(program: string): Promise<readonly unknown[]> {
  const child = spawn('python3', ['-c', PRELUDE + program], {
    env: {
      ...{ PATH: process.env.PATH, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' },
      ...{ BASE_URL: proxy.baseUrl, KEY: secret },
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, err).toBe(0);
  expectNoCanary(secret, out);
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('every operation but streams and sign-in at a provider is a method', () => {
  const contract = JSON.parse(JSON.stringify(buildOpenApi(ROUTES, ABOUT)));
  const source = readFileSync(join(FOLDER, 'workspace_records.py'), 'utf8');
  const methods = [...source.matchAll(/"""[^"]*: ([A-Z]+ \/\S*)"""/g)].map(([, one]) => one);
  const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const others = [
    'GET /events/stream',
    'GET /sign_in/start',
    'GET /sign_in/callback',
    'POST /workspaces',
  ];
  expect(methods.toSorted()).toEqual(operations.filter((one) => !others.includes(one)).toSorted());
});

test('hosts are those that Node.js and browsers connect to', async () => {
  const hosts = ['faß.example', 'BÜCHER.example', 'βόλος.example', '日本語。example', '127.0.0.1'];
  const made = await python(`
for host in ${JSON.stringify(hosts)}:
    say(Client("http://" + host + "/v1", "key")._host)
`);
  expect(made).toEqual(hosts.map((host) => new URL(`http://${host}`).hostname));
});

test('a version is sent as a tag once, also one that a proxy made weak', async () => {
  const answers = await python(`
made = client.create_record("deals", {"fields": {"name": "Tags"}})["data"]
for form in ['%s', '"%s"', 'W/"%s"', '"%s-gzip"']:
    made = client.update_record("deals", made["id"], {"fields": {"name": form}}, if_match=form % made["version"])["data"]
    say(made["fields"]["name"])
say(client.update_record("deals", made["id"], {"fields": {"name": "any"}}, if_match="*")["data"]["fields"]["name"])
`);
  expect(answers).toEqual(['%s', '"%s"', 'W/"%s"', '"%s-gzip"', 'any']);
});

test('pages, filters, questions and single records', async () => {
  const answers = await python(`
made = [client.create_record("deals", {"fields": {"name": "Page %d" % n, "amount": n}})["data"] for n in range(5)]
say([deal["fields"]["name"] for deal in
     client.all(client.list_records, "deals", filters={"amount": {"gte": 2}}, q="Page", sort="amount", fields="name", limit=2)])
where = {"field": "amount", "op": "lt", "value": 2}
say([deal["fields"]["name"] for deal in
     client.all(client.query_records, "deals", {"where": where, "query": "Page", "sort": [{"field": "amount", "direction": "asc"}], "fields": ["name"], "limit": 1})])
say(len(list(client.pages(client.list_records, "deals", q="Page", limit=2))))
say(client.get_record("deals", made[3]["id"], fields=["amount"])["data"]["fields"])
say(client.list_records("deals", filters={"amount": None}, q="Page")["data"])
say(client.get_me()["data"]["user"]["email"])
`);
  expect(answers).toEqual([
    ['Page 2', 'Page 3', 'Page 4'],
    ['Page 0', 'Page 1'],
    3,
    { amount: 3 },
    [],
    'ada@acme.example',
  ]);
});

test('a list of a filter has any values but None, and None inside an operator is refused', async () => {
  const answers = await python(`
for name in ["Comma, Inc", 'Quote "Q"', "Comma"]:
    client.create_record("companies", {"fields": {"name": name}})
say([one["fields"]["name"] for one in client.all(client.list_records, "companies", sort="name", fields="name",
     filters={"name": {"in": ["Comma, Inc", 'Quote "Q"']}})])
for condition in [{"ne": None}, {"in": ["Comma", None]}]:
    try:
        say(client.list_records("companies", filters={"name": condition}))
    except ValueError as error:
        say(type(error).__name__)
`);
  expect(answers).toEqual([['Comma, Inc', 'Quote "Q"'], 'ValueError', 'ValueError']);
});

test.each<readonly [string, readonly Fault[]]>([
  ['py: the answer is lost twice', ['lose_answer', 'lose_answer']],
  ['py: half of the answer comes', ['half']],
  ['py: the request is lost', ['lose_request']],
  ['py: the service is busy', [refusal(503, 'service_unavailable', '0')]],
  ['py: an attempt is still running', ['lose_answer', refusal(409, 'idempotency_key_in_use')]],
  ['py: the key is used up', [refusal(429, 'rate_limited', '0')]],
  [
    'py: a proxy has no answer',
    [{ status: 502, body: '<html>Bad gateway</html>' }, { status: 504 }],
  ],
])('%s: one create is one record', async (name, faults) => {
  proxy.spoil(...faults);
  const [id] = await python(`
waits = []
client._waiting = lambda seconds, error: waits.append(error.status)
say(client.create_record("deals", {"fields": {"name": "${name}"}})["data"]["id"])
assert len(waits) == ${faults.length}, waits
`);
  expect(await world.rows('select id from deals where name = $1', [name])).toEqual([{ id }]);
});

test('a write that takes no key is not repeated without an answer', async () => {
  proxy.spoil('lose_answer');
  const [status] = await python(`
try:
    client.create_team({"name": "Python"})
except RecordsError as error:
    say(error.status)
`);
  expect(status).toBe(0);
  expect(await world.rows(`select name from _teams where name = 'Python'`)).toHaveLength(1);
});

test('errors have status, code, parameter and request id', async () => {
  const [refused, unknown, stale, body] = await python(`
def failed(act):
    try:
        act()
    except RecordsError as error:
        return [error.status, error.code, error.param, bool(error.request_id)]
say(failed(lambda: client.list_records("deals", filters={"nothing": 1})))
say(failed(lambda: client.get_record("deals", "0190aaaa-0000-7000-8000-000000000000")))
deal = client.create_record("deals", {"fields": {"name": "Stale"}})["data"]
client.update_record("deals", deal["id"], {"fields": {"amount": 1}}, if_match=deal["version"])
say(failed(lambda: client.update_record("deals", deal["id"], {"fields": {"amount": 2}}, if_match=deal["version"])))
say(failed(lambda: client.create_record("deals", {"fields": {"amount": "much"}})))
`);
  expect(refused).toEqual([400, 'invalid_filter', 'filter[nothing][eq]', true]);
  expect(unknown).toEqual([404, 'record_not_found', 'record_id', true]);
  expect(stale).toEqual([412, 'stale_record', null, true]);
  expect(body).toEqual([422, 'invalid_write', 'fields.amount', true]);
});

test('the feed continues after lost answers, and has each change once', async () => {
  const faults: readonly Fault[] = [
    'lose_answer',
    'half',
    refusal(503, 'service_unavailable', '0'),
  ];
  const [names, again] = await python(`
feed = client.changes(wait=0, object_type="deals", include="record")
_, cursor = next(feed)
names = []
for number in range(12):
    client.create_record("deals", {"fields": {"name": "Feed %d" % number}})
print("[]", flush=True)
for events, cursor in client.changes(cursor=cursor, wait=0, object_type="deals", include="record", limit=5):
    names += [event["record"]["fields"]["name"] for event in events if event["type"] == "record.created"]
say(names)
say([events for events, cursor in client.changes(cursor=cursor, wait=0, object_type="deals")])
`).then(([, ...rest]) => rest);
  expect(names).toEqual(Array.from({ length: 12 }, (_, number) => `Feed ${number}`));
  expect(again).toEqual([[]]);
  proxy.spoil(...faults);
  const [seen] = await python(`
events = []
for page, cursor in client.changes(cursor="start", wait=0, object_type="deals", limit=7):
    events += [event["id"] for event in page]
say([len(events), len(set(events))])
`);
  const [all, different] = seen as readonly [number, number];
  expect(all).toBeGreaterThanOrEqual(12);
  expect(different).toBe(all);
});

test('a file is sent as bytes or text, and comes as bytes, also one of JSON', async () => {
  const [file, ...contents] = await python(`
say(client.send_file(b"name\\nFirst\\n", content_type="text/csv", name="deals.csv")["data"])
for content in [b'{"a": 1}', '{"ä": 2}']:
    sent = client.send_file(content, content_type="application/json", purpose="field", name="a.json")["data"]
    deal = client.create_record("deals", {"fields": {"name": "File", "papers": [sent["id"]]}})["data"]
    say(client.get_record_file("deals", deal["id"], "papers", sent["id"]).decode())
`);
  expect(file).toMatchObject({ name: 'deals.csv' });
  expect(contents).toEqual(['{"a": 1}', '{"ä": 2}']);
});
