// The workspace of the access matrix: one person for every combination of grants and field access, and the kinds of
// objects for the attempts. It is the oracle's only source of the rights.

export type Reach = 'own' | 'team' | 'organisation' | null;
export type FieldAccess = 'none' | 'read' | 'write';
export type Action = 'create' | 'read' | 'update' | 'delete';
export type Grants = Readonly<Record<Action, Reach>>;

/** A person and the rights that result from their roles. */
export interface Persona {
  readonly name: string;
  readonly grants: Grants;
  /** Access to the fields of `GUARDED`. */
  readonly field: FieldAccess;
  /** The places that they may read, of those that records refer to. */
  readonly places: Reach;
  readonly assign: boolean;
  readonly directory: boolean;
  readonly developer: boolean;
  readonly active: boolean;
  readonly kind: 'user' | 'agent';
  /** Keys of roles in the definition. */
  readonly roles: readonly string[];
}

/** An object the matrix is about; all have the same guarded fields. */
export interface Subject {
  readonly type: string;
  /** The display field. */
  readonly title: string;
  readonly owned: boolean;
  readonly workflow: boolean;
  readonly commentable: boolean;
  /** Part of `GET /search`. */
  readonly searched: boolean;
  /** False: the API writes none of its records. */
  readonly writable: boolean;
  /** Readable fields of everyone who reads the record. */
  readonly open: readonly string[];
}

const system = ['id', 'created_at', 'updated_at'];

export const SUBJECTS: readonly Subject[] = [
  subject({ type: 'deals', title: 'name', commentable: true, searched: false }),
  subject({
    type: 'work_items',
    title: 'title',
    commentable: true,
    open: [
      ...['public_id', 'custom_status_id', 'title', 'description', 'due_date'],
      ...['work_item_type_id', 'parent_work_item_id'],
    ],
  }),
  subject({ type: 'boats', title: 'title', owned: false }),
  subject({ type: 'reports', title: 'title', workflow: false }),
  subject({ type: 'ledgers', title: 'title', writable: false }),
];

function subject(traits: Partial<Subject> & Pick<Subject, 'type' | 'title'>): Subject {
  const { owned = true, workflow = true, open = [traits.title] } = traits;
  return {
    ...{ commentable: false, searched: true, writable: true },
    ...traits,
    ...{ owned, workflow },
    open: [
      ...system,
      ...(owned ? ['owner_user_id'] : []),
      ...(workflow ? ['status'] : []),
      ...open,
    ],
  };
}

/** Fields a role grants together; `extra` is the one under `custom_fields`. */
export const GUARDED = ['probe', 'rank', 'place_id', 'extra'] as const;

const guardedFields = {
  probe: { type: 'text', searchable: true },
  rank: { type: 'integer' },
  place_id: { type: 'reference', reference_object_type: 'places' },
  extra: { type: 'text', storage: 'jsonb' },
};

const grants = (read: Reach, create: Reach, update: Reach, erase: Reach): Grants => {
  return { read, create, update, delete: erase };
};

const GRANTS: Readonly<Record<string, Grants>> = {
  nil: grants(null, null, null, null),
  blind: grants(null, 'organisation', 'organisation', 'organisation'),
  own_all: grants('own', 'own', 'own', 'own'),
  own_read: grants('own', null, null, null),
  own_wide: grants('own', 'organisation', 'organisation', 'organisation'),
  team_all: grants('team', 'team', 'team', 'team'),
  team_read: grants('team', null, null, null),
  team_mixed: grants('team', 'own', 'own', null),
  org_all: grants('organisation', 'organisation', 'organisation', 'organisation'),
  org_read: grants('organisation', null, null, null),
  org_mixed: grants('organisation', 'own', 'own', 'team'),
  org_team: grants('organisation', null, 'team', 'own'),
};

interface Traits extends Partial<Persona> {
  readonly of: string;
  readonly field: FieldAccess;
}

function persona(name: string, { of, field, ...traits }: Traits): Persona {
  return {
    name,
    grants: GRANTS[of] as Grants,
    field,
    places: 'organisation',
    assign: false,
    directory: false,
    developer: true,
    active: true,
    kind: 'user',
    roles: [`${of}_${field}`, 'visitor', 'developer'],
    ...traits,
  };
}

const ACCESSES: readonly FieldAccess[] = ['none', 'read', 'write'];
const developer = ['developer'];

/** Every combination of grants and field access. */
const PLAIN = Object.keys(GRANTS).flatMap((of) =>
  ACCESSES.map((field) => persona(`${of}-${field}`, { of, field })),
);

const SPECIAL: readonly Persona[] = [
  // Roles add up: the wider reach and the wider access of the two.
  persona('union', {
    ...{ of: 'own_all', field: 'write' },
    grants: grants('organisation', 'own', 'own', 'own'),
    roles: ['own_all_write', 'org_read_none', 'visitor', 'developer'],
  }),
  persona('near', {
    ...{ of: 'org_all', field: 'write', places: 'own' },
    roles: ['org_all_write', 'near', ...developer],
  }),
  persona('homeless', {
    ...{ of: 'org_all', field: 'write', places: null },
    roles: ['org_all_write', ...developer],
  }),
  ...['own_all', 'team_all', 'org_all'].map((of) =>
    persona(`assigner-${of}`, {
      ...{ of, field: 'write', assign: true },
      roles: [`${of}_write`, 'visitor', 'developer', 'assigner'],
    }),
  ),
  persona('clerk', {
    ...{ of: 'team_all', field: 'read', directory: true },
    roles: ['team_all_read', 'visitor', 'developer', 'clerk'],
  }),
  persona('inactive', { of: 'org_all', field: 'write', active: false }),
  persona('withdrawn', {
    ...{ of: 'org_all', field: 'write', developer: false },
    roles: ['org_all_write', 'visitor'],
  }),
  persona('agent', { of: 'org_all', field: 'write', kind: 'agent' }),
  persona('agent-own', { of: 'own_all', field: 'read', kind: 'agent' }),
];

