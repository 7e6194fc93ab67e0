// The large workspaces of the benchmark: their definition document, and each record as a function of a seed and its
// number, so that parallel writers may write them in any order. Pure.

import type { FieldValues } from '../src/plan/write/write-operation.ts';

/** Raise it when the records change: kept data directories are made again. */
export const GENERATOR_VERSION = 3;

const USERS = 50;
const TEAMS = 5;
const WIDE_FIELDS = 500;

export const STAGES = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost'] as const;
const PRIORITIES = ['low', 'normal', 'high', 'urgent'];
const TAGS = ['renewal', 'upsell', 'partner', 'inbound', 'outbound', 'event', 'referral', 'trial'];
const SOURCES = ['web', 'phone', 'fair', 'partner', 'mail', 'campaign', 'other'];
const REGIONS = 'North South East West Central Nordic Baltic Alpine Coastal Island'.split(' ');
const COMPANIES = (
  'Acme Globex Initech Umbrella Hooli Vandelay Stark Wayne Wonka Cyberdyne Soylent Tyrell ' +
  'Aperture Massive Dynamic Oscorp Gringotts Duff Sirius Octan Krusty Monarch Virtucon Zorin ' +
  'Prestige Sterling Cooper Pied Piper Bluth Dunder Mifflin Paper Gekko Nakatomi Weyland'
).split(' ');
const KINDS = 'Rollout Renewal Licence Pilot Upgrade Migration Audit Training Support Order'.split(
  ' ',
);

const person = (number: number) => `person${number}@bench.example`;

const everything = {
  read: 'organisation',
  create: 'organisation',
  update: 'organisation',
} as const;

/** The workspace of `deals`: searched, owned, each type that can be filtered or sorted by. */
export const RECORDS_DEFINITION = {
  name: 'Bench',
  objects: {
    deals: {
      searchable: true,
      fields: {
        stage: select(STAGES, true),
        amount: { type: 'currency', currency: 'USD', scale: 2, indexed: true },
        close_date: { type: 'date', indexed: true },
        priority: select(PRIORITIES, false),
        tags: { ...select(TAGS, false), type: 'multi_select' },
        source: select(SOURCES, false),
        probability: { type: 'percent' },
        reviewer_id: { type: 'user' },
        note: { type: 'text', storage: 'jsonb' },
      },
    },
    narrow: sheet(5),
    wide: sheet(WIDE_FIELDS),
  },
  roles: {
    rep: { developer: true, objects: { deals: { ...everything, read: 'own' } } },
    lead: { developer: true, objects: { deals: { ...everything, read: 'team' } } },
  },
  users: Object.fromEntries([
    ['admin@bench.example', { name: 'Admin', roles: ['admin'] }],
    ...numbers(USERS).map((number) => [
      person(number),
      { name: `Person ${number}`, roles: [number < TEAMS ? 'lead' : 'rep'] },
    ]),
  ]),
  teams: Object.fromEntries(
    numbers(TEAMS).map((team) => [
      `Team ${team}`,
      { members: numbers(USERS).flatMap((user) => (user % TEAMS === team ? [person(user)] : [])) },
    ]),
  ),
};

/** One of many small workspaces: with the objects of the base document twenty record tables. */
export const SMALL_DEFINITION = {
  name: 'Small',
  objects: Object.fromEntries(
    numbers(13).map((number) => [
      `things_${number}`,
      {
        name: `Things ${number}`,
        singular_name: 'Thing',
        display_field: 'name',
        fields: { name: { type: 'text', indexed: true }, size: { type: 'number' } },
      },
    ]),
  ),
  users: { 'admin@bench.example': { name: 'Admin', roles: ['admin'] } },
};

/** The fields of company `number`. */
export function companyFields(number: number): FieldValues {
  const random = randomOf(number, 7);
  return { name: `${pick(COMPANIES, random())} ${pick(REGIONS, random())} ${number}` };
}

/** The fields of deal `number`; owners, stages, sizes and dates are as uneven as in real life. */
export function dealFields(
  number: number,
  users: readonly number[],
  companies: readonly string[],
): FieldValues {
  const random = randomOf(number, 1);
  const sometimes = <Value>(share: number, value: Value) => (random() < share ? value : null);
  const skewed = (power: number) => random() ** power;
  const day = (ago: number) => new Date(Date.UTC(2026, 10, 1) - ago * 86_400_000).toISOString();
  const title = [pick(COMPANIES, skewed(2)), pick(REGIONS, random()), pick(KINDS, random())];
  const note = sometimes(0.3, `Called about ${pick(KINDS, random())}, call again.`);
  return {
    name: `${title.join(' ')} ${Math.floor(random() * 2000)}`,
    company_id: sometimes(0.9, pick(companies, skewed(2))),
    owner_user_id: pick(users, skewed(2)),
    stage: sometimes(0.97, pick(STAGES, skewed(1.5))),
    amount: sometimes(0.9, Math.round(Math.exp(6 + 5 * random()) * 100) / 100),
    close_date: sometimes(0.75, day(Math.floor(1200 * random()) - 200).slice(0, 10)),
    priority: sometimes(0.6, pick(PRIORITIES, skewed(2))),
    tags: sometimes(0.4, [...new Set([pick(TAGS, skewed(2)), pick(TAGS, random())])]),
    source: sometimes(0.8, pick(SOURCES, skewed(2))),
    probability: sometimes(0.7, Math.floor(random() * 101)),
    reviewer_id: sometimes(0.3, pick(users, random())),
    created_at: day(1000 * random()),
    ...(note === null ? {} : { custom_fields: { note } }),
  };
}

/** The fields of a record of `narrow` or `wide`. */
export function sheetFields(number: number, width: number): FieldValues {
  const random = randomOf(number, 3);
  const cells = numbers(width - 1).map((column) => [
    `f${column}`,
    column % 2 === 0 ? Math.floor(random() * 1e6) : pick(KINDS, random()),
  ]);
  return { name: `Sheet ${number}`, ...Object.fromEntries(cells) };
}

export const SHEETS = { narrow: 5, wide: WIDE_FIELDS } as const;

function sheet(width: number) {
  const cells = numbers(width - 1).map((column) => [
    `f${column}`,
    { type: column % 2 === 0 ? 'integer' : 'text' },
  ]);
  return {
    name: `Sheets of ${width}`,
    singular_name: 'Sheet',
    searchable: false,
    display_field: 'name',
    fields: { name: { type: 'text', indexed: true }, ...Object.fromEntries(cells) },
  };
}

function select(values: readonly string[], indexed: boolean) {
  return { type: 'select', indexed, options: values.map((value) => ({ value })) };
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function pick<Value>(values: readonly Value[], random: number): Value {
  return values[Math.floor(random * values.length)] as Value;
}

/** Mulberry32: small, fast, and the same everywhere. */
export function randomOf(number: number, seed: number): () => number {
  let state = (Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
