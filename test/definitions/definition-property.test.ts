// Random applications, one after the other, against a model in memory: fields come, go, are renamed, moved and change
// their types, alone and together. No value is lost that was not named, and a refusal changes nothing. LONGER=9 tries
// a thousand.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { applyDefinition, planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import { replaceRows } from '../../src/definitions/apply/prepare/search-index.ts';
import { sameSearch } from '../../src/definitions/changes/search-build.ts';
import { fittingValue } from '../../src/model/definition/fitting.ts';
import type { Field } from '../../src/model/definition/model.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../../src/model/values/field-types.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { loadPresent, requireSearchRows } from '../search-rows.ts';
import { timesOf } from '../until.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const APPLIES = timesOf(80);

/** Values that fit several types, and such that do not. */
const POOLS = {
  text: ['12', '007', '-3', '1.50', '2024-02-29', '2024-02-30', 'red', 'Ünï "x"', 'a@b.co'],
  long_text: ['12', 'two\nlines'],
  integer: [0, 5, -3, 2_147_483_647],
  number: [0, 1.5, -2, 1e-7, 123456789012345],
  date: ['2024-02-29', '0001-01-01'],
  datetime: ['2024-02-29T00:00:00.000Z', '2024-02-29T12:30:00.120Z'],
  select: ['red', 'blue'],
  email: ['a@b.co'],
} as const satisfies Partial<Record<FieldType, readonly unknown[]>>;
type Type = keyof typeof POOLS;
const TYPES = Object.keys(POOLS) as Type[];
const OPTIONS = ['red', 'blue'].map((value) => ({ value }));

interface FieldState {
  readonly key: string;
  readonly type: Type;
  readonly storage: 'physical' | 'jsonb';
  readonly minimum?: number;
  readonly indexed?: boolean;
  /** The key in the definition before. */
  readonly was: string | undefined;
}

