// For each kind of definition change a pair of documents that makes one, and what its plan says. Documents are merge
// patches: `before` over START, `after` over that.

import type { Step } from '../../src/definitions/changes/kinds/index.ts';
import type { ChangeAction } from '../../src/model/definition/revision.ts';

export interface ChangeSample {
  readonly before?: object;
  readonly after: object;
  /** Of a rename: a patch over `after` that undoes it. */
  readonly back?: object;
  readonly path: string;
  readonly action: ChangeAction;
  /** The name that is to be allowed. */
  readonly loss?: string;
  /** The field whose history ends. */
  readonly ends?: string;
  readonly alters?: true;
  /** Rows before the change, by table and column, besides those of START. */
  readonly rows?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The stored values of a table's rows after the change. */
  readonly stored?: StoredValues;
}

interface StoredValues {
  readonly table: string;
  /** An expression of SQL. */
  readonly value: string;
  readonly are: readonly unknown[];
}

const gone = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));

const flow = { name: 'Flow', initial: 'open', statuses: { open: { name: 'Open' } } };
const vans = { name: 'Vans', singular_name: 'Van', fields: { plate: { type: 'text' } } };
const pairs = { name: 'Pairs', kind: 'link', from: 'cars', to: 'makers' };
const seller = { name: 'Seller' };

/** Two objects without the base, so that a workspace is made quickly. */
export const START = {
  objects: {
    ...gone('companies', 'contacts', 'deals', 'meetings', 'events', 'products', 'work_items'),
    cars: {
      ...{ name: 'Cars', singular_name: 'Car', display_field: 'name' },
      fields: {
        name: { type: 'text', indexed: true },
        code: { type: 'text' },
        label: { type: 'text' },
        gauge: { type: 'number' },
        maker_id: { type: 'reference', reference_object_type: 'makers' },
      },
    },
    makers: { name: 'Makers', singular_name: 'Maker', owned: false, fields: {} },
  },
  workflows: { flow },
  relationships: {
    ...gone('contacts_deals', 'companies_meetings', 'contacts_meetings', 'deals_meetings'),
    ...gone('contacts_events', 'companies_events'),
    pairs: { ...pairs, cardinality: 'many_to_many' },
  },
  users: { 'ann@example.org': { name: 'Ann', roles: ['admin'] } },
};

/** The record that START has in `cars`. */
export const CAR = { name: 'Al', code: 'x', label: 'y', gauge: 1.5 };

/** A row of the trash. */
const TRASHED = {
  ...{ record_id: '01900000-0000-7000-8000-000000000009', content: '{}', revision: 2 },
  ...{ deleted_by_user_id: 1, kept_until: '2100-01-01' },
};

const cars = (words: object) => ({ objects: { cars: words } });
const field = (key: string, words: object | null) => cars({ fields: { [key]: words } });
const ofCars = (key: string) => `objects.cars.fields.${key}`;

