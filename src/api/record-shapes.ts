// Schemas of records and of the data model as the wire shows them (specification §2.1, §2.3–§2.6).

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { OBJECT_ICONS } from '../model/definition/object-icons.ts';
import { TINTS } from '../model/definition/tints.ts';
import { RollupSchema } from '../model/rollups/rollup-words.ts';
import { FIELD_TYPES } from '../model/values/field-types.ts';
import { nullable, Pagination } from './shapes.ts';

export const ObjectType = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,99}$',
  description: 'Object type, such as `companies` or the slug of a custom object.',
});

export const RecordId = Type.String({ minLength: 1, maxLength: 200 });

export const StatusId = Type.String({
  minLength: 1,
  maxLength: LIMITS.idLength,
  format: 'plain-text',
});

/** The `fields` of a write. */
export const WrittenFields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Field key → value; fields of storage `jsonb` under `custom_fields`.',
  examples: [{ name: 'Acme Corporation' }],
});

/** `ref.<field>`, `inv.<object>.<field>`, `assoc.<key>` or `link.<key>` (D55). */
export const AssociationId = Type.String({
  minLength: 1,
  maxLength: LIMITS.associationIdLength,
  format: 'plain-text',
  description: 'Id of a relationship, such as `ref.company_id`.',
});

/** References that a delete has cleared, by object type (D150). */
export const ClearedReferences = Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
  description:
    'How many records that the user may read lost a reference to the deleted record, by object type.',
  examples: [{ deals: 6 }],
});

/** The expansions of `expand`. */
export const Expanded = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), {
    description: [
      'The records and people that `expand` requests, by the key of the reference or user field. Null: there',
      'is none that the user may read.',
    ].join(' '),
  }),
);

export const RecordSchema = Type.Object(
  {
    object_type: Type.String(),
    id: Type.String(),
    public_id: Type.Optional(
      Type.String({
        description: 'The name that people use, a prefix and a number; work items only.',
      }),
    ),
    work_item_type_id: Type.Optional(
      Type.String({ description: 'The type of the work item; work items only.' }),
    ),
    display: nullable(Type.String()),
    status: nullable(Type.String()),
    owner_user_id: nullable(Type.Integer()),
    created_at: nullable(Type.String({ format: 'date-time' })),
    updated_at: nullable(Type.String({ format: 'date-time' })),
    version: Type.Optional(
      Type.String({ description: 'Opaque; send it back as `If-Match` or `expected_version`.' }),
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Readable fields by key; fields of storage `jsonb` under `custom_fields`.',
      }),
    ),
    expanded: Expanded,
  },
  { $id: 'RecordData' },
);

export const RecordResponse = Type.Object({ data: RecordSchema }, { $id: 'RecordResponse' });

export const RecordList = Type.Object(
  { data: Type.Array(RecordSchema), pagination: Pagination },
  { $id: 'RecordList' },
);

/** `expand` of a query string. */
export const ExpandQuery = Type.Optional(
  Type.String({
    maxLength: LIMITS.fieldsQueryLength,
    description: [
      'Comma-separated keys of references and user fields, at most',
      `${LIMITS.expandedReferences}. The records and people are under \`expanded\`.`,
    ].join(' '),
    examples: ['company_id,owner_user_id'],
  }),
);

/** A scalar of a filter in a body. */
const FilterValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/**
 * Filters of a body. Only an object is required here: plan/read/filter.ts finds problems inside, which are
 * `invalid_filter` (D36); the schema documents it.
 */
export const Filters = Type.Record(
  Type.String(),
  Type.Unsafe<unknown>({
    description: [
      'A value (equals), null (is empty), or an object with any of the operators',
      '`eq ne lt lte gt gte` (a value each), `in` (1 to 100 values), `is_null` (boolean).',
    ].join(' '),
    examples: ['won', null, { gte: 1000 }, { in: ['won', 'lost'] }],
  }),
  { description: 'Field key → filter; all are combined with AND, at most 16.' },
);
export type FilterValue = Type.Static<typeof FilterValue>;

const Permission = Type.Object(
  {
    allowed: Type.Boolean(),
    scopes: Type.Array(Type.Enum(['owned_by_user', 'owned_by_team', 'org_wide'])),
  },
  { $id: 'Permission' },
);

const summary = {
  object_type: Type.String(),
  name: nullable(Type.String()),
  singular_name: nullable(Type.String()),
  description: nullable(Type.String()),
  kind: Type.Enum(['built_in', 'work_item', 'default']),
  category: Type.String(),
  display_field: nullable(Type.String()),
  capabilities: Type.Object(
    {
      search: Type.Boolean(),
      create: Type.Boolean(),
      update: Type.Boolean(),
      delete: Type.Boolean(),
    },
    { $id: 'ObjectCapabilities' },
  ),
  permissions: Type.Object(
    { create: Permission, read: Permission, update: Permission, delete: Permission },
    {
      $id: 'ObjectPermissions',
      description: 'Advisory; every request is authorised on its own.',
    },
  ),
  searched: Type.Boolean({ description: 'Whether `GET /search` finds records of this type.' }),
  approvals: Type.Optional(
    Type.Literal(true, { description: 'Moves of its records can need approval.' }),
  ),
};

const WorkflowReference = Type.Object(
  { id: Type.String(), key: nullable(Type.String()), name: nullable(Type.String()) },
  { $id: 'WorkflowReference' },
);

