// The definition document: the description of a workspace that a person writes, its JSON Schema, and how a
// workspace's document extends the shipped base. check-definition.ts checks the rules that a schema cannot express;
// compile.ts turns a checked document into the running model.

import { isDeepStrictEqual } from 'node:util';
import Type, { type Static } from 'typebox';
import { gatedTransitionSchema } from '../rights/gated-transition.ts';
import { runSteps, type Steps } from '../steps.ts';
import { ownValue } from '../text/own-value.ts';
import {
  color,
  computedWords,
  description,
  fieldType,
  fileWords,
  lookWords,
  name,
  optionWords,
  PRINTABLE,
  text,
} from './definition-words.ts';
import { HistorySchema } from './history-words.ts';
import { SORT_LOCALE_PATTERN } from './sort-locale.ts';
import type { Text } from './texts.ts';

const closed = { additionalProperties: false } as const;

/** The longest address that mail can be sent to (RFC 5321), and that an index can hold. */
export const EMAIL_LENGTH = 254;
/** The pattern of e-mail addresses, which have no white space and control characters. */
export const EMAIL_PATTERN =
  '^[^@\\s\\u0000-\\u001f\\u007f-\\u009fA-Z]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009fA-Z]+$';
/** Keys of fields, relationships, statuses, roles: also column names, hence the length. */
export const KEY_PATTERN = '^[a-z][a-z0-9_]{0,49}$';
export const OBJECT_TYPE_PATTERN = '^[a-z0-9][a-z0-9_-]{0,99}$';
const STATUS_ID_PATTERN = '^[a-z0-9][a-z0-9_-]{0,99}$';

/** 1 to 9,999 days. */
const KEPT_PATTERN = '^[1-9][0-9]{0,3}d$';

function mapOf<Value extends Type.TSchema>(pattern: string, value: Value, about: string) {
  return Type.Record(Type.String({ pattern }), value, { ...closed, description: about });
}

/** The previous key of an entry: applied, the entry keeps its data under the new key (D421). */
function renamedFrom(pattern: string) {
  const about = 'The former key: the data is kept under the new key.';
  return Type.Optional(Type.String({ pattern, description: about }));
}

const FieldSchema = Type.Object(
  {
    name: Type.Optional(text),
    renamed_from: renamedFrom(KEY_PATTERN),
    description: Type.Optional(description),
    section: Type.Optional(
      Type.Unsafe<Text>({
        ...text,
        description: 'The title above the field on the page of a record; fields share sections.',
      }),
    ),
    type: fieldType,
    ...computedWords,
    required: Type.Optional(Type.Boolean({ description: 'Must be set when a record is created.' })),
    editable: Type.Optional(
      Type.Boolean({ description: 'false: the API never writes the field; imports may.' }),
    ),
    storage: Type.Optional(
      Type.Enum(['physical', 'jsonb'], {
        description: 'physical (default): a column, filterable and sortable. jsonb: custom_fields.',
      }),
    ),
    indexed: Type.Optional(Type.Boolean({ description: 'Keep an index for filters and sorts.' })),
    unique: Type.Optional(Type.Boolean({ description: 'No two records share a value.' })),
    searchable: Type.Optional(
      Type.Boolean({
        description: `GET /search searches this field. Default: the display, email and phone fields. A text field can have several names, separated by ";".`,
      }),
    ),
    default: Type.Optional(Type.Unknown({ description: 'Value when a create leaves it out.' })),
    ...optionWords,
    reference_object_type: Type.Optional(Type.String({ pattern: OBJECT_TYPE_PATTERN })),
    on_delete: Type.Optional(
      Type.Enum(['clear', 'restrict'], {
        description:
          'reference: the effect of deleting the target. clear (default): the field becomes null. ' +
          'restrict (always so for required fields): the target cannot be deleted.',
      }),
    ),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' })),
    minLength: Type.Optional(Type.Integer({ minimum: 0 })),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    pattern: Type.Optional(
      Type.String({
        format: 'regex',
        maxLength: 500,
        description:
          'ECMA-262 with the u flag, matched anywhere; without look-around and back-references.',
      }),
    ),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    scale: Type.Optional(Type.Integer({ minimum: 0, maximum: 15 })),
    ...fileWords,
  },
  closed,
);

