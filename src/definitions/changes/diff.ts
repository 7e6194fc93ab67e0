// Compares two definitions of a workspace and lists what changes, in the order of the document.
// Pure: conditions on the stored data are returned as requirements.

import { isDeepStrictEqual } from 'node:util';
import type { DefinitionDocument } from '../../model/definition.ts';
import {
  type Field,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/model.ts';
import type { Definition } from '../../model/revision.ts';
import { DEFAULT_SORT_LOCALE } from '../../model/sort-locale.ts';
import { runSteps, type Steps } from '../../model/steps.ts';
import { textSearchField } from '../../model/text-search-field.ts';
import type { Change } from './change.ts';
import { change, diffEntries, named } from './diff-entries.ts';
import { diffField } from './diff-fields.ts';
import { diffRelationships } from './diff-links.ts';
import { diffPeople } from './diff-people.ts';
import type { Requirement } from './requirement.ts';

/**
 * What leads from one definition to the other. Users and teams of `before` are what the database
 * has now; those that `after` does not list are left alone (D78).
 */
export function* diffSteps(before: Definition | null, after: Definition): Steps<readonly Change[]> {
  return [
    ...diffSortLocale(before?.document, after.document),
    ...(yield* diffEntries('workflow', before?.document.workflows, after.document.workflows)),
    ...(yield* diffWorkItemTypes(before, after)),
    ...(yield* diffObjects(before?.model, after.model)),
    ...(yield* diffRelationships(before, after)),
    ...(yield* diffEntries('role', before?.document.roles, after.document.roles)),
    ...(yield* diffPeople(before?.document, after.document)),
  ];
}

/** The same at once. */
export function diffDefinitions(before: Definition | null, after: Definition): readonly Change[] {
  return runSteps(diffSteps(before, after));
}

/** The name of the workspace is not part of the models. */
export function renameWorkspace(name: string): Change {
  return change({ kind: 'note', path: 'name' }, `~ name of the workspace (${name})`);
}

/** What it changes of indexes are changes of their fields. */
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
    const path = `work_item_types.${id}`;
    changes.push(change({ kind: 'note', path }, summary, { requirements: [requirement] }));
  }
  return changes;
}

function* diffObjects(before: WorkspaceModel | undefined, after: WorkspaceModel): Steps<Change[]> {
  const changes: Change[] = [];
  for (const object of after.objects.values()) {
    yield;
    const old = before?.objects.get(object.object_type);
    if (old === undefined) changes.push(addObject(object));
    else changes.push(...(yield* diffObject(old, object, after)));
  }
  for (const object of before?.objects.values() ?? []) {
    if (after.objects.has(object.object_type)) continue;
    const { object_type: loss } = object;
    changes.push(change({ kind: 'drop_object', object }, `- object ${loss}`, { loss }));
  }
  return changes;
}

function addObject(object: ObjectModel): Change {
  const keys = [...object.fields.values()].filter((field) => !field.system).map(({ key }) => key);
  const summary = `+ object ${object.object_type} (${named(keys)})`;
  return change({ kind: 'add_object', object }, summary);
}

const OBJECT_WORDS = [
  'name',
  'singular_name',
  'description',
  'category',
  'display_field',
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
    ...diffOwner(old, object),
    ...diffStatus(old, object, after),
    ...(yield* diffFields(old, object)),
    ...diffText(old, object),
    ...diffSearch(old, object),
  ];
}

/** The search index has the owner of each record, so a change of owners changes the index too. */
function diffSearch(old: ObjectModel, object: ObjectModel): Change[] {
  if (!isSearchedAnew(old, object)) return [];
  const keys = object.searched.map(({ field }) => field.key);
  const summary = `~ search over ${object.object_type} (${named(keys) || 'nothing'})`;
  return [change({ kind: 'index_search', from: old, object }, summary)];
}

export function isSearchedAnew(old: ObjectModel, object: ObjectModel): boolean {
  const textsOf = ({ searched }: ObjectModel) =>
    searched.map(({ field: { key }, kind }) => [key, kind]);
  if (!isDeepStrictEqual(textsOf(old), textsOf(object))) return true;
  return old.owned !== object.owned && object.searched.length > 0;
}

