// Random writes of many people against a small model of the rules (write-oracle.ts): every answer is
// compared, and in the end every row of the workspace. PROPERTY_RUNS sets how many sequences are tried.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { presentRecord } from '../../src/api/present.ts';
import { ApiError } from '../../src/errors.ts';
import type { Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { keyOf } from '../../src/model/rights/principal.ts';
import { type SearchRow, searchRowsOf } from '../../src/plan/search/search-rows.ts';
import { versionToken } from '../../src/plan/write/precondition.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Row } from '../../src/postgres/db.ts';
import { LINKED_DOCUMENT } from '../linked-definition.ts';
import { SAMPLE_KEY } from '../sample-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';
import {
  type Actor,
  apply,
  canRead,
  type Effect,
  type Gadget,
  type Operation,
  type Refusal,
  tokenOf,
  validate,
  type World,
} from './write-oracle.ts';

const RUNS = timesOf(4);
const LENGTH = 200;
const ABSENT = '01900000-0000-7000-8000-0000000000ff';

let sample: SampleWorkspace;
let actors: readonly (Actor & { readonly caller: Caller })[];
/** Parts by their creator. */
let parts: ReadonlyMap<string, number>;

beforeAll(async () => {
  sample = await openSampleWorkspace(LINKED_DOCUMENT);
  actors = people();
  parts = await makeParts();
});

afterAll(() => sample?.own.drop());

function people(): typeof actors {
  const everything = { create: 'organisation', read: 'organisation' } as const;
  const all = { ...everything, update: 'organisation', delete: 'organisation' } as const;
  const team = { create: 'team', read: 'team', update: 'team', delete: 'team' } as const;
  const own = { create: 'own', read: 'own', update: 'own', delete: 'own' } as const;
  const hidden = ['secret', 'serial'];
  const lines: readonly [string, string[] | undefined, Partial<Actor>][] = [
    ['anna', undefined, { grant: { ...all, parts: 'organisation' }, assigns: true }],
    ['ben', undefined, { grant: { ...team, parts: 'team' } }],
    ['dora', undefined, { grant: { ...own, parts: 'own' } }],
    ['bot', undefined, { grant: { ...all, parts: 'organisation' }, assigns: true }],
    ['cleo', ['veiled'], { grant: all, hidden, fixed: ['a_text'] }],
    ['dora', ['reader'], { grant: { read: 'organisation', parts: 'organisation' } }],
    ['cleo', ['updater'], { grant: { read: 'organisation', update: 'own' } }],
    ['ben', ['creator', 'assigner'], { grant: { create: 'own', read: 'own' }, assigns: true }],
  ];
  return lines.map(([name, roles, rights], index) => {
    const caller = sample.caller(name, roles);
    return {
      name: `${name} ${roles ?? ''}`,
      userId: caller.user.id,
      colleagues: caller.colleague_ids,
      grant: {},
      assigns: false,
      hidden: [],
      fixed: [],
      ...rights,
      // A key of one's own: keys of requests belong to it.
      caller: {
        ...caller,
        principal: { ...SAMPLE_KEY, id: `01900000-0000-7000-8000-00000000000${index}` },
      },
    };
  });
}

async function makeParts(): Promise<ReadonlyMap<string, number>> {
  const made = new Map<string, number>();
  const { db, model } = sample;
  for (const name of ['anna', 'anna', 'ben', 'ben', 'dora']) {
    const context = { db, model, caller: sample.caller(name), requestId: null };
    const operation = { action: 'create', fields: { label: `part of ${name}` } } as const;
    const request = { operations: [operation], source: 'api', batch: false } as const;
    const { results } = await writeRecords(context, sample.object('parts'), request);
    made.set(results[0]?.id as string, sample.caller(name).user.id);
  }
  return made;
}

/** A few numbers from one. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % sides;
  };
}

type Picker = (sides: number) => number;

function pick<Value>(roll: Picker, values: readonly Value[]): Value {
  return values[roll(values.length)] as Value;
}

interface Request {
  readonly actor: (typeof actors)[number];
  readonly operations: readonly Operation[];
  readonly batch: boolean;
  readonly key: string | undefined;
}

function requestOf(world: World, roll: Picker, earlier: readonly Request[]): Request {
  const again =
    roll(12) === 0
      ? pick(
          roll,
          earlier.filter(({ key }) => key !== undefined),
        )
      : undefined;
  if (again !== undefined) return again;
  const batch = roll(4) === 0;
  const operations = Array.from({ length: batch ? 1 + roll(4) : 1 }, () =>
    operationOf(world, roll, batch),
  );
  const key = roll(3) === 0 ? `key ${roll(40)}` : undefined;
  // Actors with more rights are chosen more often.
  const actor = pick(roll, [
    ...actors,
    ...actors.slice(0, 5),
    ...POWERFUL.flatMap((index) => actors[index] ?? []),
  ]);
  return { actor: actor as Request['actor'], operations: untangled(world, operations), batch, key };
}

/** Not a record and one that refers to it: it does not matter whether the reference goes before. */
function untangled(world: World, operations: readonly Operation[]): readonly Operation[] {
  const deletes = operations.filter(({ action }) => action === 'delete');
  const models = deletes.map(({ id = '' }) => world.gadgets.get(id)?.fields.model_id);
  const kept = operations.filter(({ action, id }) => action !== 'delete' || !models.includes(id));
  return kept.length > 0 ? kept : [{ action: 'create', fields: { name: 'instead' } }];
}

function operationOf(world: World, roll: Picker, batch: boolean): Operation {
  const ids = [...world.gadgets.keys()];
  const id = roll(15) === 0 || ids.length === 0 ? pick(roll, [ABSENT, 'no id']) : pick(roll, ids);
  const gadget = world.gadgets.get(id);
  const right = gadget === undefined ? '1-000000000000' : tokenOf(gadget);
  const any_of = [pick(roll, [right, right, '7-000000000000'])];
  const precondition = !batch && roll(5) === 0 ? { any_of } : undefined;
  const targets = [...parts.keys(), ...ids, ABSENT];
  switch (pick(roll, ACTIONS)) {
    case 'create':
      return { action: 'create', fields: { name: pick(roll, NAMES), ...fieldsOf(world, roll) } };
    case 'update':
      return { action: 'update', id, fields: fieldsOf(world, roll), precondition };
    case 'status': {
      const status_id = pick(roll, ['new', 'built', 'built', 'sold', 'scrapped', 'nowhere']);
      return { action: 'status', id, status_id, precondition };
    }
    case 'delete':
      return { action: 'delete', id, precondition };
    case 'upsert': {
      const target = roll(20) === 0 ? 'gizmos' : 'gadgets';
      const fields = roll(4) === 0 ? {} : { name: pick(roll, NAMES), ...fieldsOf(world, roll) };
      return { action: 'upsert', target, match: pick(roll, MATCHES), fields };
    }
    case 'link':
      return {
        action: pick(roll, ['link', 'link', 'unlink']),
        id,
        association_id: pick(roll, ASSOCIATIONS),
        target_id: linkedOf(world, roll, id) ?? pick(roll, targets),
        precondition,
      };
  }
}

/** At times, a record that the record is linked to now. */
function linkedOf(world: World, roll: Picker, id: string): string | undefined {
  if (roll(2) === 0) return undefined;
  const names = [...world.links].filter((name) => name.includes(` ${id} `));
  const { a_reference, model_id } = world.gadgets.get(id)?.fields ?? {};
  const linked = [...names.map((name) => name.split(' ')[2]), a_reference, model_id];
  return pick(
    roll,
    linked.filter((one) => typeof one === 'string'),
  ) as string | undefined;
}

const ACTIONS = [
  ...([
    'create',
    'create',
    'create',
    'create',
    'update',
    'update',
    'update',
    'status',
    'status',
  ] as const),
  ...(['delete', 'upsert', 'upsert', 'link', 'link', 'link', 'link'] as const),
];
const POWERFUL = [0, 0, 0, 0, 3, 3, 3];
const NAMES = ['Alpha', 'Beta gamma', 'Delta-9 epsilon', 'Zeta', 'Zeta', 'Zeta', 'Alpha eta', null];
const MATCHES = [
  { code: 'AA' },
  { code: 'BB' },
  { code: 'CC' },
  { a_integer: 1 },
  { a_text: 't1', a_integer: 2 },
  { a_integer: 2, a_text: 't1' },
  { name: 'Zeta' },
  { secret: 's1' },
  { code: null },
  { nothing: 1 },
  {},
  { status: 'built', name: 'Zeta' },
];
const ASSOCIATIONS = [
  ...['link.uses', 'link.badge', 'link.bin', 'link.spares', 'link.twins', 'link.peers'],
  ...['ref.a_reference', 'ref.model_id', 'ref.model_id', 'link.none', 'inv.gadgets.model_id'],
];

function fieldsOf(world: World, roll: Picker): Record<string, unknown> {
  const user = (name: string) => sample.caller(name).user.id;
  const values: Readonly<Record<string, readonly unknown[]>> = {
    name: NAMES,
    code: ['AA', 'BB', 'CC', 'DD', 'EE', null, 'x'],
    rating: [1, 2, 5, null, 9],
    secret: ['s1', 's2', null],
    a_text: ['t1', 't2', '', null],
    a_integer: [1, 2, 1, 2, null, 'one'],
    a_user: [user('anna'), user('ben'), user('cleo'), user('ian'), user('bot'), null],
    owner_user_id: [user('anna'), user('ben'), user('cleo'), user('dora'), user('ian')],
    a_reference: [...parts.keys(), ABSENT, null],
    model_id: [...world.gadgets.keys(), ABSENT, null].slice(-6),
    x_text: ['custom', 'other', '', null],
    x_level: ['red', 'green', 'purple', null],
    serial: ['s'],
    status: ['built'],
    nothing: [1],
  };
  const keys = [...Object.keys(values).slice(0, 12), ...Object.keys(values).slice(0, 12)];
  if (roll(4) === 0) keys.push('serial', 'status', 'nothing');
  const fields: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (let count = roll(4); count > 0; count -= 1) {
    const key = pick(roll, keys);
    const into = key.startsWith('x_') ? custom : fields;
    into[key] = pick(roll, values[key] as readonly unknown[]);
  }
  return Object.keys(custom).length === 0 ? fields : { ...fields, custom_fields: custom };
}

/** The answer of the service; a body as the interface would show it. */
type Answer =
  | { readonly ok: true; readonly replayed: boolean; readonly body: readonly Shown[] }
  | { readonly ok: false; readonly refusal: Refusal };

interface Shown {
  readonly action: string;
  readonly id: string;
  readonly created: boolean;
  readonly version?: string;
  /** The model's record, and the one that the client gets. */
  readonly record?: Readonly<Record<string, unknown>>;
}

function shownOf({ plan, results }: Written, actor: Request['actor']): readonly Shown[] {
  return results.map(({ action, id, created, row }) => {
    if (row === undefined) return { action, id, created };
    const { hidden } = actor;
    const record = {
      ...withoutHidden(modelled(row), hidden),
      presented: presentRecord(plan, row, actor.caller),
    };
    return { action, id, created, version: versionToken(row), record };
  });
}

async function send({ actor, operations, batch, key }: Request): Promise<Answer> {
  const { db, model } = sample;
  const context = { db, model, caller: actor.caller, requestId: null };
  const gadgets = sample.object('gadgets');
  const request = { operations: operations as WriteOperation[], source: 'api', batch } as const;
  try {
    if (key === undefined) {
      const body = shownOf(await writeRecords(context, gadgets, request), actor);
      return { ok: true, replayed: false, body };
    }
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([operations, batch]))
      .digest();
    const answer = await writeOnce(context, gadgets, request, {
      claim: { key, fingerprint },
      respond: (written) => ({ status: 200, body: shownOf(written, actor), fields: [] }),
    });
    const body = JSON.parse(JSON.stringify(answer.body)) as readonly Shown[];
    return { ok: true, replayed: answer.replayed === true, body };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ok: false, refusal: { code: error.code, param: error.param ?? '' } };
  }
}