const workItemTypes = Type.Optional(
  Type.Array(
    Type.Object({
      id: Type.String(),
      slug: Type.String(),
      key: nullable(Type.String()),
      name: nullable(Type.String()),
      workflow: nullable(WorkflowReference),
    }),
  ),
);

/** With include=appearance. */
const look = {
  icon: Type.Optional(
    nullable(
      Type.String({
        description: `With include=appearance: the icon, one of ${OBJECT_ICONS.join(', ')}.`,
      }),
    ),
  ),
  listed: Type.Optional(
    Type.Boolean({
      description: 'With include=appearance: whether applications list the object by default.',
    }),
  ),
};

export const ObjectSummary = Type.Object(
  { ...summary, ...look, work_item_types: workItemTypes },
  { $id: 'ObjectSummary' },
);

const Tint = Type.Optional(
  Type.String({ description: `With include=appearance: the tint, one of ${TINTS.join(', ')}.` }),
);

export const FieldShape = Type.Object(
  {
    key: Type.String(),
    name: nullable(Type.String()),
    description: Type.Optional(Type.String()),
    type: Type.String({ description: `One of ${FIELD_TYPES.join(', ')}; more may come.` }),
    required: Type.Boolean(),
    editable: Type.Boolean(),
    storage: Type.Enum(['physical', 'jsonb']),
    storage_key: Type.String(),
    section: Type.Optional(
      nullable(
        Type.String({
          description: 'With include=appearance: the title above the field on a page.',
        }),
      ),
    ),
    formula: Type.Optional(
      Type.String({
        description: 'With include=appearance: the expression that computes the field.',
      }),
    ),
    rollup: Type.Optional({
      ...RollupSchema,
      description:
        'With include=appearance: the records and values that the field is computed from.',
    }),
    options: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.Unknown(),
          label: Type.Optional(Type.String()),
          color: Tint,
        }),
      ),
    ),
    constraints: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'JSON-Schema words, `unique`, `reference_object_type`, `on_delete`, `currency`.',
      }),
    ),
  },
  { $id: 'Field' },
);

/** The form of a relationship, for each record of an object (D354). */
const association = {
  id: Type.String({ description: 'The id of the association.' }),
  cardinality: Type.Enum(['one_to_one', 'many_to_one', 'one_to_many', 'many_to_many']),
  can_link: Type.Boolean({ description: 'Whether the API can link and unlink.' }),
  source_field: nullable(
    Type.String({ description: 'The reference field, if the link is a field of the record.' }),
  ),
};

export const RelationshipShape = Type.Object(
  {
    ...association,
    label: nullable(Type.String()),
    object_type: Type.String({ description: 'The related object type.' }),
  },
  { $id: 'Relationship' },
);

export const ObjectDefinitionShape = Type.Object(
  {
    ...summary,
    ...look,
    fields: Type.Array(FieldShape),
    relationships: Type.Array(
      Type.Object({
        object: Type.Object({ key: Type.String(), name: nullable(Type.String()) }),
        labels: Type.Array(Type.String()),
        ...association,
      }),
    ),
    workflow: nullable(WorkflowReference),
    history: Type.Optional(
      nullable(
        Type.Object(
          {
            keep_days: nullable(
              Type.Integer({ description: 'How many days they are kept; null: for ever.' }),
            ),
          },
          { description: 'With include=appearance: whether earlier values are kept.' },
        ),
      ),
    ),
    work_item_types: workItemTypes,
    comments: Type.Optional(
      Type.Boolean({
        description: 'With include=appearance: whether its records have comments and followers.',
      }),
    ),
    trash: Type.Optional(
      nullable(
        Type.Object(
          { days: Type.Integer() },
          { description: 'With include=appearance: how long deleted records can be restored.' },
        ),
      ),
    ),
  },
  { $id: 'ObjectDefinition' },
);

const Approver = Type.Object({ id: Type.Integer(), name: nullable(Type.String()) });

const Transition = Type.Object(
  {
    id: Type.String({ description: 'The status that the move leads to.' }),
    name: nullable(Type.String()),
    requires_approval: Type.Optional(
      Type.Literal(true, { description: 'Only approvers may make the move.' }),
    ),
    can_approve: Type.Optional(
      Type.Boolean({
        description:
          'With `requires_approval`: whether the approval of the caller alone is enough, for records of others.',
      }),
    ),
    can_approve_own: Type.Optional(
      Type.Boolean({
        description:
          'Whether it is enough for records that the caller owns, created or last changed.',
      }),
    ),
    approval: Type.Optional(
      Type.Object(
        {
          required: Type.Integer(),
          from: Type.Enum(['any', 'each']),
          conditional: Type.Boolean({
            description: 'True: only some records need the approval, by the values of a field.',
          }),
        },
        {
          description:
            'With `requires_approval`, of a gate that one approval does not always open.',
        },
      ),
    ),
    approvers: Type.Optional(
      Type.Object(
        { users: Type.Array(Approver), teams: Type.Array(Approver) },
        {
          description:
            'With `requires_approval`, for `users:read`: those that the caller may read.',
        },
      ),
    ),
  },
  { $id: 'Transition' },
);

export const WorkflowShape = Type.Object(
  {
    id: Type.String(),
    key: nullable(Type.String()),
    name: nullable(Type.String()),
    statuses: Type.Array(
      Type.Object({
        id: Type.String(),
        name: nullable(Type.String()),
        color: Tint,
        transitions: Type.Array(Transition),
      }),
    ),
  },
  { $id: 'Workflow' },
);