function diffOwner(old: ObjectModel, object: ObjectModel): Change[] {
  if (old.owned === object.owned) return [];
  const name = `${object.object_type}.owner_user_id`;
  return [
    object.owned
      ? change({ kind: 'add_owner', object }, `+ owner of ${object.object_type}`)
      : change({ kind: 'drop_owner', object: old }, `- owner of ${object.object_type}`, {
          loss: name,
        }),
  ];
}

function diffStatus(old: ObjectModel, object: ObjectModel, after: WorkspaceModel): Change[] {
  const { object_type: type } = object;
  const [had, has] = [old.fields.has('status'), object.fields.has('status')];
  if (has && !had) {
    const workflow = object.workflow ?? [...after.work_item_types.values()][0]?.workflow;
    const { id = '', initial = '' } = workflow ?? {};
    const name = object.workflow === null ? '' : ` (workflow ${id}, all records "${initial}")`;
    return [change({ kind: 'add_status', object, initial }, `+ status of ${type}${name}`)];
  }
  if (had && !has) {
    // Work items without types: no record is left, the requirement on the types sees to it.
    const loss = type === WORK_ITEMS ? null : `${type}.status`;
    return [change({ kind: 'drop_status', object: old }, `- status of ${type}`, { loss })];
  }
  if (old.workflow === null || object.workflow === null) return [];
  const { workflow } = object;
  const statuses = [...old.workflow.statuses.keys()].filter((id) => !workflow.statuses.has(id));
  if (statuses.length === 0 && old.workflow.id === workflow.id) return [];
  const removed = statuses.length > 0 ? `, without ${named(statuses)}` : '';
  const requirement: Requirement = { kind: 'statuses_unused', object: old, statuses };
  return [
    change(
      { kind: 'note', path: `objects.${type}.workflow` },
      `~ status of ${type} (workflow ${workflow.id}${removed})`,
      { requirements: statuses.length > 0 ? [requirement] : [] },
    ),
  ];
}

function* diffFields(old: ObjectModel, object: ObjectModel): Steps<Change[]> {
  const changes: Change[] = [];
  for (const field of object.fields.values()) {
    changes.push(...diffOrder(old, object, field));
    if (field.system) continue;
    yield;
    const from = old.fields.get(field.key);
    if (from === undefined) {
      const expectations: Requirement[] = field.required
        ? [{ kind: 'no_records', object: old }]
        : [];
      const summary = `+ ${describe(object, field)}`;
      changes.push(change({ kind: 'add_field', object, field }, summary, { expectations }));
    } else changes.push(...diffField(old, object, from, field));
  }
  for (const field of old.fields.values()) {
    if (field.system || object.fields.has(field.key)) continue;
    const step = { kind: 'drop_field', object: old, field } as const;
    const loss = `${old.object_type}.${field.key}`;
    changes.push(change(step, `- ${describe(old, field)}`, { loss }));
  }
  return changes;
}

function diffOrder(old: ObjectModel, object: ObjectModel, field: Field): Change[] {
  const from = old.fields.get(field.key);
  const isSorted = field.indexed || field.unique;
  const wasSorted = from !== undefined && (from.indexed || from.unique);
  const isKept = from?.type === field.type && from.storage === field.storage;
  if (!isSorted || !wasSorted || !isKept || from.collation === field.collation) return [];
  const summary = `~ index of field ${object.object_type}.${field.key} (order of texts)`;
  return [change({ kind: 'reorder_field', object, from, field }, summary)];
}

/** Lists look for text in the display field, so its index moves with it. */
function diffText(old: ObjectModel, object: ObjectModel): Change[] {
  const [from, to] = [textSearchField(old), textSearchField(object)];
  if (from?.key === to?.key) return [];
  const name = (field: Field) => `text index of field ${object.object_type}.${field.key}`;
  return [
    ...(from ? [change({ kind: 'unindex_text', object, field: from }, `- ${name(from)}`)] : []),
    ...(to ? [change({ kind: 'index_text', object, field: to }, `+ ${name(to)}`)] : []),
  ];
}

function describe(object: ObjectModel, field: Field): string {
  return `field ${object.object_type}.${field.key} (${field.type})`;
}