interface Stored {
  readonly print: string;
  readonly body: readonly Shown[];
  /** Owner of each record when it was written, or before it was deleted. */
  readonly owners: ReadonlyMap<string, unknown>;
}

type Memory = Map<string, Stored>;

/** Send the request and compare the answer with that of the model; the model then has the change too. */
async function step(world: World, memory: Memory, request: Request): Promise<string> {
  const { actor, operations, batch, key } = request;
  const place = `${keyOf(actor.caller.principal)?.id} ${key}`;
  const print = JSON.stringify([operations, batch]);
  const stored = key === undefined ? undefined : memory.get(place);
  const answer = await send(request);
  if (stored !== undefined) {
    expect(answer).toEqual(replayOf(world, actor, stored, print));
    return answer.ok ? 'replayed' : answer.refusal.code;
  }
  const owners = new Map([...world.gadgets].map(([id, one]) => [id, one.fields.owner_user_id]));
  const validated = validate(world, actor, operations, batch);
  if ('code' in validated) {
    expect(answer).toEqual({ ok: false, refusal: validated });
    return validated.code;
  }
  const trial: World = structuredClone({ ...world, audit: [...world.audit] });
  const refusal = apply(trial, actor, validated, idsOf(validated, answer));
  if (refusal !== undefined) {
    expect(answer).toMatchObject({ ok: false, refusal: { code: refusal.code } });
    return refusal.code;
  }
  expect(answer).toMatchObject({ ok: true, replayed: false });
  if (!answer.ok) throw new Error('not reached');
  requireShown(trial, request, validated, answer.body);
  replaceWorld(world, trial);
  if (key !== undefined) {
    const now = [...world.gadgets].map(([id, one]) => [id, one.fields.owner_user_id] as const);
    memory.set(place, { print, body: answer.body, owners: new Map([...owners, ...now]) });
  }
  return validated.every(({ kind }) => kind === 'none') ? 'unchanged' : 'ok';
}

