// The operations of a fault's clients: single writes of every kind and batches of a hundred, each noted in the ledger
// with its required result.

import type { Expected, Ledger } from './ledger.ts';
import type { Answer } from './recorder.ts';
import { RECORDS_PATH } from './site.ts';
import type { Client, Ground } from './workload-client.ts';

type Operation = (client: Client) => Promise<void>;
type Seeding = Pick<Client, 'index' | 'ledger' | 'settle'>;

const GROUP_SIZE = 100;
const GROUPS = ['g1', 'g2', 'g3'];
const HOT_RECORDS = 5;
const MOST_OWN = 30;
const LINK = 'assoc.contacts_deals';

/** With how often each is done, in proportion. */
export const OPERATIONS: readonly [
  readonly [Operation, number],
  ...(readonly [Operation, number])[],
] = [
  [create, 22],
  [patchOwn, 22],
  [patchHot, 12],
  [moveOwn, 12],
  [comment, 8],
  [link, 5],
  [removeOwn, 6],
  [createItem, 3],
  [moveItem, 3],
  [batchOfGroup, 4],
  [batchOfCreates, 2],
  [batchOfEverything, 4],
];

/** Records that all clients write to, made before anything breaks. */
export async function seedGround(client: Seeding): Promise<Ground> {
  const groups = new Map<string, readonly string[]>();
  for (const group of GROUPS) {
    const rows = Array.from({ length: GROUP_SIZE }, () => ({ grp: group, mark: 'none' }));
    groups.set(group, await createMany(client, rows));
  }
  const hot = await createMany(
    client,
    Array.from({ length: HOT_RECORDS }, () => ({})),
  );
  const contacts = await createPlain(client, 'contacts', 10);
  const companies = await createPlain(client, 'companies', 3);
  return { groups, hot, contacts, companies };
}

async function createPlain(
  { index, ledger, settle }: Seeding,
  objectType: string,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const entry = ledger.open(index, `create ${objectType}`);
    const body = JSON.stringify({ fields: { name: entry.token } });
    const path = `/v1/objects/${objectType}/records`;
    const answer = await settle(entry, { method: 'POST', path, body, key: entry.token });
    ids.push(dataOf(answer).id);
  }
  return ids;
}

interface Data {
  readonly id: string;
  readonly version: string;
  readonly results: readonly { readonly id: string; readonly version: string }[];
}

function dataOf(answer: Answer | undefined): Data {
  return (JSON.parse(answer?.body ?? '{}') as { data: Data }).data;
}

/** True for success; every unexpected refusal is a complaint. */
function isGood(
  { ledger }: Pick<Client, 'ledger'>,
  { token, kind }: { readonly token: string; readonly kind: string },
  answer: Answer | undefined,
): answer is Answer {
  if (answer === undefined) return false;
  if (answer.status < 300) return true;
  ledger.complain(`V2 ${kind} ${token} was refused: ${answer.status} ${answer.body.slice(0, 300)}`);
  return false;
}