/** A kind without a sample does not compile. */
export const CHANGE_SAMPLES: Readonly<Record<Step['kind'], ChangeSample>> = {
  note: { after: cars({ name: 'Autos' }), path: 'objects.cars', action: 'change' },
  add_object: { after: { objects: { vans } }, path: 'objects.vans', action: 'add' },
  drop_object: {
    before: { objects: { vans } },
    after: { objects: { vans: null } },
    rows: { vans: { plate: 'z' } },
    ...{ path: 'objects.vans', action: 'remove', loss: 'vans' },
  },
  add_owner: {
    before: cars({ owned: false }),
    after: cars({ owned: true }),
    ...{ path: 'objects.cars.owned', action: 'add' },
  },
  drop_owner: {
    after: cars({ owned: false }),
    rows: { cars: { owner_user_id: 1 } },
    ...{ path: 'objects.cars.owned', action: 'remove', loss: 'cars.owner_user_id', alters: true },
  },
  add_status: {
    after: cars({ workflow: 'flow' }),
    stored: { table: 'cars', value: 'status', are: ['open'] },
    ...{ path: 'objects.cars.workflow', action: 'add' },
  },
  drop_status: {
    before: cars({ workflow: 'flow' }),
    after: cars({ workflow: null }),
    rows: { cars: { status: 'open' } },
    ...{ path: 'objects.cars.workflow', action: 'remove', loss: 'cars.status', alters: true },
  },
  drop_history: {
    before: cars({ history: { keep: '90d' } }),
    after: cars({ history: null }),
    ...{ path: 'objects.cars.history', action: 'remove', loss: 'history:cars', ends: '*' },
  },
  keep_trash: {
    after: cars({ trash: { keep: '30d' } }),
    ...{ path: 'objects.cars.trash', action: 'add' },
  },
  drop_trash: {
    before: cars({ trash: { keep: '30d' } }),
    after: cars({ trash: null }),
    rows: { _trash: { ...TRASHED, table_name: 'cars' } },
    stored: { table: '_trash', value: 'record_id', are: [] },
    ...{ path: 'objects.cars.trash', action: 'remove', loss: 'trash:cars' },
  },
  add_field: { after: field('color', { type: 'text' }), path: ofCars('color'), action: 'add' },
  drop_field: {
    after: field('gauge', null),
    ...{ path: ofCars('gauge'), action: 'remove', loss: 'cars.gauge', alters: true },
  },
  retype_field: {
    after: field('gauge', { type: 'text' }),
    stored: { table: 'cars', value: '"gauge#2"', are: ['1.5'] },
    ...{ path: ofCars('gauge'), action: 'change', alters: true },
  },
  move_field: {
    after: field('gauge', { storage: 'jsonb' }),
    stored: { table: 'cars', value: 'custom_fields', are: [{ gauge: 1.5 }] },
    ...{ path: ofCars('gauge'), action: 'change' },
  },
  put_formula: {
    before: field('twice', { type: 'formula', expression: 'gauge * 2', result_type: 'number' }),
    after: field('twice', { expression: 'gauge * 2 + 1' }),
    stored: { table: 'cars', value: "(to_jsonb(cars) ->> 'twice#2')::numeric", are: [4] },
    ...{ path: ofCars('twice'), action: 'change', alters: true },
  },
  rebuild_reference: {
    after: field('maker_id', { reference_object_type: 'cars' }),
    ...{ path: ofCars('maker_id'), action: 'change' },
  },
  index_field: {
    after: field('code', { indexed: true }),
    ...{ path: ofCars('code'), action: 'change' },
  },
  unindex_field: {
    after: field('name', { indexed: false }),
    ...{ path: ofCars('name'), action: 'change' },
  },
  make_unique: {
    after: field('code', { unique: true }),
    ...{ path: ofCars('code'), action: 'change' },
  },
  drop_unique: {
    before: field('code', { unique: true }),
    after: field('code', { unique: false }),
    ...{ path: ofCars('code'), action: 'change' },
  },
  index_text: {
    after: cars({ display_field: 'label' }),
    ...{ path: ofCars('label'), action: 'change' },
  },
  unindex_text: {
    before: cars({ display_field: 'code' }),
    after: cars({ display_field: 'label' }),
    ...{ path: ofCars('code'), action: 'change' },
  },
  reorder_field: { after: { sort_locale: 'sv' }, path: ofCars('name'), action: 'change' },
  index_search: {
    after: field('code', { searchable: true }),
    ...{ path: 'objects.cars', action: 'change' },
  },
  drop_links: {
    after: { relationships: { pairs: null } },
    stored: { table: '_links', value: 'relationship', are: [] },
    ...{ path: 'relationships.pairs', action: 'remove', loss: 'relationship:pairs' },
  },
  limit_links: {
    after: { relationships: { pairs: { cardinality: 'many_to_one' } } },
    stored: { table: '_links', value: 'array[from_one, to_one]', are: [[true, false]] },
    ...{ path: 'relationships.pairs', action: 'change' },
  },
  rename_object: {
    before: { objects: { vans } },
    after: { objects: { vans: null, trucks: { ...vans, renamed_from: 'vans' } } },
    back: { objects: { trucks: null, vans: { ...vans, renamed_from: 'trucks' } } },
    rows: { vans: { plate: 'z' } },
    stored: { table: 'vans', value: 'plate', are: ['z'] },
    ...{ path: 'objects.trucks', action: 'rename' },
  },
  rename_field: {
    after: cars({ fields: { gauge: null, calibre: { type: 'number', renamed_from: 'gauge' } } }),
    back: cars({ fields: { calibre: null, gauge: { type: 'number', renamed_from: 'calibre' } } }),
    stored: { table: 'cars', value: 'gauge::float', are: [1.5] },
    ...{ path: ofCars('calibre'), action: 'rename' },
  },
  rename_relationship: {
    after: {
      relationships: {
        pairs: null,
        couples: { ...pairs, cardinality: 'many_to_many', renamed_from: 'pairs' },
      },
    },
    back: {
      relationships: {
        couples: null,
        pairs: { ...pairs, cardinality: 'many_to_many', renamed_from: 'couples' },
      },
    },
    stored: { table: '_links', value: 'relationship', are: ['couples'] },
    ...{ path: 'relationships.couples', action: 'rename' },
  },
  rename_role: {
    before: { roles: { seller }, users: { 'bo@example.org': { name: 'Bo', roles: ['seller'] } } },
    after: {
      roles: { seller: null, trader: { ...seller, renamed_from: 'seller' } },
      users: { 'bo@example.org': { roles: ['trader'] } },
    },
    back: {
      roles: { trader: null, seller: { ...seller, renamed_from: 'trader' } },
      users: { 'bo@example.org': { roles: ['seller'] } },
    },
    stored: { table: '_users', value: 'roles', are: [['admin'], ['trader']] },
    ...{ path: 'roles.trader', action: 'rename' },
  },
  rename_status: {
    before: cars({ workflow: 'flow' }),
    after: {
      workflows: {
        flow: {
          initial: 'new',
          statuses: { open: null, new: { name: 'Open', renamed_from: 'open' } },
        },
      },
    },
    back: {
      workflows: {
        flow: {
          initial: 'open',
          statuses: { new: null, open: { name: 'Open', renamed_from: 'new' } },
        },
      },
    },
    rows: { cars: { status: 'open' } },
    stored: { table: 'cars', value: 'status', are: ['new'] },
    ...{ path: 'workflows.flow.statuses.new', action: 'rename' },
  },
  put_user: {
    after: { users: { 'ann@example.org': { title: 'Dr' } } },
    ...{ path: 'users.ann@example.org', action: 'change' },
  },
  put_team: {
    after: { teams: { North: { members: ['ann@example.org'] } } },
    ...{ path: 'teams.North', action: 'add' },
  },
  drop_team: {
    before: { teams: { North: { members: ['ann@example.org'] } } },
    after: { teams: { North: null } },
    ...{ path: 'teams.North', action: 'remove', loss: 'team:North' },
  },
};
