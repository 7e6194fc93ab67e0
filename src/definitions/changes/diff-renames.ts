// The part of the difference between two definitions that is other keys: the steps that rename, and the
// definition before as it is after them, which everything else is compared with. Pure.

import type { DefinitionDocument } from '../../model/definition.ts';
import {
  type Field,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/model.ts';
import type { Rename } from '../../model/rename.ts';
import type { Definition } from '../../model/revision.ts';
import type { Steps } from '../../model/steps.ts';
import { renameStored, type StorageNames } from '../../model/storage-names.ts';
import { type FoundRenames, nameOfPlace, pathOfPlace, renameKeys } from '../document/renames.ts';
import type { Change, RenameStep, Requirement, StatusPlace } from './change.ts';
import { change } from './diff-entries.ts';

export interface Renamed {
  /** What was there, with the keys it has after the renaming. */
  readonly before: Definition;
  readonly changes: readonly Change[];
  /** The same requirement of tables that are not renamed yet. */
  asStored(requirement: Requirement): Requirement;
  /** The table that has this name after the renaming. */
  tableBefore(name: string): string;
  /** An object of `before` as it is stored, by its new key. */
  objectBefore(objectType: string): ObjectModel;
  fieldBefore(objectType: string, key: string): Field | undefined;
}

type Compile = (document: DefinitionDocument, storage: StorageNames) => Steps<Definition>;

export function* renameSteps(
  before: Definition,
  { renames, missing }: FoundRenames,
  compile: Compile,
): Steps<Renamed> {
  const refused = missing.map(refuseRename);
  if (renames.length === 0) {
    const same = <Value>(value: Value) => value;
    const objectBefore = (objectType: string) => objectOf(before.model, objectType);
    return {
      ...{ before, changes: refused, asStored: same, tableBefore: same, objectBefore },
      fieldBefore: (objectType, key) => objectBefore(objectType).fields.get(key),
    };
  }
  const ofObjects = renames.filter(({ place }) => place.section === 'objects');
  // Objects first: fields are renamed in tables that have their new names.
  const between = yield* compile(
    renameKeys(before.document, ofObjects),
    renameStored(before.storage, ofObjects),
  );
  const others = renames.filter(({ place }) => place.section !== 'objects');
  const renamed = yield* compile(
    renameKeys(between.document, others),
    renameStored(between.storage, others),
  );
  const models = { before: before.model, between: between.model, renamed: renamed.model };
  const oldKey = oldKeysOf(renames);
  yield;
  const objectBefore = (objectType: string) =>
    objectOf(before.model, oldKey(['objects'], objectType));
  const tables = new Map(
    ofObjects.map(({ old_key, new_key }) => [
      objectOf(between.model, new_key).table,
      objectOf(before.model, old_key).table,
    ]),
  );
  return {
    before: renamed,
    changes: [...renames.map((rename) => renameChange(rename, models)), ...refused],
    asStored: storedNames(oldKey, models),
    tableBefore: (name) => tables.get(name) ?? name,
    objectBefore,
    fieldBefore: (objectType, key) =>
      objectBefore(objectType).fields.get(oldKey(['objects', objectType, 'fields'], key)),
  };
}

interface Models {
  readonly before: WorkspaceModel;
  /** Objects have their new keys, all else has the old ones. */
  readonly between: WorkspaceModel;
  readonly renamed: WorkspaceModel;
}

function objectOf(model: WorkspaceModel, objectType: string): ObjectModel {
  return model.objects.get(objectType) as ObjectModel;
}

function refuseRename({ place, old_key, new_key }: Rename): Change {
  const at = [...pathOfPlace(place), new_key].join('.');
  return change({ kind: 'note' }, `~ ${at} (renamed from ${old_key})`, {
    refusal: `${at} cannot be renamed from ${old_key}: it does not exist`,
    path: `${at}.renamed_from`,
  });
}

function renameChange(rename: Rename, models: Models): Change {
  const { place, old_key, new_key } = rename;
  const noun = place.section === 'statuses' ? 'status' : place.section.slice(0, -1);
  const name = [...pathOfPlace(place).slice(1, 2), new_key].join('.');
  return change(stepOf(rename, models), `~ ${noun} ${name} (renamed from ${old_key})`);
}

function stepOf({ place, ...keys }: Rename, models: Models): RenameStep {
  const { before, between, renamed } = models;
  const { old_key, new_key } = keys;
  switch (place.section) {
    case 'objects':
      return {
        kind: 'rename_object',
        from: objectOf(before, old_key),
        object: objectOf(between, new_key),
      };
    case 'fields': {
      const object = objectOf(renamed, place.object);
      const from = objectOf(between, place.object).fields.get(old_key) as Field;
      return { kind: 'rename_field', object, from, field: object.fields.get(new_key) as Field };
    }
    case 'relationships':
      return { kind: 'rename_relationship', ...keys };
    case 'roles':
      return { kind: 'rename_role', ...keys };
    case 'statuses':
      return {
        kind: 'rename_status',
        workflow: place.workflow,
        places: statusPlaces(renamed, place.workflow),
        ...keys,
      };
  }
}

/** The records whose status is one of this workflow. */
function statusPlaces(model: WorkspaceModel, workflowId: string): readonly StatusPlace[] {
  const objects = [...model.objects.values()].filter(({ workflow }) => workflow?.id === workflowId);
  const types = [...model.work_item_types.values()]
    .filter(({ workflow }) => workflow.id === workflowId)
    .map(({ id }) => id);
  const items = types.length === 0 ? undefined : model.objects.get(WORK_ITEMS);
  return [
    ...objects.map((object) => ({ object, types: undefined })),
    ...(items === undefined ? [] : [{ object: items, types }]),
  ];
}

/** The key that the entry with this one has in the database. */
type OldKey = (path: readonly string[], key: string) => string;

function oldKeysOf(renames: readonly Rename[]): OldKey {
  const known = new Map(
    renames.map(({ place, old_key, new_key }) => [`${nameOfPlace(place)}.${new_key}`, old_key]),
  );
  return (path, key) => known.get(`${path.join('.')}.${key}`) ?? key;
}

/** From requirements with new keys to those with the keys that the database has. */
function storedNames(
  oldKey: OldKey,
  { before, renamed }: Models,
): (requirement: Requirement) => Requirement {
  return (requirement) => {
    const { object_type } = requirement.object;
    const object = objectOf(before, oldKey(['objects'], object_type));
    if (requirement.kind === 'links_single') {
      const relationship = oldKey(['relationships'], requirement.relationship);
      return { ...requirement, object, relationship };
    }
    if (requirement.kind === 'statuses_unused') {
      const workflow =
        requirement.type === undefined
          ? objectOf(renamed, object_type).workflow
          : renamed.work_item_types.get(requirement.type)?.workflow;
      const path = ['workflows', workflow?.id ?? '', 'statuses'];
      const statuses = requirement.statuses.map((status) => oldKey(path, status));
      return { ...requirement, object, statuses };
    }
    if (!('field' in requirement)) return { ...requirement, object };
    const key = oldKey(['objects', object_type, 'fields'], requirement.field.key);
    return { ...requirement, object, field: object.fields.get(key) as Field };
  };
}
