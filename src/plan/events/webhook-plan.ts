// The rules of webhooks: events, object types, fields, statuses and conditions that the owner may read at that moment
// (docs/design/webhooks.md). Pure; addresses are judged in webhooks/, limits in flow/webhooks.

import {
  ApiError,
  errorFromProblems,
  messageOf,
  type Problem,
  type Problems,
  shownName,
} from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type ObjectModel, WORK_ITEMS, type WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  findRelationship,
  type Scope,
} from '../../model/rights/access.ts';
import { planExpanded } from '../read/expand-plan.ts';
import { canReadLinked } from '../read/linked-plan.ts';
import { type ParsedQuestion, parseQuestion, requireTimeZone } from '../read/question.ts';
import { requireObject } from '../read/read-plan.ts';
import { unknownField } from '../read/resolve-field.ts';
import { viewableObjects } from '../read/view-plan.ts';
import { conditionsOf, type WhereInput } from '../read/where.ts';
import { differences, patched } from '../write/patch.ts';

/** The types of events; `record.*` stands for all of records. */
export const WEBHOOK_EVENTS = [
  'record.created',
  'record.updated',
  'record.status_changed',
  'record.deleted',
  'record.linked',
  'record.unlinked',
  'record.entered',
  'record.left',
  'record.restored',
  'record.merged',
  'record.erased',
  'comment.created',
  'status_request.created',
  'status_request.decided',
  'definition.changed',
  'reach.changed',
] as const;
export const ALL_OF_RECORDS = 'record.*';