interface State {
  readonly object: string;
  readonly status: string;
  readonly fields: readonly FieldState[];
  /** A text that is the name of a record and found as such. */
  readonly display: string | undefined;
  readonly owned: boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** One number after the other, always the same. */
function openRandom(seed: number) {
  const stream = fc.sample(fc.nat(1_000_000), { numRuns: 50_000, seed });
  let at = 0;
  return (below: number) => (stream[at++ % stream.length] as number) % below;
}

const random = openRandom(20261122);
const oneOf = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
let names = 0;
function newKey(prefix: string): string {
  names += 1;
  return `${prefix}_${names}`;
}

function changed(field: FieldState): FieldState | undefined {
  switch (random(8)) {
    case 0:
      return undefined;
    case 1:
      return { ...field, key: newKey('f') };
    case 2:
      return {
        ...field,
        storage: field.storage === 'jsonb' ? 'physical' : 'jsonb',
        indexed: false,
      };
    case 3:
      return { ...field, key: newKey('f'), type: oneOf(TYPES) };
    case 5:
      return {
        ...{ ...field, key: newKey('f'), type: oneOf(TYPES), indexed: false },
        storage: oneOf(['physical', 'jsonb'] as const),
      };
    case 4:
      return { ...field, indexed: field.storage === 'physical' && field.type !== 'long_text' };
    default:
      return { ...field, type: oneOf(TYPES) };
  }
}

function nextState({ object, status, fields, display, owned }: State): State {
  const kept = fields.map((field) => ({ ...field, was: field.key }));
  const touched = new Set(Array.from({ length: 1 + random(3) }, () => random(kept.length)));
  const after = kept.flatMap((field, at) => (touched.has(at) ? (changed(field) ?? []) : field));
  const added: FieldState[] = Array.from(
    { length: random(2) + (after.length < 4 ? 1 : 0) },
    () => ({
      key: newKey('f'),
      type: oneOf(TYPES),
      storage: oneOf(['physical', 'jsonb'] as const),
      was: undefined,
    }),
  );
  const next = [...after, ...added];
  const isName = ({ type, storage }: FieldState) => type === 'text' && storage === 'physical';
  const texts = next.filter(isName).map(({ key }) => key);
  const shown = next.find(({ was }) => was !== undefined && was === display)?.key;
  return {
    object: random(8) === 0 ? newKey('o') : object,
    status: random(8) === 0 ? newKey('s') : status,
    fields: next,
    display:
      shown !== undefined && texts.includes(shown) && random(4) > 0
        ? shown
        : oneOf([undefined, ...texts]),
    owned: random(10) === 0 ? !owned : owned,
  };
}

function documentOf(before: State, { object, status, fields, ...shape }: State): unknown {
  const gone = ['companies', 'contacts', 'deals', 'meetings', 'events', 'products', 'work_items'];
  const relationships = ['contacts_deals', 'companies_meetings', 'contacts_meetings'];
  const others = ['deals_meetings', 'contacts_events', 'companies_events'];
  return {
    objects: {
      ...Object.fromEntries(gone.map((key) => [key, null])),
      [object]: {
        ...{ name: 'Things', singular_name: 'Thing', workflow: 'flow', owned: shape.owned },
        ...(shape.display === undefined ? {} : { display_field: shape.display }),
        ...(object === before.object ? {} : { renamed_from: before.object }),
        fields: Object.fromEntries(fields.map((field) => [field.key, fieldOf(field)])),
      },
    },
    relationships: Object.fromEntries([...relationships, ...others].map((key) => [key, null])),
    workflows: {
      flow: {
        ...{ name: 'Flow', initial: status },
        statuses: {
          [status]: {
            name: 'S',
            ...(status === before.status ? {} : { renamed_from: before.status }),
          },
        },
      },
    },
  };
}

function fieldOf({ key, type, storage, indexed = false, was }: FieldState) {
  const isIndexed = indexed && storage === 'physical' && FIELD_TYPE_TRAITS[type].indexable;
  return {
    ...{ type, storage, indexed: isIndexed },
    ...(type === 'select' ? { options: OPTIONS } : {}),
    ...(was === undefined || was === key ? {} : { renamed_from: was }),
  };
}

interface Prediction {
  readonly isPossible: boolean;
  readonly losses: number;
  readonly records: ReadonlyMap<string, Values>;
}

const rulesOf = (type: Type) => ({ type, rules: type === 'select' ? { options: OPTIONS } : {} });

/** The records after the changes. */
function predict(before: State, after: State, records: ReadonlyMap<string, Values>): Prediction {
  let isPossible = true;
  let losses = before.fields.filter(
    ({ key }) => !after.fields.some(({ was }) => was === key),
  ).length;
  if (before.owned && !after.owned) losses += 1;
  const now = new Map<string, Record<string, unknown>>([...records.keys()].map((id) => [id, {}]));
  for (const field of after.fields) {
    const from = before.fields.find(({ key }) => key === field.was);
    if (from === undefined) continue;
    const conversion = FIELD_TYPE_TRAITS[from.type].becomes[field.type];
    const isSame = from.type === field.type;
    if (!isSame && conversion === undefined) isPossible = false;
    if (!isSame && conversion?.loses === true) losses += 1;
    for (const [id, values] of records) {
      const value = values[from.key];
      if (value === undefined) continue;
      const parsed = isSame
        ? { value }
        : fittingValue(rulesOf(from.type), rulesOf(field.type), value);
      const isCut = 'problem' in parsed && conversion?.loses === true;
      if ('problem' in parsed && !isCut) isPossible = false;
      const kept = 'value' in parsed ? parsed.value : String(value).slice(0, 10);
      (now.get(id) as Record<string, unknown>)[field.key] = kept;
    }
  }
  return { isPossible, losses, records: now };
}

const SLUG = 'random';

const present = () => loadPresent(own.db, workspace.id, state.object);

async function insert({ status, fields }: State): Promise<readonly [string, Values]> {
  const { model, object: known } = await present();
  const values = Object.fromEntries(
    fields.flatMap(({ key, type }) =>
      random(3) === 0 ? [] : [[key, oneOf<unknown>(POOLS[type])] as const],
    ),
  );
  const inside = fields.filter(({ storage, key }) => storage === 'jsonb' && key in values);
  const custom = Object.fromEntries(
    inside.map(({ key }) => [known.fields.get(key)?.custom_key, values[key]]),
  );
  const columns = Object.keys(values).filter((key) => !inside.some((one) => one.key === key));
  const marks = columns.map((_, at) => `, $${at + 3}`).join('');
  const [row] = await own.rows(
    `insert into ws_${SLUG}."${known.table}" (id, created_by_user_id, status, custom_fields
        ${columns.map((key) => `, "${known.fields.get(key)?.column}"`).join('')})
      values (gen_random_uuid(), 1, $1, $2::jsonb${marks}) returning id`,
    [status, JSON.stringify(custom), ...columns.map((key) => values[key])],
  );
  await replaceRows(own.db, model.schema, sameSearch(known), [String(row?.id)]);
  return [String(row?.id), values];
}

async function load({ status, fields }: State): Promise<ReadonlyMap<string, Values>> {
  const { object: known } = await present();
  const rows = await own.rows(`select * from ws_${SLUG}."${known.table}"`);
  return new Map(
    rows.map((row) => {
      expect([row.version, row.status]).toEqual([1, status]);
      const custom = row.custom_fields as Values;
      const values = fields.map(({ key, storage }) => {
        const { custom_key, column } = known.fields.get(key) as Field;
        return [key, (storage === 'jsonb' ? custom[custom_key] : row[column]) ?? undefined];
      });
      return [
        String(row.id),
        Object.fromEntries(values.filter(([, value]) => value !== undefined)),
      ];
    }),
  );
}

/** All dropped and replaced data is deleted. */
async function requireSwept(): Promise<void> {
  expect(await sweepLeftovers(own.db, workspace)).toBe(0);
  const { object } = await present();
  const names = [...object.fields.values()].flatMap(({ storage, custom_key }) =>
    storage === 'jsonb' ? custom_key : [],
  );
  const strange = await own.rows(
    `select k from ws_${SLUG}."${object.table}" t, jsonb_object_keys(t.custom_fields) k
      where not k = any($1::text[])
      union all select source from ws_${SLUG}._search where split_part(source, '.', 1) <> $2`,
    [names, object.search_name],
  );
  expect(strange).toEqual([]);
  const columns = await own.rows(
    `select attname::text as name from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by 1`,
    [`ws_${SLUG}."${object.table}"`],
  );
  const known = [...object.fields.values()].map(({ column }) => column);
  const expected = new Set([...known, 'version', 'created_by_user_id', 'custom_fields']);
  expect(columns.map(({ name }) => name)).toEqual([...expected].sort());
}

let workspace: WorkspaceRow;
let state: State;

test(`${APPLIES} applications lose only data that is named`, {
  timeout: APPLIES * 2000,
}, async () => {
  const first = (key: string, type: Type): FieldState => {
    return { key, type, storage: 'physical', was: undefined };
  };
  state = {
    object: 'things',
    status: 'open',
    fields: [first('a', 'text'), first('b', 'datetime'), first('c', 'number')],
    display: 'a',
    owned: true,
  };
  const document = documentOf(state, state);
  workspace = await createWorkspace(own.db, { slug: SLUG, document });
  let records: ReadonlyMap<string, Values> = new Map();
  const outcomes = { applied: 0, refused: 0, unnamed: 0 };
  for (let time = 0; time < APPLIES; time += 1) {
    // Few, so that most changes are possible.
    if (random(3) === 0 && records.size < 6) {
      records = new Map([...records, await insert(state)]);
    } else if (records.size === 6) {
      await own.rows(`delete from ws_${SLUG}."${(await present()).object.table}"`);
      await own.rows(`delete from ws_${SLUG}._search`);
      records = new Map();
    }
    const after = nextState(state);
    const document = documentOf(state, after);
    const expected = predict(state, after, records);
    const { problems, losses } = await planDefinition(own.db, SLUG, document);
    const about = `${time}: ${JSON.stringify([state, after, [...records]])}`;
    expect(problems.length === 0, about).toBe(expected.isPossible);
    if (expected.isPossible) expect(losses.length, about).toBe(expected.losses);
    const isNamed = random(5) > 0;
    const applied = await applyDefinition(own.db, SLUG, document, {
      allowDrop: isNamed ? losses : [],
    }).then(
      () => true,
      () => false,
    );
    expect(applied, about).toBe(expected.isPossible && (isNamed || losses.length === 0));
    outcomes[applied ? 'applied' : expected.isPossible ? 'unnamed' : 'refused'] += 1;
    if (applied) [state, records] = [after, expected.records];
    expect(await load(state), about).toEqual(records);
    await requireSearchRows(own.db, await present());
    if (random(4) === 0) await requireSwept();
  }
  expect(outcomes.applied).toBeGreaterThan(APPLIES / 4);
  expect(outcomes.refused).toBeGreaterThan(APPLIES / 20);
  expect(outcomes.unnamed).toBeGreaterThan(0);
});