export const PERSONAS: readonly Persona[] = [...PLAIN, ...SPECIAL];

/** People with records of their own who send no requests: of everybody's team, and of another. */
export const BYSTANDERS = { mate: 'North', stranger: 'South', outsider: 'South' } as const;

export const membersOf = (team: 'North' | 'South'): readonly string[] => [
  ...Object.entries(BYSTANDERS).flatMap(([name, of]) => (of === team ? [name] : [])),
  ...(team === 'North' ? PERSONAS.map(({ name }) => name) : []),
];

export const emailOf = (name: string) => `${name}@matrix.example`;

const byKey = <Value>(entries: Iterable<readonly [string, Value]>) => Object.fromEntries(entries);

function grantOf({ read, create, update, delete: erase }: Grants, field: FieldAccess) {
  const reaches = Object.entries({ read, create, update, delete: erase });
  return {
    ...byKey(reaches.filter(([, reach]) => reach !== null)),
    fields: byKey(GUARDED.map((key) => [key, field])),
  };
}

const roles = {
  developer: { developer: true },
  assigner: { assign_owner: true },
  clerk: { directory: true },
  visitor: { objects: { places: { read: 'organisation' } } },
  near: { objects: { places: { read: 'own' } } },
  ...byKey(
    Object.entries(GRANTS).flatMap(([of, grants]) =>
      ACCESSES.map((field) => {
        const objects = byKey(SUBJECTS.map(({ type }) => [type, grantOf(grants, field)]));
        return [`${of}_${field}`, { objects }] as const;
      }),
    ),
  ),
};

function objectOf({ type, title, owned, workflow, writable }: Subject) {
  const isCustom = type !== 'deals' && type !== 'work_items';
  return {
    ...(isCustom ? { name: type, singular_name: type.slice(0, -1), display_field: title } : {}),
    ...(owned ? {} : { owned }),
    ...(workflow && type !== 'work_items' ? { workflow: 'flow' } : {}),
    ...(writable ? {} : { capabilities: { create: false, update: false, delete: false } }),
    history: { keep: 'forever' },
    // The whole matrix holds with a trash as well; test/access/trash-rights.full.test.ts is about the records in it.
    ...(type === 'deals' ? { trash: { keep: '30d' } } : {}),
    fields: {
      ...(isCustom ? { [title]: { type: 'text', required: true } } : {}),
      ...(type === 'deals' ? { company_id: null } : {}),
      ...guardedFields,
    },
  };
}

const linkName = (type: string) => `${type}_places`;
export const linkId = ({ type }: Subject) => `link.${linkName(type)}`;
export const inverseId = ({ type }: Subject) => `inv.${type}.place_id`;

const people = [
  ...PERSONAS.map((one) => [one.name, one] as const),
  ...Object.keys(BYSTANDERS).map((name) => [name, undefined] as const),
  ['admin', undefined] as const,
];

const gone = (keys: readonly string[]) => byKey(keys.map((key) => [key, null] as const));

/** The document; the other workspace has the same one with a text of its own in every label. */
export function documentOf(mark = ''): unknown {
  return {
    name: `Matrix ${mark}`,
    objects: {
      ...gone(['companies', 'contacts', 'meetings', 'events', 'products']),
      places: {
        ...{ name: `Places ${mark}`, singular_name: 'Place', display_field: 'title' },
        fields: { title: { type: 'text', required: true } },
      },
      ...byKey(SUBJECTS.map((one) => [one.type, objectOf(one)])),
    },
    relationships: {
      ...gone(['contacts_deals', 'companies_meetings', 'contacts_meetings', 'deals_meetings']),
      ...gone(['contacts_events', 'companies_events']),
      ...byKey(
        SUBJECTS.map(({ type }) => {
          const ends = { kind: 'link', from: type, to: 'places', cardinality: 'many_to_many' };
          return [linkName(type), { name: `At ${mark}`, ...ends }];
        }),
      ),
    },
    workflows: {
      flow: {
        ...{ name: `Flow ${mark}`, initial: 'open' },
        statuses: {
          open: {
            name: `Open ${mark}`,
            transitions: ['done', { to: 'closed', approvers: { users: [emailOf('mate')] } }],
          },
          closed: { name: `Closed ${mark}` },
          done: { name: `Done ${mark}`, transitions: ['open'] },
        },
      },
      unused: { name: 'Unused', initial: 'open', statuses: { open: { name: 'Open' } } },
    },
    work_item_types: { task: { name: `Task ${mark}`, prefix: 'TASK', workflow: 'flow' } },
    roles,
    users: byKey(
      people.map(([name, one]) => {
        const { active = true, kind = 'user', roles: keys = ['admin'] } = one ?? {};
        return [emailOf(name), { name: `${name} ${mark}`.trim(), active, kind, roles: keys }];
      }),
    ),
    teams: {
      North: { members: membersOf('North').map(emailOf) },
      South: { description: mark, members: membersOf('South').map(emailOf) },
    },
  };
}