const ObjectSchema = Type.Object(
  {
    name: text,
    renamed_from: renamedFrom(OBJECT_TYPE_PATTERN),
    singular_name: text,
    description: Type.Optional(description),
    ...lookWords,
    display_field: Type.Optional(Type.Union([Type.String({ pattern: KEY_PATTERN }), Type.Null()])),
    subtitle_field: Type.Optional(
      Type.String({
        pattern: KEY_PATTERN,
        description: 'Shown beside the singular name in GET /search; an e-mail or text by default.',
      }),
    ),
    searchable: Type.Optional(
      Type.Boolean({
        description: 'GET /search finds these records. Default: true, but for deals and products.',
      }),
    ),
    owned: Type.Optional(
      Type.Boolean({ description: 'Records have an owner (default true): owner_user_id.' }),
    ),
    workflow: Type.Optional(Type.String({ pattern: STATUS_ID_PATTERN })),
    comments: Type.Optional(
      Type.Literal(true, {
        description:
          'Records have comments, mentions and followers. Those of companies, contacts, deals, meetings, events and work items always have.',
      }),
    ),
    capabilities: Type.Optional(
      Type.Object(
        {
          create: Type.Optional(Type.Boolean()),
          update: Type.Optional(Type.Boolean()),
          delete: Type.Optional(Type.Boolean()),
        },
        {
          ...closed,
          description: 'Actions that the API supports for the object; all true by default.',
        },
      ),
    ),
    history: Type.Optional(HistorySchema),
    trash: Type.Optional(
      Type.Object(
        { keep: Type.String({ pattern: KEPT_PATTERN, description: 'Days, such as 30d.' }) },
        { ...closed, description: 'Deleted records can be restored for so long.' },
      ),
    ),
    field_order: Type.Optional(
      Type.Array(Type.String({ pattern: KEY_PATTERN }), {
        description: 'The fields that come first, in this order; the others follow.',
        maxItems: 2000,
      }),
    ),
    fields: mapOf(KEY_PATTERN, FieldSchema, 'Field key → field.'),
  },
  closed,
);

const statusId = Type.String({ pattern: STATUS_ID_PATTERN });

/** A move that needs approval. */
const GatedTransitionSchema = gatedTransitionSchema({
  status: statusId,
  key: Type.String({ pattern: KEY_PATTERN }),
});

const WorkflowSchema = Type.Object(
  {
    name: text,
    initial: Type.String({ pattern: STATUS_ID_PATTERN, description: 'Status of a new record.' }),
    status_order: Type.Optional(
      Type.Array(Type.String({ pattern: STATUS_ID_PATTERN }), {
        description: 'The statuses that come first, in this order; the others follow.',
        maxItems: 200,
      }),
    ),
    statuses: mapOf(
      STATUS_ID_PATTERN,
      Type.Object(
        {
          name: text,
          renamed_from: renamedFrom(STATUS_ID_PATTERN),
          color: Type.Optional(color),
          category: Type.Optional(
            Type.Enum(['open', 'active', 'done', 'cancelled'], {
              description: 'The meaning of the status: not begun, in progress, finished, given up.',
            }),
          ),
          transitions: Type.Optional(
            Type.Array(Type.Union([statusId, GatedTransitionSchema]), {
              description: 'Statuses this one may move to; `to` and `approvers` need approval.',
            }),
          ),
        },
        closed,
      ),
      'Status id → status.',
    ),
  },
  closed,
);

const WorkItemTypeSchema = Type.Object(
  {
    name: text,
    prefix: Type.String({ pattern: '^[A-Z][A-Z0-9]{0,9}$', description: 'TASK makes TASK-1.' }),
    workflow: Type.String({ pattern: STATUS_ID_PATTERN }),
    active: Type.Optional(Type.Boolean()),
    fields: Type.Optional(
      Type.Array(Type.String({ pattern: KEY_PATTERN }), {
        description: 'Fields of work_items that only some types carry, this one among them.',
      }),
    ),
  },
  closed,
);

const RelationshipSchema = Type.Object(
  {
    name: text,
    renamed_from: renamedFrom(KEY_PATTERN),
    kind: Type.Enum(['association', 'link'], {
      description: 'association: between CRM objects; link: between any two objects.',
    }),
    from: Type.String({ pattern: OBJECT_TYPE_PATTERN }),
    to: Type.String({ pattern: OBJECT_TYPE_PATTERN }),
    cardinality: Type.Enum(['one_to_one', 'many_to_one', 'one_to_many', 'many_to_many']),
  },
  closed,
);

const UserSchema = Type.Object(
  {
    name,
    title: Type.Optional(name),
    kind: Type.Optional(
      Type.Enum(['user', 'agent'], { description: 'agent: a service user for operational keys.' }),
    ),
    active: Type.Optional(Type.Boolean()),
    roles: Type.Array(Type.String({ pattern: KEY_PATTERN }), { uniqueItems: true }),
  },
  closed,
);

const TeamSchema = Type.Object(
  {
    description: Type.Optional(description),
    members: Type.Array(Type.String(), { uniqueItems: true, description: 'E-mail addresses.' }),
  },
  closed,
);

const reach = Type.Enum(['own', 'team', 'organisation'], {
  description: 'own: records the person owns; team: of people who share a team; organisation: all.',
});

const GrantSchema = Type.Object(
  {
    create: Type.Optional(reach),
    read: Type.Optional(reach),
    update: Type.Optional(reach),
    delete: Type.Optional(reach),
    fields: Type.Optional(
      mapOf(KEY_PATTERN, Type.Enum(['none', 'read', 'write']), 'Field key → access; else write.'),
    ),
  },
  closed,
);

