// The rules of a definition document about names that refer to other parts of it:
// relationships, workflows, work-item types, roles and grants, people. Pure.

import type { Report } from './check-fields.ts';
import {
  type DefinitionDocument,
  EMAIL_LENGTH,
  type RoleDefinition,
  type Transition,
  transitionTarget,
} from './definition.ts';
import { WORK_ITEMS } from './model.ts';
import { unknownName } from './nearest-name.ts';
import { ownValue } from './own-value.ts';

const CRM_OBJECTS: readonly string[] = ['companies', 'contacts', 'deals', 'meetings', 'events'];

export function checkRelationships(document: DefinitionDocument, report: Report): void {
  const known = Object.keys(document.objects);
  for (const [key, { kind, from, to, cardinality }] of entries(document.relationships)) {
    const path = ['relationships', key];
    for (const [word, objectType] of entries({ from, to })) {
      if (!known.includes(objectType)) {
        report([...path, word], unknownName(objectType, 'an object type', known));
      } else if (kind === 'association' && !CRM_OBJECTS.includes(objectType)) {
        report([...path, word], `must be one of ${CRM_OBJECTS.join(', ')}; use kind: link`);
      }
    }
    if (from === to && (cardinality === 'many_to_one' || cardinality === 'one_to_many')) {
      report([...path, 'cardinality'], 'must be the same on both sides when from and to are equal');
    }
  }
}

export function checkWorkflows(document: DefinitionDocument, report: Report): void {
  for (const [id, workflow] of entries(document.workflows)) {
    const known = Object.keys(workflow.statuses);
    const path = ['workflows', id];
    if (!known.includes(workflow.initial)) {
      report([...path, 'initial'], unknownName(workflow.initial, 'a status', known));
    }
    for (const [statusId, status] of entries(workflow.statuses)) {
      for (const transition of status.transitions ?? []) {
        checkTransition(document, [...path, 'statuses', statusId, 'transitions'], report, {
          transition,
          known,
        });
      }
    }
  }
  checkWorkItemTypes(document, report);
}

function checkTransition(
  document: DefinitionDocument,
  path: readonly string[],
  report: Report,
  { transition, known }: { readonly transition: Transition; readonly known: readonly string[] },
): void {
  const next = transitionTarget(transition);
  if (!known.includes(next)) report(path, unknownName(next, 'a status', known));
  if (typeof transition === 'string') return;
  const { users = [], teams = [] } = transition.approvers;
  const people = Object.keys(document.users ?? {});
  for (const email of users.filter((user) => !people.includes(user))) {
    report(path, unknownName(email, 'a user', people));
  }
  const groups = Object.keys(document.teams ?? {});
  for (const name of teams.filter((team) => !groups.includes(team))) {
    report(path, unknownName(name, 'a team', groups));
  }
}

function checkWorkItemTypes(document: DefinitionDocument, report: Report): void {
  const types = entries(document.work_item_types);
  const fields = Object.keys(document.objects[WORK_ITEMS]?.fields ?? {});
  const workflows = Object.keys(document.workflows ?? {});
  const prefixes = new Map<string, string>();
  if (types.length > 0 && document.objects[WORK_ITEMS] === undefined) {
    report(['work_item_types'], `needs the object ${WORK_ITEMS}`);
    return;
  }
  for (const [slug, type] of types) {
    const path = ['work_item_types', slug];
    if (slug === WORK_ITEMS) report(path, 'is the name of the object; choose another slug');
    if (!workflows.includes(type.workflow)) {
      report([...path, 'workflow'], unknownName(type.workflow, 'a workflow', workflows));
    }
    for (const key of type.fields ?? []) {
      if (fields.includes(key)) continue;
      report([...path, 'fields'], unknownName(key, 'a field of work_items', fields));
    }
    const other = prefixes.get(type.prefix);
    if (other !== undefined) report([...path, 'prefix'], `is the prefix of ${other} already`);
    prefixes.set(type.prefix, slug);
  }
}

export function checkGrants(document: DefinitionDocument, report: Report): void {
  for (const [key, role] of entries(document.roles)) checkRole(document, key, role, report);
}

function checkRole(
  document: DefinitionDocument,
  key: string,
  role: RoleDefinition,
  report: Report,
): void {
  const known = Object.keys(document.objects);
  for (const [objectType, grant] of entries(role.objects)) {
    const path = ['roles', key, 'objects', objectType];
    const object = ownValue(document.objects, objectType);
    if (object === undefined) {
      report(path, unknownName(objectType, 'an object type', known));
      continue;
    }
    const fields = [
      ...Object.keys(object.fields),
      ...((object.owned ?? true) ? ['owner_user_id'] : []),
    ];
    for (const field of Object.keys(grant.fields ?? {})) {
      if (fields.includes(field)) continue;
      report([...path, 'fields', field], unknownName(field, `a field of ${objectType}`, fields));
    }
  }
}

export function checkPeople(document: DefinitionDocument, report: Report): void {
  const roles = Object.keys(document.roles ?? {});
  const users = Object.keys(document.users ?? {});
  for (const [email, user] of entries(document.users)) {
    if (email.length > EMAIL_LENGTH) {
      report(['users', email], `must not be longer than ${EMAIL_LENGTH} characters`);
    }
    for (const role of user.roles) {
      if (roles.includes(role)) continue;
      report(['users', email, 'roles'], unknownName(role, 'a role', roles));
    }
  }
  for (const [name, team] of entries(document.teams)) {
    for (const member of team.members) {
      if (users.includes(member)) continue;
      report(['teams', name, 'members'], unknownName(member, 'a user', users));
    }
  }
}

function entries<Value>(record: Readonly<Record<string, Value>> = {}): readonly [string, Value][] {
  return Object.entries(record);
}
