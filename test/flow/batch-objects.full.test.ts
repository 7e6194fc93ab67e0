// Random batches over several objects have the effect of their operations one by one, or none at all. There
// are two sets of records alike: operations are sent one by one to one set and as a batch to the other.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FLEET } from '../api/fleet.ts';
import type { Answer, Client } from '../client.ts';
import { timesOf } from '../until.ts';
import { openWorldWith, type World } from '../world.ts';

const RUNS = timesOf(60);

type Side = 'A' | 'B';
/** A record that was there before, or that of an earlier operation. */
type Name = { readonly known: number } | { readonly op: number };

interface Step {
  readonly action: string;
  readonly object: string;
  readonly id?: Name;
  readonly target?: Name;
  readonly association?: string;
  readonly status?: string;
  readonly body?: string;
  readonly code?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Key of a reference → record. */
  readonly references?: Readonly<Record<string, Name>>;
}

interface Known {
  readonly object: string;
  readonly ids: Readonly<Record<Side, string>>;
}

let world: World;
let people: readonly Client[];
const known: Known[] = [];

beforeAll(async () => {
  world = await openWorldWith(FLEET);
  people = await Promise.all(['ada', 'rob', 'mia', 'ada'].map((name) => world.as(name)));
  await seed();
});
afterAll(() => world?.close());

async function seed(): Promise<void> {
  for (const [object, count] of [
    ['companies', 6],
    ['contacts', 4],
    ['deals', 8],
    ['boats', 4],
    ['work_items', 4],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      const who = people[object === 'deals' && index % 2 === 0 ? 1 : 0] as Client;
      const ids = { A: '', B: '' };
      for (const side of ['A', 'B'] as const) {
        const own = known.filter((one) => one.object === 'companies').map((one) => one.ids[side]);
        const more = {
          boats: { company_id: own[index % own.length] },
          deals: index % 2 === 1 ? { code: `U${side}${index}`, company_id: own[index % 3] } : {},
          work_items: { work_item_type_id: 'task', title: `Item ${index}` },
        }[object as string];
        const title = object === 'work_items' ? {} : { name: `Seed ${index}` };
        const fields = { ...title, ...more };
        const answer = await who.post(`/objects/${object}/records`, { fields });
        expect(answer.status, JSON.stringify(answer.body)).toBe(201);
        ids[side] = answer.body.data.id;
      }
      known.push({ object, ids });
    }
  }
}

type Dice = (sides: number) => number;

/** Operations that a batch may take: ids once, codes once, references of an earlier object that fits. */
function stepsOf(roll: Dice): readonly Step[] {
  const steps: Step[] = [];
  const used = new Set<number>();
  const codes = new Set<number>();
  const pick = <Value>(values: readonly Value[]) => values[roll(values.length)] as Value;
  const knownOf = (object: string, isOnce: boolean): Name | undefined => {
    const free = known.flatMap((one, index) =>
      one.object === object && !(isOnce && used.has(index)) ? [index] : [],
    );
    if (free.length === 0) return undefined;
    const index = pick(free);
    if (isOnce) used.add(index);
    return { known: index };
  };
  const madeOf = (object: string): Name | undefined => {
    const earlier = steps.flatMap((step, op) =>
      step.object === object && step.action !== 'delete' ? [op] : [],
    );
    return earlier.length === 0 ? undefined : { op: pick(earlier) };
  };
  const nameOf = (object: string, isOnce: boolean) =>
    (roll(2) === 0 ? madeOf(object) : undefined) ?? knownOf(object, isOnce) ?? madeOf(object);
  const codeOf = () => {
    const code = roll(12);
    if (codes.has(code)) return undefined;
    codes.add(code);
    return `${code}`;
  };
  const references = (object: string): Record<string, Name> => {
    const kinds = {
      deals: { company_id: 'companies', related_id: 'deals' },
      boats: { company_id: 'companies' },
      work_items: { parent_work_item_id: 'work_items' },
    }[object];
    return Object.fromEntries(
      Object.entries(kinds ?? {}).flatMap(([key, target]) => {
        const name = roll(3) > 0 || object === 'boats' ? nameOf(target, false) : undefined;
        return name === undefined ? [] : [[key, name]];
      }),
    );
  };
  const length = 1 + roll(7);
  while (steps.length < length) {
    const object = pick(['companies', 'deals', 'deals', 'boats', 'contacts', 'work_items']);
    const titles = { work_items: 'title' } as Record<string, string>;
    const fields = { [titles[object] ?? 'name']: `Word${roll(9)} text${roll(9)}` };
    const amount = object === 'deals' && roll(3) === 0 ? { amount: roll(10) - 1 } : {};
    switch (
      pick([
        'create',
        'create',
        'update',
        'status',
        'delete',
        'upsert',
        'link',
        'comment',
        'unlink',
      ])
    ) {
      case 'create': {
        const type = object === 'work_items' ? { work_item_type_id: 'task' } : {};
        const code = object === 'deals' && roll(2) === 0 ? codeOf() : undefined;
        steps.push({
          ...{ action: 'create', object, fields: { ...fields, ...amount, ...type } },
          ...(code === undefined ? {} : { code }),
          references: references(object),
        });
        break;
      }
      case 'update': {
        const id = nameOf(object, true);
        if (id === undefined) break;
        const set = { ...fields, ...amount };
        steps.push({ action: 'update', object, id, fields: set, references: references(object) });
        break;
      }
      case 'status': {
        const id = nameOf('deals', true);
        const status = pick(['won', 'lost', 'open']);
        if (id !== undefined) steps.push({ action: 'status', object: 'deals', id, status });
        break;
      }
      case 'delete': {
        const id = knownOf(object, true);
        if (id !== undefined && roll(2) === 0) steps.push({ action: 'delete', object, id });
        break;
      }
      case 'upsert': {
        const code = codeOf();
        if (code !== undefined) steps.push({ action: 'upsert', object: 'deals', code, fields });
        break;
      }
      case 'link': {
        const [from, association, to] = pick([
          ['deals', 'assoc.contacts_deals', 'contacts'],
          ['companies', 'link.friends', 'companies'],
          ['deals', 'ref.company_id', 'companies'],
          ['deals', 'link.deal_boat', 'boats'],
        ] as const);
        const [id, target] = [nameOf(from, true), nameOf(to, false)];
        if (id === undefined || target === undefined) break;
        steps.push({ action: 'link', object: from, id, association, target });
        break;
      }
      case 'unlink': {
        const [id, target] = [nameOf('deals', true), nameOf('contacts', false)];
        if (id === undefined || target === undefined) break;
        const association = 'assoc.contacts_deals';
        steps.push({ action: 'unlink', object: 'deals', id, association, target });
        break;
      }
      case 'comment': {
        const on = pick(['companies', 'deals', 'contacts']);
        const id = nameOf(on, false);
        if (id !== undefined)
          steps.push({ action: 'comment', object: on, id, body: `Said ${roll(9)}` });
        break;
      }
    }
  }
  return steps;
}