function replayOf(world: World, actor: Actor, stored: Stored, print: string): Answer {
  if (stored.print !== print) {
    return { ok: false, refusal: { code: 'idempotency_key_reused', param: 'Idempotency-Key' } };
  }
  const isReadable = stored.body.every(({ id }) => {
    const present = world.gadgets.get(id);
    return canRead(
      actor,
      present === undefined ? stored.owners.get(id) : present.fields.owner_user_id,
    );
  });
  if (isReadable) return { ok: true, replayed: true, body: stored.body };
  return { ok: false, refusal: { code: 'record_not_found', param: 'record_id' } };
}

function idsOf(effects: readonly Effect[], answer: Answer): readonly string[] {
  return effects.map(({ id }, index) => {
    return id ?? (answer.ok ? (answer.body[index]?.id as string) : `new ${index}`);
  });
}

function requireShown(
  world: World,
  { operations, batch, actor: { hidden } }: Request,
  effects: readonly Effect[],
  body: readonly Shown[],
): void {
  expect(body).toHaveLength(operations.length);
  for (const [index, shown] of body.entries()) {
    const effect = effects[index] as Effect;
    expect(shown.action).toBe(operations[index]?.action);
    expect(shown.created).toBe(effect.kind === 'create');
    const gadget = world.gadgets.get(shown.id);
    if (effect.kind === 'delete' || gadget === undefined) {
      expect(shown.record).toBeUndefined();
      continue;
    }
    expect(shown.version).toBe(tokenOf(gadget));
    // A batch shows only the version.
    if (batch) continue;
    const { presented: _, ...known } = shown.record ?? {};
    expect(known).toEqual(withoutHidden(expected(gadget), hidden));
  }
}

