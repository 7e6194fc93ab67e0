// One workspace for the tests of the pure middle and of the two funnels: every field type in both
// kinds of storage, objects with and without owner, references, a workflow, and roles of each reach.

import { compileModel, type WorkspaceIdentity } from '../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../src/model/definition/definition.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import {
  type Access,
  callerOf as buildCaller,
  type Caller,
  SCOPES,
} from '../src/model/rights/access.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES, type FieldType } from '../src/model/values/field-types.ts';
import { OPTIONS } from './field-samples.ts';

const options = OPTIONS.map((value) => ({ value, label: value.toUpperCase() }));

/** The properties that a field of a type requires. */
export function neededWords(type: FieldType, target: string, choices: readonly object[]): object {
  const { words } = FIELD_TYPE_TRAITS[type];
  return {
    ...(words.includes('options') ? { options: choices } : {}),
    ...(words.includes('reference_object_type') ? { reference_object_type: target } : {}),
    ...(words.includes('currency') ? { currency: 'EUR' } : {}),
    ...(words.includes('multiple') ? { multiple: true } : {}),
  };
}

/** Types that can be stored under `custom_fields`. */
export const JSONB_TYPES: readonly FieldType[] = FIELD_TYPES.filter(
  (type) => FIELD_TYPE_TRAITS[type].refersTo === undefined && !FIELD_TYPE_TRAITS[type].holdsFiles,
);

/** Types whose values need no file that was uploaded before. */
export const PLAIN_TYPES: readonly FieldType[] = FIELD_TYPES.filter(
  (type) => !FIELD_TYPE_TRAITS[type].holdsFiles,
);

const typeWords = (type: FieldType) => neededWords(type, 'parts', options);

const physicalFields = Object.fromEntries(
  FIELD_TYPES.map((type) => [`a_${type}`, { type, ...typeWords(type) }] as const),
);
const jsonbFields = Object.fromEntries(
  JSONB_TYPES.map((type) => [`x_${type}`, { type, storage: 'jsonb', ...typeWords(type) }] as const),
);

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
  delete: 'organisation',
} as const;

function within(reach: 'own' | 'team') {
  return { create: reach, read: reach, update: reach, delete: reach } as const;
}