type Render = (name: Name) => unknown;

function fieldsOf({ fields, references = {}, code, action }: Step, side: Side, render: Render) {
  const named = Object.entries(references).map(([key, name]) => [key, render(name)]);
  const coded = code === undefined || action === 'upsert' ? {} : { code: `U${side}${code}` };
  return { ...fields, ...coded, ...Object.fromEntries(named) };
}

/** The operation as a batch takes it. */
function operationOf(step: Step, side: Side, render: Render): Record<string, unknown> {
  const { action, object: object_type, id, target, association, status, body, code } = step;
  return {
    ...{ action, object_type },
    ...(id === undefined ? {} : { id: render(id) }),
    ...(target === undefined ? {} : { target_id: render(target), association_id: association }),
    ...(status === undefined ? {} : { status_id: status }),
    ...(body === undefined ? {} : { body, mention_user_ids: [world.users.mia] }),
    ...(action === 'upsert' ? { match: { code: `U${side}${code}` } } : {}),
    ...(step.fields === undefined ? {} : { fields: fieldsOf(step, side, render) }),
  };
}

/** The same as a request of its own; its record, or undefined when it is refused. */
async function sendAlone(who: Client, step: Step, side: Side, render: Render) {
  const operation = operationOf(step, side, render);
  const path = `/objects/${step.object}/records`;
  const own = `${path}/${operation.id}`;
  const { fields, target_id, status_id, body, mention_user_ids } = operation;
  const at = `${own}/relationships/${step.association}`;
  const calls: Readonly<Record<string, () => Promise<Answer>>> = {
    create: () => who.post(path, { fields }),
    update: () => who.patch(own, { fields }),
    status: () => who.post(`${own}/status`, { status_id }),
    delete: () => who.delete(own),
    link: () => who.post(at, { target_id }),
    unlink: () => who.delete(`${at}/${target_id}`),
    comment: () => who.post(`${own}/comments`, { body, mention_user_ids }),
    upsert: () => {
      const { object_type, ...upsert } = operation;
      return who.post(`${path}/batch`, { operations: [{ ...upsert, target: object_type }] });
    },
  };
  const answer = await calls[step.action]?.();
  if (answer === undefined || answer.status >= 300) return undefined;
  if (step.action === 'create') return String(answer.body.data.id);
  if (step.action === 'upsert') return String(answer.body.data.results[0].id);
  return String(operation.id);
}

/** One by one; the records as far as it went. */
async function sendEach(who: Client, steps: readonly Step[], side: Side): Promise<string[]> {
  const ids: string[] = [];
  for (const step of steps) {
    const id = await sendAlone(who, step, side, (name) =>
      'op' in name ? ids[name.op] : known[name.known]?.ids[side],
    );
    if (id === undefined) break;
    ids.push(id);
  }
  return ids;
}

const TABLES = ['companies', 'contacts', 'deals', 'boats', 'work_items'] as const;

