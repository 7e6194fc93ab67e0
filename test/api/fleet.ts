// The cast in a larger workspace: relationships of every cardinality, approval gates, work-item types,
// and an object with every field type in both storages. For the tests of batches, links and keys.

import { beforeAll, expect, vi } from 'vitest';
import { FIELD_TYPES, type FieldType } from '../../src/model/values/field-types.ts';
import type { Answer, Client } from '../client.ts';
import { JSONB_TYPES, neededWords } from '../sample-definition.ts';
import { ACME, openWorldWith } from '../world.ts';
import { type Cast, useCast } from './cast.ts';

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
  delete: 'organisation',
} as const;

const COLOURS = [{ value: 'red' }, { value: 'blue' }, { value: 'green' }];
const typeWords = (type: FieldType) => neededWords(type, 'companies', COLOURS);

const ofEveryType = (prefix: string, words: object, types: readonly FieldType[] = FIELD_TYPES) =>
  Object.fromEntries(
    types.map((type) => [`${prefix}_${type}`, { type, ...typeWords(type), ...words }]),
  );

const link = (from: string, to: string, cardinality: string) => ({
  name: `${from} and ${to}`,
  kind: 'link',
  from,
  to,
  cardinality,
});

export const FLEET = {
  ...ACME,
  name: 'Fleet',
  objects: {
    ...ACME.objects,
    deals: {
      ...ACME.objects.deals,
      fields: {
        ...ACME.objects.deals.fields,
        partner_id: { type: 'reference', reference_object_type: 'companies', unique: true },
        related_id: { type: 'reference', reference_object_type: 'deals' },
        broker_id: { type: 'reference', reference_object_type: 'companies', editable: false },
        signed_at: { type: 'datetime', unique: true },
        rank: { type: 'number', unique: true },
      },
    },
    contracts: {
      name: 'Contracts',
      singular_name: 'Contract',
      display_field: 'title',
      workflow: 'approval',
      fields: { title: { type: 'text', required: true } },
    },
    gauges: {
      name: 'Gauges',
      singular_name: 'Gauge',
      display_field: 'label',
      fields: {
        label: { type: 'text' },
        ...ofEveryType('p', {}),
        ...ofEveryType('j', { storage: 'jsonb' }, JSONB_TYPES),
        p_preset: { type: 'datetime', default: '2026-01-01' },
        j_preset: {
          type: 'multi_select',
          storage: 'jsonb',
          options: [{ value: 'red' }],
          default: ['red'],
        },
      },
    },
  },
  relationships: {
    deals_products: link('deals', 'products', 'many_to_many'),
    deal_boat: link('deals', 'boats', 'one_to_one'),
    deal_agency: link('deals', 'companies', 'many_to_one'),
    company_events: link('companies', 'events', 'one_to_many'),
    friends: link('companies', 'companies', 'many_to_many'),
    spouses: link('contacts', 'contacts', 'one_to_one'),
  },
  workflows: {
    ...ACME.workflows,
    approval: {
      name: 'Approval',
      initial: 'draft',
      statuses: {
        draft: {
          name: 'Draft',
          transitions: [
            'shelved',
            { to: 'signed', approvers: { users: ['mia@acme.example'], teams: ['South'] } },
          ],
        },
        signed: { name: 'Signed' },
        shelved: { name: 'Shelved', transitions: ['draft', 'signed'] },
      },
    },
  },
  work_item_types: {
    task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline' },
    permit: { name: 'Permit', prefix: 'PER', workflow: 'approval' },
    old: { name: 'Old', prefix: 'OLD', workflow: 'pipeline', active: false },
  },
  roles: {
    ...ACME.roles,
    rep: {
      ...ACME.roles.rep,
      objects: {
        ...ACME.roles.rep.objects,
        contracts: everything,
        contacts: { create: 'own', read: 'organisation', update: 'own' },
      },
    },
    manager: {
      ...ACME.roles.manager,
      objects: { ...ACME.roles.manager.objects, contracts: everything },
    },
    clerk: {
      developer: true,
      objects: {
        deals: { ...everything, fields: { company_id: 'read', partner_id: 'none' } },
        companies: { read: 'organisation' },
      },
    },
  },
  users: { ...ACME.users, 'bea@acme.example': { name: 'Bea', roles: ['clerk'] } },
};

type Fields = Readonly<Record<string, unknown>>;

export interface Fleet extends Cast {
  /** May write deals but not their `company_id`, and cannot read their `partner_id`. */
  readonly bea: Client;
  /** Create a record as an administrator; its record. */
  make(object: string, fields: Fields): Promise<Answer['body']>;
  batch(
    client: Client,
    operations: readonly unknown[],
    object?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Change a record as an administrator, behind the back of the person under test. */
  set(object: string, id: string, fields: Fields): Promise<void>;
  /** Actions and changed fields of the audit rows of a record, oldest first. */
  trail(id: string): Promise<readonly (readonly [action: string, fields: string[]])[]>;
  /** Apply another document and wait until the service has it. */
  apply(document: { readonly name?: string }): Promise<void>;
}

/** Open a world before the tests of a file and close it afterwards. */
export function useFleet(): Fleet {
  const cast = useCast(() => openWorldWith(FLEET)) as Cast & { bea: Client };
  beforeAll(async () => {
    cast.bea = await cast.world.as('bea');
  });

  async function apply(document: { readonly name?: string }) {
    await cast.world.apply(document);
    // The service has a new definition at the latest after a second.
    const name = document.name as string;
    const isKnown = async () =>
      expect((await cast.ada.get('/me')).body.data.workspace.name).toBe(name);
    await vi.waitFor(isKnown, { timeout: 60_000, interval: 20 });
  }

  async function make(object: string, fields: Fields) {
    const answer = await cast.ada.post(`/objects/${object}/records`, { fields });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }

  return Object.assign(cast, {
    apply,
    make,
    batch: (
      client: Client,
      operations: readonly unknown[],
      object = 'deals',
      headers: Readonly<Record<string, string>> = {},
    ) => client.post(`/objects/${object}/records/batch`, { operations }, headers),
    async set(object: string, id: string, fields: Fields) {
      const answer = await cast.ada.patch(`/objects/${object}/records/${id}`, { fields });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    async trail(id: string) {
      const rows = await cast.world.rows(
        'select action, changed_fields from _audit where record_id = $1 order by id',
        [id],
      );
      return rows.map((row) => [row.action, row.changed_fields] as [string, string[]]);
    },
  });
}