export const SAMPLE_DOCUMENT = {
  objects: {
    gadgets: {
      name: 'Gadgets',
      singular_name: 'Gadget',
      display_field: 'name',
      workflow: 'assembly',
      fields: {
        name: { type: 'text', required: true, indexed: true },
        ...physicalFields,
        ...jsonbFields,
        code: { type: 'text', unique: true, maxLength: 5, minLength: 2, pattern: '^[A-Z0-9]+$' },
        rating: { type: 'integer', minimum: 1, maximum: 5, default: 3 },
        price: { type: 'currency', currency: 'EUR', scale: 2, minimum: 0 },
        due: { type: 'datetime', default: '2030-01-01' },
        serial: { type: 'text', editable: false },
        secret: { type: 'text' },
        x_secret: { type: 'text', storage: 'jsonb' },
        x_level: { type: 'select', storage: 'jsonb', options, default: 'red' },
        constructor: { type: 'text', storage: 'jsonb' },
      },
    },
    parts: {
      name: 'Parts',
      singular_name: 'Part',
      display_field: 'label',
      owned: false,
      fields: { label: { type: 'text' }, weight: { type: 'number' } },
    },
    fittings: {
      name: 'Fittings',
      singular_name: 'Fitting',
      fields: {
        part_id: { type: 'reference', reference_object_type: 'parts', required: true },
        gadget_id: { type: 'reference', reference_object_type: 'gadgets', unique: true },
        note: { type: 'text', storage: 'jsonb', required: true },
      },
    },
    checks: {
      name: 'Checks',
      singular_name: 'Check',
      fields: { inspector_id: { type: 'user', default: 1 } },
    },
    ledgers: {
      name: 'Ledgers',
      singular_name: 'Ledger',
      display_field: 'title',
      capabilities: { create: false, update: false, delete: false },
      fields: { title: { type: 'text' } },
    },
  },
  workflows: {
    assembly: {
      name: 'Assembly',
      initial: 'new',
      statuses: {
        new: { name: 'New', transitions: ['built', 'new'] },
        built: { name: 'Built', transitions: ['sold'] },
        sold: { name: 'Sold' },
      },
    },
  },
  roles: {
    admin: { administrator: true },
    own: { objects: { gadgets: within('own'), parts: within('own'), fittings: within('own') } },
    team: { objects: { gadgets: within('team'), parts: within('team') } },
    organisation: {
      assign_owner: true,
      objects: {
        gadgets: everything,
        parts: everything,
        fittings: everything,
        checks: everything,
        ledgers: everything,
      },
    },
    reader: { objects: { gadgets: { read: 'organisation' }, parts: { read: 'organisation' } } },
    creator: { objects: { gadgets: { create: 'own', read: 'own' } } },
    updater: { objects: { gadgets: { read: 'organisation', update: 'own' } } },
    assigner: { assign_owner: true },
    veiled: {
      objects: {
        gadgets: {
          ...everything,
          fields: { secret: 'none', x_secret: 'none', serial: 'none', a_text: 'read' },
        },
      },
    },
    nameless: { objects: { gadgets: { ...everything, fields: { name: 'none' } } } },
    fixed_owner: { objects: { gadgets: { ...everything, fields: { owner_user_id: 'read' } } } },
  },
  users: {
    'anna@sample.test': { name: 'Anna', roles: ['admin'] },
    'ben@sample.test': { name: 'Ben', roles: ['team'] },
    'cleo@sample.test': { name: 'Cleo', roles: ['team'] },
    'dora@sample.test': { name: 'Dora', roles: ['own'] },
    'ian@sample.test': { name: 'Ian', roles: [], active: false },
    'bot@sample.test': { name: 'Bot', kind: 'agent', roles: ['organisation'] },
  },
  teams: { North: { members: ['ben@sample.test', 'cleo@sample.test'] } },
} as const;

export const SAMPLE_IDENTITY: WorkspaceIdentity = {
  id: 7,
  slug: 'sample',
  name: 'Sample',
  schema: 'ws_sample',
  revision: 1,
  cursor_secret: Buffer.alloc(32, 1),
};

/** The sample compiled without a database. */
export function sampleModel(): WorkspaceModel {
  return compileModel(SAMPLE_IDENTITY, SAMPLE_DOCUMENT as unknown as DefinitionDocument);
}

export function objectOf(model: WorkspaceModel, objectType: string): ObjectModel {
  const object = model.objects.get(objectType);
  if (object === undefined) throw new Error(`the sample has no ${objectType}`);
  return object;
}

export function fieldOf(object: ObjectModel, key: string): Field {
  const field = object.fields.get(key);
  if (field === undefined) throw new Error(`${object.object_type} has no ${key}`);
  return field;
}

export const SAMPLE_KEY = {
  kind: 'key',
  gates: true,
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Sample',
  type: 'personal',
  prefix: 'wrs_p_sample',
  expires_at: null,
  requests_per_minute: 300,
  scopes: SCOPES,
} as const;

export interface CallerOptions {
  readonly id?: number;
  readonly colleagues?: readonly number[];
  readonly kind?: 'user' | 'agent';
  readonly scopes?: readonly string[];
  readonly access?: Access;
}

/** Someone with these roles; the id is 1 and all scopes are given unless said otherwise. */
export function callerOf(
  model: WorkspaceModel,
  roles: readonly string[],
  { id = 1, colleagues = [], kind = 'user', scopes = SCOPES, access }: CallerOptions = {},
): Caller {
  const user = { id, name: 'Someone', email: null, title: null, kind };
  const person = { ...user, roles, team_ids: [], colleague_ids: [id, ...colleagues] };
  return buildCaller(model, person, { ...SAMPLE_KEY, scopes }, access);
}