/** As seen by someone who may not read some of the fields. */
function withoutHidden({ fields, ...rest }: Modelled, hidden: readonly string[]): Modelled {
  const shown = Object.entries(fields).map(([key, value]) => {
    return [key, hidden.includes(key) ? null : value];
  });
  return { ...rest, fields: Object.fromEntries(shown) };
}

interface Modelled {
  readonly id: unknown;
  readonly version: unknown;
  readonly status: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The part of a row that the model has. */
function modelled(row: Row): Modelled {
  const custom = row.custom_fields as Row;
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    fields: Object.fromEntries(FIELDS.map((key) => [key, row[key] ?? custom[key] ?? null])),
  };
}

function expected({ id, version, status, fields }: Gadget): Modelled {
  return {
    id,
    version,
    status,
    fields: Object.fromEntries(FIELDS.map((key) => [key, fields[key] ?? null])),
  };
}

const FIELDS = [
  ...['name', 'code', 'rating', 'due', 'secret', 'a_text', 'a_integer', 'a_user'],
  ...['owner_user_id', 'a_reference', 'model_id', 'x_text', 'x_level', 'serial'],
];

function replaceWorld(world: World, next: World): void {
  world.gadgets.clear();
  for (const [id, gadget] of next.gadgets) world.gadgets.set(id, gadget);
  world.links.clear();
  for (const link of next.links) world.links.add(link);
  world.audit.splice(0, world.audit.length, ...next.audit);
}

function rows(text: string): Promise<readonly Row[]> {
  return sample.own.rows(text.replaceAll(/\bs\./g, `"${sample.model.schema}".`));
}

