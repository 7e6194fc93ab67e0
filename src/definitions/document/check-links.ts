// The rules of a definition document about names that refer to other parts of it:
// relationships, workflows, work-item types, roles and grants, people. Pure.

import { say } from '../../messages/message.ts';
import {
  type DefinitionDocument,
  EMAIL_LENGTH,
  type RoleDefinition,
  transitionTarget,
} from '../../model/definition/definition.ts';
import { WORK_ITEMS } from '../../model/definition/model.ts';
import type { Steps } from '../../model/steps.ts';
import { unknownName } from '../../model/text/nearest-name.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Report } from './check-fields.ts';
import { checkGate } from './check-gates.ts';

const CRM_OBJECTS: readonly string[] = ['companies', 'contacts', 'deals', 'meetings', 'events'];

export function* checkRelationships(document: DefinitionDocument, report: Report): Steps<void> {
  const { objects } = document;
  for (const [key, { kind, from, to, cardinality }] of entries(document.relationships)) {
    yield;
    const path = ['relationships', key];
    for (const [word, objectType] of entries({ from, to })) {
      if (!isKnown(objects, objectType)) {
        report([...path, word], unknownName(objectType, 'an object type', objects));
      } else if (kind === 'association' && !CRM_OBJECTS.includes(objectType)) {
        report([...path, word], say('definition_crm_objects', { objects: CRM_OBJECTS.join(', ') }));
      }
    }
    if (from === to && (cardinality === 'many_to_one' || cardinality === 'one_to_many')) {
      report([...path, 'cardinality'], say('definition_same_sides'));
    }
  }
}

export function* checkWorkflows(document: DefinitionDocument, report: Report): Steps<void> {
  for (const [id, workflow] of entries(document.workflows)) {
    yield;
    const { statuses } = workflow;
    const path = ['workflows', id];
    if (!isKnown(statuses, workflow.initial)) {
      report([...path, 'initial'], unknownName(workflow.initial, 'a status', statuses));
    }
    for (const [statusId, status] of entries(statuses)) {
      for (const transition of status.transitions ?? []) {
        const at = [...path, 'statuses', statusId, 'transitions'];
        const next = transitionTarget(transition);
        if (!isKnown(statuses, next)) report(at, unknownName(next, 'a status', statuses));
        if (typeof transition === 'string') continue;
        checkGate({ document, workflow: id, path: at, gate: transition }, report);
      }
    }
  }
  yield* checkWorkItemTypes(document, report);
}

function* checkWorkItemTypes(document: DefinitionDocument, report: Report): Steps<void> {
  const types = entries(document.work_item_types);
  const { workflows = {} } = document;
  const fields = document.objects[WORK_ITEMS]?.fields ?? {};
  const prefixes = new Map<string, string>();
  if (types.length > 0 && document.objects[WORK_ITEMS] === undefined) {
    report(['work_item_types'], say('definition_needs_object', { object: WORK_ITEMS }));
    return;
  }
  for (const [slug, type] of types) {
    yield;
    const path = ['work_item_types', slug];
    if (slug === WORK_ITEMS) report(path, say('definition_slug_of_object'));
    if (!isKnown(workflows, type.workflow)) {
      report([...path, 'workflow'], unknownName(type.workflow, 'a workflow', workflows));
    }
    for (const key of type.fields ?? []) {
      if (isKnown(fields, key)) continue;
      report([...path, 'fields'], unknownName(key, 'a field of work_items', fields));
    }
    const other = prefixes.get(type.prefix);
    if (other !== undefined) report([...path, 'prefix'], say('definition_prefix_taken', { other }));
    prefixes.set(type.prefix, slug);
  }
}

export function* checkGrants(document: DefinitionDocument, report: Report): Steps<void> {
  for (const [key, role] of entries(document.roles)) {
    yield;
    checkRole(document, key, role, report);
  }
}

function checkRole(
  { objects }: DefinitionDocument,
  key: string,
  role: RoleDefinition,
  report: Report,
): void {
  for (const [objectType, grant] of entries(role.objects)) {
    const path = ['roles', key, 'objects', objectType];
    const object = ownValue(objects, objectType);
    if (object === undefined) {
      report(path, unknownName(objectType, 'an object type', objects));
      continue;
    }
    const owner = (object.owned ?? true) ? { owner_user_id: true } : {};
    for (const field of Object.keys(grant.fields ?? {})) {
      if (isKnown(object.fields, field) || isKnown(owner, field)) continue;
      const known = { ...object.fields, ...owner };
      report([...path, 'fields', field], unknownName(field, `a field of ${objectType}`, known));
    }
  }
}

export function* checkPeople(document: DefinitionDocument, report: Report): Steps<void> {
  const { roles = {}, users = {} } = document;
  for (const [email, user] of entries(users)) {
    yield;
    if (email.length > EMAIL_LENGTH) {
      report(['users', email], say('must_not_be_longer', { most: EMAIL_LENGTH }));
    }
    for (const role of user.roles) {
      if (isKnown(roles, role)) continue;
      report(['users', email, 'roles'], unknownName(role, 'a role', roles));
    }
  }
  for (const [name, team] of entries(document.teams)) {
    yield;
    for (const member of team.members) {
      if (isKnown(users, member)) continue;
      report(['teams', name, 'members'], unknownName(member, 'a user', users));
    }
  }
}

function isKnown(record: Readonly<Record<string, unknown>>, name: string): boolean {
  return ownValue(record, name) !== undefined;
}

function entries<Value>(record: Readonly<Record<string, Value>> = {}): readonly [string, Value][] {
  return Object.entries(record);
}
