// Compares two definitions of a workspace and lists what changes, in the order of the document.
// Pure: conditions on the stored data are returned as requirements.

import { isDeepStrictEqual } from 'node:util';
import type { DefinitionDocument } from '../../../model/definition/definition.ts';
import {
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../../model/definition/model.ts';
import type { Definition } from '../../../model/definition/revision.ts';
import { DEFAULT_SORT_LOCALE } from '../../../model/definition/sort-locale.ts';
import { runSteps, type Steps } from '../../../model/steps.ts';
import type { Change } from '../change.ts';
import { change, named } from '../change-notice.ts';
import { findAddedField } from '../kinds/add-field.ts';
import { findAddedObject } from '../kinds/add-object.ts';
import { findDroppedField } from '../kinds/drop-field.ts';
import { findDroppedObject } from '../kinds/drop-object.ts';
import { findOrder, findText } from '../kinds/field-indexes.ts';
import { findHistory } from '../kinds/keep-history.ts';
import { findSearch } from '../kinds/object-search.ts';
import { findOwner } from '../kinds/owner.ts';
import { findAddedFormula } from '../kinds/put-formula.ts';
import { findStatus } from '../kinds/status.ts';
import { findTrash } from '../kinds/trash.ts';
import type { Requirement } from '../requirement.ts';
import { findOutdatedConditions } from './diff-conditions.ts';
import { diffEntries } from './diff-entries.ts';
import { diffField } from './diff-fields.ts';
import { diffRelationships } from './diff-links.ts';
import { diffPeople } from './diff-people.ts';
import { findRollups } from './diff-rollups.ts';
import { diffTranslations } from './diff-translations.ts';

/**
 * Steps from one definition to the other. Users and teams of `before` are those of the database; those that `after`
 * does not list stay (D78).
 */
export function* diffSteps(before: Definition | null, after: Definition): Steps<readonly Change[]> {
  return [
    ...diffSortLocale(before?.document, after.document),
    ...(yield* diffEntries('workflow', before?.document.workflows, after.document.workflows)),
    ...(yield* diffWorkItemTypes(before, after)),
    ...(yield* diffObjects(before?.model, after.model)),
    ...diffTranslations(before?.model, after.model),
    ...(yield* diffRelationships(before, after)),
    ...(yield* diffEntries('role', before?.document.roles, after.document.roles)),
    ...(yield* diffPeople(before?.document, after.document)),
  ];
}

/** Runs `diffSteps` without a pause. */
export function diffDefinitions(before: Definition | null, after: Definition): readonly Change[] {
  return runSteps(diffSteps(before, after));
}

/** The name of the workspace is not part of the models. */
export function renameWorkspace(name: string): Change {
  return change({ kind: 'note', path: 'name' }, `~ name of the workspace (${name})`);
}

/** Changes of indexes are found with their fields. */
function diffSortLocale(
  before: DefinitionDocument | undefined,
  { sort_locale: now = DEFAULT_SORT_LOCALE }: DefinitionDocument,
): Change[] {
  const old = before?.sort_locale ?? DEFAULT_SORT_LOCALE;
  if (before === undefined || old === now) return [];
  const summary = `~ order of texts (${old} -> ${now})`;
  return [change({ kind: 'note', path: 'sort_locale' }, summary)];
}

function* diffWorkItemTypes(before: Definition | null, after: Definition): Steps<Change[]> {
  const [old, now] = [before?.document.work_item_types, after.document.work_item_types];
  const noun = 'work item type' as const;
  const object = before?.model.objects.get(WORK_ITEMS);
  if (before === null || object === undefined || !after.model.objects.has(WORK_ITEMS)) {
    return yield* diffEntries(noun, old, now);
  }
  const changes = yield* diffEntries(noun, old, now, (type) => {
    const isRemoved = !after.model.work_item_types.has(type);
    const requirement: Requirement = { kind: 'types_unused', object, types: [type] };
    return isRemoved ? { requirements: [requirement] } : {};
  });
  for (const { id, workflow } of before.model.work_item_types.values()) {
    const remaining = after.model.work_item_types.get(id)?.workflow;
    const statuses = [...workflow.statuses.keys()].filter(
      (status) => !remaining?.statuses.has(status),
    );
    if (remaining === undefined || statuses.length === 0) continue;
    const summary = `- statuses of ${noun} ${id}: ${named(statuses)}`;
    const requirement: Requirement = { kind: 'statuses_unused', object, statuses, type: id };
    // The path of the type itself would say that all of it goes.
    const path = `work_item_types.${id}.statuses`;
    changes.push(change({ kind: 'note', path }, summary, { requirements: [requirement] }));
  }
  return changes;
}

function* diffObjects(before: WorkspaceModel | undefined, after: WorkspaceModel): Steps<Change[]> {
  const changes: Change[] = [];
  for (const object of after.objects.values()) {
    yield;
    const old = before?.objects.get(object.object_type);
    if (old === undefined) changes.push(findAddedObject(object));
    else changes.push(...(yield* diffObject(old, object, after)));
  }
  for (const object of before?.objects.values() ?? []) {
    if (!after.objects.has(object.object_type)) changes.push(findDroppedObject(object));
  }
  return changes;
}

const OBJECT_WORDS = [
  'name',
  'singular_name',
  'description',
  'category',
  'icon',
  'listed',
  'display_field',
  'field_order',
  'capabilities',
] as const;

function* diffObject(
  old: ObjectModel,
  object: ObjectModel,
  after: WorkspaceModel,
): Steps<Change[]> {
  const words = OBJECT_WORDS.filter((word) => !isDeepStrictEqual(old[word], object[word]));
  const summary = `~ object ${object.object_type} (${words.join(', ')})`;
  const path = `objects.${object.object_type}`;
  return [
    ...(words.length > 0 ? [change({ kind: 'note', path }, summary)] : []),
    ...findComments(old, object),
    ...findOwner(old, object),
    ...findStatus(old, object, after),
    ...findTrash(old, object),
    ...(yield* diffFields(old, object)),
    ...findRollups(old, object),
    ...findOutdatedConditions(old, object, after),
    ...findText(old, object),
    ...findSearch(old, object),
    ...findHistory(old, object),
  ];
}

/** Comments that exist stay, and are read again when the object has comments again. */
function findComments(old: ObjectModel, { object_type, commentable }: ObjectModel): Change[] {
  if (old.commentable === commentable) return [];
  const summary = `${commentable ? '+' : '-'} comments of ${object_type}`;
  return [change({ kind: 'note', path: `objects.${object_type}.comments` }, summary)];
}

function* diffFields(old: ObjectModel, object: ObjectModel): Steps<Change[]> {
  const changes: Change[] = [];
  for (const field of object.fields.values()) {
    changes.push(...findOrder(old, object, field));
    if (field.system) continue;
    yield;
    const from = old.fields.get(field.key);
    if (from === undefined && field.formula !== null) changes.push(findAddedFormula(object, field));
    else if (from === undefined) changes.push(findAddedField(old, object, field));
    else changes.push(...diffField(old, object, from, field));
  }
  for (const field of old.fields.values()) {
    if (field.system || object.fields.has(field.key)) continue;
    changes.push(findDroppedField(old, field));
  }
  return changes;
}