/** The workspace holds exactly the data of the model. */
async function requireState(world: World, memory: Memory): Promise<void> {
  const gadgets = await rows('select * from s.gadgets order by id');
  const wanted = [...world.gadgets.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(gadgets.map(modelled)).toEqual(wanted.map(expected));
  expect(gadgets.map((row) => row.created_by_user_id)).toEqual(wanted.map(({ author }) => author));
  const links = await rows(
    `select relationship || ' ' || from_id || ' ' || to_id as link from s._links`,
  );
  expect(links.map(({ link }) => link).sort()).toEqual([...world.links].sort());
  const audit = await rows(
    `select record_id, action, changed_fields, user_id from s._audit where object_type = 'gadgets'`,
  );
  const line = ({ record_id, action, changed_fields, user_id }: Row) =>
    `${record_id} ${action} ${(changed_fields as string[]).toSorted()} ${user_id}`;
  const audited = world.audit.map((row) => line(row as unknown as Row));
  expect(audit.map(line).sort()).toEqual(audited.sort());
  const keys = await rows('select api_key_id, key, body from s._idempotency');
  const kept = keys.map(({ api_key_id, key, body }) => [`${api_key_id} ${key}`, body] as const);
  const remembered = [...memory].map(([place, { body }]) => [place, body]);
  expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(remembered));
  await requireSearch(gadgets);
}

/** The index equals one that is rebuilt from the records. */
async function requireSearch(gadgets: readonly Row[]): Promise<void> {
  const { rows: wanted, words } = searchRowsOf(sample.object('gadgets'), gadgets);
  const found = await rows(
    `select record_id, source, place, text, reach_user_id, words::text from s._search
      where source like 'gadgets.%'`,
  );
  const line = ({ words: own, ...row }: Record<string, unknown> | SearchRow) =>
    JSON.stringify([
      ...Object.entries(row).sort(),
      String(own)
        .split(/(?<=') /)
        .sort(),
    ]);
  expect(found.map(line).sort()).toEqual(wanted.map(line).sort());
  const partRows = await rows('select * from s.parts');
  const others = searchRowsOf(sample.object('parts'), partRows).words;
  const known = await rows('select distinct word from s._search_words');
  expect(known.map(({ word }) => word).sort()).toEqual([...new Set([...words, ...others])].sort());
}

test(
  'random writes follow the rules, one after the other',
  async () => {
    const tally = new Map<string, number>();
    const seeds = fc.array(fc.noBias(fc.integer()), { minLength: LENGTH, maxLength: LENGTH });
    await fc.assert(
      fc.asyncProperty(seeds, async (steps) => {
        const keep = [...parts.keys()].map((id) => `'${id}'`).join(',');
        await rows('delete from s.gadgets');
        await rows(`delete from s._audit where not record_id in (${keep})`);
        await rows(`delete from s._search where not record_id in (${keep})`);
        await rows(`delete from s._search_words w where not exists (
          select from s._search f where split_part(f.text, ' ', 1) = w.word)`);
        await rows('delete from s._links');
        await rows('delete from s._idempotency');
        const world = newWorld();
        const memory: Memory = new Map();
        const earlier: Request[] = [];
        for (const [index, seed] of steps.entries()) {
          const request = requestOf(world, dice(seed), earlier);
          earlier.push(request);
          const { actor, operations, key } = request;
          const about = `step ${index}: ${actor.name} ${key ?? ''} ${JSON.stringify(operations)}`;
          const outcome = await step(world, memory, request).catch((error: Error) => {
            throw new Error(`${about}\n${error.message}`, { cause: error });
          });
          tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
        }
        await requireState(world, memory);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    if (RUNS > 4) console.log(tally);
    const outcomes = ['ok', 'unchanged', 'replayed', 'conflict', 'invalid_write', 'stale_record'];
    for (const outcome of outcomes) expect(tally.get(outcome), outcome).toBeGreaterThan(0);
  },
  60_000 + RUNS * 10_000,
);

function newWorld(): World {
  const user = (name: string) => sample.caller(name).user.id;
  return {
    gadgets: new Map(),
    parts,
    links: new Set(),
    audit: [],
    people: {
      active: ['anna', 'ben', 'cleo', 'dora', 'bot'].map(user),
      north: ['ben', 'cleo'].map(user),
      dora: user('dora'),
    },
  };
}