/**
 * The audit rows of a delete: its own row and those of records that lose their reference, which are not other updates
 * of these batches. Consecutive deletes are written together, so these have no order among them.
 */
const OF_DELETES = `(action = 'delete' or action = 'update'
  and changed_fields <@ '{company_id,related_id,parent_work_item_id}'::text[])`;

function audited(which: string): string {
  return `select record_id as one, null as other, jsonb_build_array(object_type, record_id,
      action, changed_fields, user_id) as row
    from _audit where record_id is not null and ${which} order by transaction, id`;
}

/** All that is there of one side, with names in place of ids. */
async function stateOf(side: Side): Promise<unknown> {
  const names = new Map(known.map(({ ids }, index) => [ids[side], `record ${index}`]));
  const of = async (sql: string) => {
    const rows = await world.rows(sql);
    const own = rows.filter(
      ({ one, other }) => names.has(String(one)) && (other === null || names.has(String(other))),
    );
    return own.map(({ row }) =>
      JSON.stringify(row)
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => names.get(id) ?? id)
        .replaceAll(/U[AB](?=\d)/gi, 'u')
        .replaceAll(/TASK-\d+/g, 'TASK'),
    );
  };
  const times = `'{created_at,updated_at,public_id}'::text[]`;
  return {
    records: await Promise.all(
      TABLES.map(async (table) =>
        (
          await of(`select id as one, null as other, to_jsonb(t) - ${times} as row from ${table} t`)
        ).sort(),
      ),
    ),
    links: (
      await of(`select from_id as one, to_id as other,
        jsonb_build_array(relationship, from_id, to_id) as row from _links`)
    ).sort(),
    comments: await of(`select record_id as one, null as other,
      jsonb_build_array(record_id, object_type, body, author_user_id) as row
      from _comments order by created_at, id`),
    told: (
      await of(`select record_id as one, null as other,
        jsonb_build_array(user_id, object_type, record_id, author_user_id) as row from _notifications`)
    ).sort(),
    audit: await of(audited(`not ${OF_DELETES}`)),
    deleted: (await of(audited(OF_DELETES))).sort(),
    search: (
      await of(`select record_id as one, null as other, jsonb_build_array(record_id, source, place, text,
        reach_user_id) as row from _search where source <> 'work_items.public_id'`)
    ).sort(),
  };
}

test('a batch has the effect of its operations, or none', async () => {
  const outcomes = { whole: 0, none: 0 };
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat(3), async (numbers, person) => {
      const roll: Dice = (sides) => (numbers.next().value as number) % sides;
      const steps = stepsOf(roll);
      const who = people[person] as Client;
      if (hasKnownConflict(await holders(), steps)) return;
      const alone = await sendEach(who, steps, 'A');
      const before = await world.digest();
      const operations = steps.map((step) =>
        operationOf(step, 'B', (name) =>
          'op' in name ? { $op: name.op } : known[name.known]?.ids.B,
        ),
      );
      const answer = await who.post('/batch', { operations });
      const isWhole = alone.length === steps.length;
      outcomes[isWhole ? 'whole' : 'none'] += 1;
      expect(answer.status === 200, `${JSON.stringify([operations, answer.body])}`).toBe(isWhole);
      if (!isWhole) expect(await world.digest()).toBe(before);
      const made = isWhole
        ? answer.body.data.results.map(({ id }: { id: string }) => id)
        : await sendEach(who, steps.slice(0, alone.length), 'B');
      alone.forEach((id, index) => {
        if (known.some(({ ids }) => ids.A === id)) return;
        known.push({ object: steps[index]?.object as string, ids: { A: id, B: made[index] } });
      });
      expect(await stateOf('B')).toEqual(await stateOf('A'));
      if (isWhole) await expectVersions(answer.body.data.results);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(Math.min(outcomes.whole, outcomes.none)).toBeGreaterThan(RUNS / 10);
});

async function holders(): Promise<ReadonlyMap<string, string>> {
  const rows = await world.rows(`select id, code from deals where code like 'UA%'`);
  return new Map(rows.map(({ id, code }) => [String(code), String(id)]));
}

/** An upsert must not find a record that another operation names by its id. */
function hasKnownConflict(byCode: ReadonlyMap<string, string>, steps: readonly Step[]): boolean {
  const named = steps.flatMap(({ id }) =>
    id !== undefined && 'known' in id ? [known[id.known]?.ids.A] : [],
  );
  return steps.some(
    ({ action, code }) => action === 'upsert' && named.includes(byCode.get(`UA${code}`)),
  );
}

/** The versions of the answer are those that the records have. */
async function expectVersions(
  results: readonly {
    readonly object_type: string;
    readonly id: string;
    readonly version?: string;
  }[],
): Promise<void> {
  const ada = people[0] as Client;
  for (const { object_type, id, version } of results) {
    if (version === undefined) continue;
    const { status, body } = await ada.get(`/objects/${object_type}/records/${id}`);
    if (status === 200) expect(body.data.version).toBe(version);
  }
}