const RoleSchema = Type.Object(
  {
    name: Type.Optional(name),
    renamed_from: renamedFrom(KEY_PATTERN),
    administrator: Type.Optional(
      Type.Boolean({ description: 'Every right on every object, imports included.' }),
    ),
    developer: Type.Optional(Type.Boolean({ description: 'May use API keys.' })),
    directory: Type.Optional(Type.Boolean({ description: 'May read all people and teams.' })),
    assign_owner: Type.Optional(Type.Boolean({ description: 'May make someone else the owner.' })),
    second_factor: Type.Optional(
      Type.Enum(['optional', 'required'], { description: 'Whether people have to set one up.' }),
    ),
    objects: Type.Optional(mapOf(OBJECT_TYPE_PATTERN, GrantSchema, 'Object type → grant.')),
  },
  closed,
);

export const DefinitionSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    name: Type.Optional(name),
    sort_locale: Type.Optional(
      Type.String({
        pattern: SORT_LOCALE_PATTERN,
        description:
          'The language by whose order texts are sorted, such as de or sv; und (default) fits most. ' +
          'Numbers in texts go by their value. code_points: by code points.',
      }),
    ),
    objects: mapOf(OBJECT_TYPE_PATTERN, ObjectSchema, 'Object type → object.'),
    relationships: Type.Optional(mapOf(KEY_PATTERN, RelationshipSchema, 'Key → relationship.')),
    workflows: Type.Optional(mapOf(STATUS_ID_PATTERN, WorkflowSchema, 'Id → workflow.')),
    work_item_types: Type.Optional(mapOf(STATUS_ID_PATTERN, WorkItemTypeSchema, 'Slug → type.')),
    roles: Type.Optional(mapOf(KEY_PATTERN, RoleSchema, 'Role key → role.')),
    teams: Type.Optional(mapOf(`^${PRINTABLE}{1,200}$`, TeamSchema, 'Team name → team.')),
    users: Type.Optional(mapOf(EMAIL_PATTERN, UserSchema, 'E-mail in lower case → user.')),
  },
  {
    ...closed,
    $id: 'https://workspace-records.example/definition.schema.json',
    title: 'Workspace definition',
  },
);

export type GatedTransition = Static<typeof GatedTransitionSchema>;
export type Transition = Static<typeof statusId> | GatedTransition;
export type DefinitionDocument = Static<typeof DefinitionSchema>;
export type ObjectDefinition = Static<typeof ObjectSchema>;
export type FieldDefinition = Static<typeof FieldSchema>;
export type RelationshipDefinition = Static<typeof RelationshipSchema>;
export type RoleDefinition = Static<typeof RoleSchema>;
export type UserDefinition = Static<typeof UserSchema>;
export type TeamDefinition = Static<typeof TeamSchema>;

/** The status a transition leads to. */
export function transitionTarget(transition: Transition): string {
  return typeof transition === 'string' ? transition : transition.to;
}

/** Apply a JSON merge patch (RFC 7396): null removes, objects merge, all else replaces. */
export function* mergeSteps(target: unknown, patch: unknown): Steps<unknown> {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  yield;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, yield* mergeSteps(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

/** Runs `mergeSteps` without a pause. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  return runSteps(mergeSteps(target, patch));
}

/** The smallest merge patch that makes `after` of `before`; both are without nulls. */
export function* patchSteps(before: unknown, after: unknown): Steps<unknown> {
  if (!isObject(before) || !isObject(after)) return after;
  yield;
  const patch = new Map<string, unknown>();
  for (const [key, value] of Object.entries(after)) {
    const old = ownValue(before, key);
    if (!isDeepStrictEqual(old, value)) patch.set(key, yield* patchSteps(old, value));
  }
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) patch.set(key, null);
  }
  return Object.fromEntries(patch);
}

/** Runs `patchSteps` without a pause. */
export function patchBetween(before: unknown, after: unknown): unknown {
  return runSteps(patchSteps(before, after));
}

/**
 * Combines two merge patches into one: applied to `base`, it gives the same document as `first` and then `second`.
 * Parts of `first` that `second` does not mention keep their form.
 */
export function* composeSteps(base: unknown, first: unknown, second: unknown): Steps<unknown> {
  if (!isObject(second)) return second;
  if (first !== undefined && !isObject(first)) {
    // The base leaves no value there.
    return yield* patchSteps(base, yield* mergeSteps(undefined, second));
  }
  yield;
  const composed = new Map<string, unknown>(Object.entries(first ?? {}));
  for (const [key, value] of Object.entries(second)) {
    const below = isObject(base) ? ownValue(base, key) : undefined;
    if (value === null && below === undefined) composed.delete(key);
    else composed.set(key, yield* composeSteps(below, composed.get(key), value));
  }
  return Object.fromEntries(composed);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