export const WEBHOOK_STATES = ['active', 'paused', 'failing', 'disabled', 'broken'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const WEBHOOK_PAYLOADS = ['thin', 'record'] as const;

/** Whose writes are not sent. */
export interface WebhookExceptions {
  /** The writes of the webhook's own key; without a key, writes of its owner with any key. */
  readonly own: boolean;
  readonly sources: readonly string[];
}

/** The properties that its owner can change, without headers. */
export interface WebhookFields {
  readonly url: string;
  readonly events: readonly string[];
  /** Empty: all that the owner may read. */
  readonly object_types: readonly string[];
  /** Keys of fields and ids of relationships, one of which must have changed; empty: any. */
  readonly changed_fields: readonly string[];
  /** Null: every record. */
  readonly where: unknown;
  readonly timezone: string | null;
  /** Empty: any move. */
  readonly status_to: readonly string[];
  readonly except: WebhookExceptions;
  readonly payload: (typeof WEBHOOK_PAYLOADS)[number];
}

/** The parts of a webhook that name keys of the definition. */
export type KeyedWebhook = Pick<
  WebhookFields,
  'object_types' | 'changed_fields' | 'where' | 'status_to'
>;

export type WebhookPatch = {
  readonly [Key in keyof WebhookFields]?: WebhookFields[Key] | undefined;
};

export type NewWebhook = WebhookPatch & Pick<WebhookFields, 'url' | 'events'>;

/** The owner as the webhook acts: with their rights, and the scopes of the principal that made it. */
export interface WebhookScope {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
}

const DEFAULTS: Omit<WebhookFields, 'url' | 'events'> = Object.freeze({
  object_types: [],
  changed_fields: [],
  where: null,
  timezone: null,
  status_to: [],
  except: Object.freeze({ own: false, sources: [] }),
  payload: 'thin',
});

/** A new webhook. Errors: `object_not_available`, `permission_denied`, `invalid_filter`, `insufficient_scope`. */
export function planNewWebhook(scope: WebhookScope, given: NewWebhook): WebhookFields {
  const fields = patched({ ...DEFAULTS, url: given.url, events: given.events }, given);
  requireReadable(scope, fields);
  return fields;
}

/** A webhook as it will be. Errors: as for a new one, also of what stays. */
export function planWebhookChange(
  scope: WebhookScope,
  before: WebhookFields,
  patch: WebhookPatch,
): {
  readonly after: WebhookFields;
  readonly changed_fields: readonly (keyof WebhookFields)[];
} {
  const fields = fieldsOf(before);
  const after = patched(fields, patch);
  requireReadable(scope, after);
  return { after, changed_fields: differences(fields, after) };
}

/** Errors: those of the first thing that the owner may not read, or that the definition does not have. */
export function requireReadable(scope: WebhookScope, fields: WebhookFields): void {
  const problems = [
    ...eventProblems(scope, fields),
    ...objectProblems(scope, fields),
    ...changedFieldProblems(scope, fields),
    ...statusProblems(scope, fields),
  ];
  if (problems.length > 0) throw errorFromProblems(problems);
  // Without conditions as well, for it is stored.
  if (fields.timezone !== null) requireTimeZone(fields.timezone, 'timezone');
  parseWebhookWhere(scope, fields);
}

export interface WebhookCondition extends Pick<ParsedQuestion, 'object' | 'query'> {}

/**
 * The conditions of a webhook, as a question; undefined when it has none. Errors: `invalid_filter`,
 * `permission_denied`, `validation_failed`.
 */
export function parseWebhookWhere(
  { model, caller }: WebhookScope,
  { where, timezone, object_types }: Pick<WebhookFields, 'where' | 'timezone' | 'object_types'>,
): WebhookCondition | undefined {
  if (where === null) return undefined;
  const [objectType, another] = object_types;
  if (objectType === undefined || another !== undefined) {
    const message = say('webhook_one_object');
    throw errorFromProblems([{ param: 'object_types', code: 'validation_failed', message }]);
  }
  const given = timezone === null ? { where } : { where, timezone };
  const asked = parseQuestion(given, '', () => requireObject(model, caller, objectType));
  requireOwnFields(asked.query.where);
  planExpanded(model, caller, asked.object, { endpoint: 'query', ...asked });
  return { object: asked.object, query: asked.query };
}

function requireOwnFields(where: WhereInput): void {
  const conditions = conditionsOf(where);
  if (conditions.length > LIMITS.webhookConditions) {
    const message = say('webhook_conditions', { most: LIMITS.webhookConditions });
    throw new ApiError('invalid_filter', { param: 'where', message });
  }
  const foreign = conditions.find(({ through }) => through !== undefined);
  if (foreign === undefined) return;
  const message = say('webhook_conditions_own');
  throw new ApiError('invalid_filter', { param: `${foreign.param}.field`, message });
}

const SCOPE_OF_EVENT: Readonly<Record<string, Scope>> = { 'comment.created': 'comments:read' };

/** An event that its key could never have read would never be sent. */
function eventProblems({ caller }: WebhookScope, { events }: WebhookFields): readonly Problem[] {
  return events.flatMap((event, index): readonly Problem[] => {
    const scope = SCOPE_OF_EVENT[event] ?? 'records:read';
    if (caller.scopes.has(scope)) return [];
    const message = say('scope_missing', { scope });
    const required = { required_scope: scope };
    return [{ param: `events[${index}]`, code: 'insufficient_scope', message, ...required }];
  });
}

function objectProblems(
  { model, caller }: WebhookScope,
  { object_types }: WebhookFields,
): readonly Problem[] {
  const known = viewableObjects(model, caller);
  return object_types.flatMap((type, index): readonly Problem[] => {
    if (known.includes(type)) return [];
    const message = messageOf('object_not_available');
    return [{ param: `object_types[${index}]`, code: 'object_not_available', message }];
  });
}

/** The objects whose records it can be about. */
function objectsOf(
  { model, caller }: WebhookScope,
  { object_types }: WebhookFields,
): readonly ObjectModel[] {
  const known = viewableObjects(model, caller);
  const types = object_types.length === 0 ? known : object_types;
  return types
    .filter((type) => known.includes(type))
    .flatMap((type) => model.objects.get(type) ?? []);
}

/** A key must be one that the owner may read in one of the objects, and that events of its records can have. */
function changedFieldProblems(scope: WebhookScope, fields: WebhookFields): readonly Problem[] {
  const objects = objectsOf(scope, fields);
  const problems: Problems = [];
  fields.changed_fields.forEach((key, index) => {
    if (objects.some((object) => canReadKey(scope, object, key))) return;
    const param = `changed_fields[${index}]`;
    const isHidden = objects.some(({ fields: all }) => all.has(key));
    if (!isHidden) problems.push({ param, code: 'invalid_filter', message: unknownField(key) });
    else {
      problems.push({ param, code: 'permission_denied', message: say('field_not_readable') });
    }
  });
  return problems;
}

function canReadKey({ model, caller }: WebhookScope, object: ObjectModel, key: string): boolean {
  const field = object.fields.get(key);
  if (field !== undefined) return canReadField(caller, object, field);
  const found = findRelationship(model, caller, object, key);
  // Such a relationship changes with a field of the other records.
  if (found === undefined || found.relationship.via.kind === 'inverse') return false;
  return canReadLinked(caller, object, found.other, found.relationship);
}

function statusProblems(scope: WebhookScope, fields: WebhookFields): readonly Problem[] {
  const objects = objectsOf(scope, fields);
  const known = new Set(objects.flatMap((object) => statusesOf(scope.model, object)));
  return fields.status_to.flatMap((status, index): readonly Problem[] => {
    if (known.has(status)) return [];
    const message = say('status_not_found', { status: JSON.stringify(shownName(status)) });
    return [{ param: `status_to[${index}]`, code: 'invalid_filter', message }];
  });
}

/** The statuses of all workflows that records of the object may have. */
function statusesOf(model: WorkspaceModel, object: ObjectModel): readonly string[] {
  const types = object.object_type === WORK_ITEMS ? [...model.work_item_types.values()] : [];
  const workflows = [object.workflow, ...types.map(({ workflow }) => workflow)];
  return workflows.flatMap((workflow) => [...(workflow?.statuses.keys() ?? [])]);
}

/** True for the owner of the webhook, and for administrators. */
export function canSeeWebhook(
  { user, access }: Caller,
  { owner_user_id }: { readonly owner_user_id: number },
): boolean {
  return access.administrator || owner_user_id === user.id;
}

function fieldsOf(webhook: WebhookFields): WebhookFields {
  const { url, events, object_types, changed_fields, where, timezone } = webhook;
  const { status_to, except, payload } = webhook;
  return {
    ...{ url, events, object_types, changed_fields, where, timezone },
    ...{ status_to, except, payload },
  };
}