async function createMany(
  client: Seeding,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly string[]> {
  const { ledger } = client;
  const entry = ledger.open(client.index, 'batch of creates');
  const { token } = entry;
  const operations = rows.map((fields, number) => ({
    action: 'create',
    fields: { name: token, token: `${token}/${number}`, ...fields },
  }));
  const answer = await client.settle(entry, batch(token, operations));
  if (!isGood(client, entry, answer)) return [];
  return dataOf(answer).results.map(({ id, version }, number) => {
    ledger.made({ id, objectType: 'deals', token: `${token}/${number}`, client: undefined });
    ledger.versioned(id, version, token);
    return id;
  });
}

function batch(token: string, operations: readonly object[]) {
  const body = JSON.stringify({ operations });
  return { method: 'POST', path: `${RECORDS_PATH}/batch`, body, key: token } as const;
}

async function create(client: Client): Promise<void> {
  const { ledger, random, ground } = client;
  if (client.mine.size >= MOST_OWN) return removeOwn(client);
  const entry = ledger.open(client.index, 'create');
  const { token } = entry;
  const company = random() < 0.3 ? { company_id: ground.companies[0] } : {};
  const body = JSON.stringify({ fields: { name: token, token, ...company } });
  const sent = { method: 'POST', path: RECORDS_PATH, body, key: token } as const;
  const answer = await client.settle(entry, sent);
  if (!isGood(client, entry, answer)) return;
  const { id, version } = dataOf(answer);
  ledger.made({ id, objectType: 'deals', token, client: client.index });
  ledger.versioned(id, version, token);
  client.mine.set(id, version);
}

function ownOf({ mine, random }: Client): readonly [id: string, version: string] | undefined {
  return [...mine][Math.floor(random() * mine.size)];
}

async function patchOwn(client: Client): Promise<void> {
  const own = ownOf(client);
  if (own === undefined) return create(client);
  const [id, known] = own;
  const { ledger } = client;
  const entry = ledger.open(client.index, 'patch');
  const { token } = entry;
  const body = JSON.stringify({ fields: { note: token } });
  const ifMatch = client.random() < 0.5 ? `"${known}"` : undefined;
  const sent = {
    method: 'PATCH',
    path: `${RECORDS_PATH}/${id}`,
    body,
    key: token,
    ifMatch,
  } as const;
  const answer = await client.settle(entry, sent);
  if (!isGood(client, entry, answer)) return;
  noteChange(client, answer, { id, token, how: { note: token } });
}

interface Change {
  readonly id: string;
  readonly token: string;
  readonly how: { readonly status?: string; readonly note?: string };
}

function noteChange({ ledger, mine }: Client, answer: Answer, { id, token, how }: Change): void {
  const { version } = dataOf(answer);
  ledger.changed(id, how);
  ledger.versioned(id, version, token);
  if (mine.has(id)) mine.set(id, version);
}

async function patchHot(client: Client): Promise<void> {
  const { ledger, ground, random } = client;
  const id = ground.hot[Math.floor(random() * ground.hot.length)] as string;
  const entry = ledger.open(client.index, 'patch');
  const { token } = entry;
  const body = JSON.stringify({ fields: { note: token } });
  const sent = { method: 'PATCH', path: `${RECORDS_PATH}/${id}`, body, key: token } as const;
  const answer = await client.settle(entry, sent);
  if (!isGood(client, entry, answer)) return;
  noteChange(client, answer, { id, token, how: { note: token } });
}

/** Half of the moves from won and lost go where the workflow does not allow. */
async function moveOwn(client: Client): Promise<void> {
  const own = ownOf(client);
  if (own === undefined) return create(client);
  const [id] = own;
  const { ledger, random } = client;
  const { status } = ledger.records.get(id) as Expected;
  const next = nextStatus(status, random());
  const entry = ledger.open(client.index, 'status');
  const { token } = entry;
  const body = JSON.stringify({ status_id: next });
  const sent = { method: 'POST', path: `${RECORDS_PATH}/${id}/status`, body, key: token } as const;
  const answer = await client.settle(entry, sent);
  const allowed = status === 'open' || next === 'open';
  if (!allowed && answer !== undefined) {
    if (answer.status !== 422)
      ledger.complain(`V8 ${status} to ${next} was answered ${answer.status}`);
    return;
  }
  if (!isGood(client, entry, answer)) return;
  noteChange(client, answer, { id, token, how: { status: next } });
}

function nextStatus(status: string, random: number): string {
  if (status === 'open') return random < 0.5 ? 'won' : 'lost';
  if (random < 0.5) return 'open';
  return status === 'won' ? 'lost' : 'won';
}

async function comment(client: Client): Promise<void> {
  const own = ownOf(client);
  if (own === undefined) return create(client);
  const [id] = own;
  const { ledger, site } = client;
  const entry = ledger.open(client.index, 'comment');
  const { token } = entry;
  const { reader, blind } = site.people;
  const body = JSON.stringify({ body: token, mention_user_ids: [reader, blind] });
  const path = `${RECORDS_PATH}/${id}/comments`;
  const answer = await client.settle(entry, { method: 'POST', path, body, key: token });
  if (isGood(client, entry, answer)) ledger.commented(id, token);
}

async function link(client: Client): Promise<void> {
  const own = ownOf(client);
  if (own === undefined) return create(client);
  const [id] = own;
  const { ledger, ground, random } = client;
  const target_id = ground.contacts[Math.floor(random() * ground.contacts.length)] as string;
  if (ledger.links.has(`${id} ${target_id}`)) return;
  const entry = ledger.open(client.index, 'link');
  const body = JSON.stringify({ target_id });
  const path = `${RECORDS_PATH}/${id}/relationships/${LINK}`;
  const answer = await client.settle(entry, { method: 'POST', path, body, key: entry.token });
  if (isGood(client, entry, answer)) ledger.linked(id, target_id);
}

/** Without a key: gone is gone, whichever attempt it was. */
async function removeOwn(client: Client): Promise<void> {
  const own = ownOf(client);
  if (own === undefined) return create(client);
  const [id] = own;
  const { ledger } = client;
  const entry = ledger.open(client.index, 'delete');
  const answer = await client.settle(entry, { method: 'DELETE', path: `${RECORDS_PATH}/${id}` });
  if (answer?.status === 404 && entry.unknowns > 0) entry.outcome = 'acked';
  else if (!isGood(client, entry, answer)) return;
  client.mine.delete(id);
  ledger.removed(id);
}

const ITEMS_PATH = '/v1/objects/work_items/records';
const MOST_ITEMS = 60;

async function createItem(client: Client): Promise<void> {
  const { ledger, items, random } = client;
  if (items.length >= MOST_ITEMS) return moveItem(client);
  const entry = ledger.open(client.index, 'create');
  const { token } = entry;
  const parent = items[Math.floor(random() * items.length * 2)];
  const fields = {
    title: token,
    work_item_type_id: 'task',
    ...(parent === undefined ? {} : { parent_work_item_id: parent }),
  };
  const body = JSON.stringify({ fields });
  const sent = { method: 'POST', path: ITEMS_PATH, body, key: token } as const;
  const answer = await client.settle(entry, sent);
  // A tree may be as deep as it gets already.
  if (parent !== undefined && answer?.status === 422) return;
  if (!isGood(client, entry, answer)) return;
  const { id, version } = dataOf(answer);
  ledger.made({ id, objectType: 'work_items', token, client: client.index }).parent =
    parent ?? null;
  ledger.versioned(id, version, token);
  items.push(id);
}

/** Put one of the client's own work items below another; what would be a cycle is refused. */
async function moveItem(client: Client): Promise<void> {
  const { ledger, items, random } = client;
  const id = items[Math.floor(random() * items.length)];
  const parent = items[Math.floor(random() * items.length)];
  if (id === undefined || parent === undefined) return createItem(client);
  if (ledger.records.get(id)?.parent === parent) return;
  const entry = ledger.open(client.index, 'patch');
  const { token } = entry;
  const body = JSON.stringify({ fields: { parent_work_item_id: parent } });
  const sent = { method: 'PATCH', path: `${ITEMS_PATH}/${id}`, body, key: token } as const;
  const answer = await client.settle(entry, sent);
  if (answer === undefined || answer.status === 422) return;
  if (!isGood(client, entry, answer)) return;
  ledger.changed(id, { parent });
  ledger.versioned(id, dataOf(answer).version, token);
}

async function batchOfGroup(client: Client): Promise<void> {
  const { ledger, ground, random } = client;
  const group = GROUPS[Math.floor(random() * GROUPS.length)] as string;
  const ids = ground.groups.get(group) ?? [];
  const entry = ledger.open(client.index, 'batch of updates');
  const { token } = entry;
  const operations = ids.map((id) => ({ action: 'update', id, fields: { mark: token } }));
  const answer = await client.settle(entry, batch(token, operations));
  if (!isGood(client, entry, answer)) return;
  ledger.grouped(group, token);
  noteResults(ledger, answer, token);
}

function noteResults(ledger: Ledger, answer: Answer, token: string): void {
  for (const { id, version } of dataOf(answer).results) {
    ledger.changed(id, {});
    ledger.versioned(id, version, token);
  }
}

async function batchOfCreates(client: Client): Promise<void> {
  await createMany(
    client,
    Array.from({ length: GROUP_SIZE }, () => ({ mark: 'batch' })),
  );
}

/** A create, a change, a move, a link and a delete that all happen or none. */
async function batchOfEverything(client: Client): Promise<void> {
  const { ledger, mine, ground } = client;
  const [changed, moved, linked, removed] = [...mine.keys()];
  if (removed === undefined) return create(client);
  const entry = ledger.open(client.index, 'batch of everything');
  const { token } = entry;
  const ids = [changed, moved, linked] as readonly [string, string, string];
  const open = (ledger.records.get(ids[1]) as Expected).status === 'open';
  const status_id = open ? 'won' : 'open';
  const target_id = ground.contacts.find((contact) => !ledger.links.has(`${ids[2]} ${contact}`));
  const operations = [
    { action: 'create', fields: { name: token, token } },
    { action: 'update', id: ids[0], fields: { note: token } },
    { action: 'status', id: ids[1], status_id },
    ...(target_id === undefined
      ? []
      : [{ action: 'link', id: ids[2], association_id: LINK, target_id }]),
    { action: 'delete', id: removed },
  ];
  const answer = await client.settle(entry, batch(token, operations));
  if (!isGood(client, entry, answer)) return;
  ledger.changed(ids[0], { note: token });
  ledger.changed(ids[1], { status: status_id });
  if (target_id !== undefined) ledger.linked(ids[2], target_id);
  ledger.removed(removed);
  mine.delete(removed);
  noteMade(client, answer, token);
}

/** The first result is of a create, the next two are of changes; the others have no version. */
function noteMade({ ledger, mine, index }: Client, answer: Answer, token: string): void {
  const results = dataOf(answer).results.slice(0, 3);
  const { id, version } = results[0] as { id: string; version: string };
  ledger.made({ id, objectType: 'deals', token, client: index });
  mine.set(id, version);
  for (const result of results) {
    ledger.versioned(result.id, result.version, token);
    if (mine.has(result.id)) mine.set(result.id, result.version);
  }
}
