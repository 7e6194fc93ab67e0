// The part of the difference between two definitions that is other keys: the steps that rename, and the
// definition before as it is after them, which everything else is compared with. Pure.

import { say } from '../../../messages/message.ts';
import type { DefinitionDocument } from '../../../model/definition/definition.ts';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import type { Rename } from '../../../model/definition/rename.ts';
import type { Definition } from '../../../model/definition/revision.ts';
import { renameStored, type StorageNames } from '../../../model/definition/storage-names.ts';
import type { Steps } from '../../../model/steps.ts';
import { type FoundRenames, nameOfPlace, pathOfPlace, renameKeys } from '../../document/renames.ts';
import type { Change } from '../change.ts';
import { change } from '../change-notice.ts';
import { renameStep } from '../kinds/renamed-keys.ts';
import type { Requirement } from '../requirement.ts';

export interface Renamed {
  /** The previous definition, with the keys it has after the renaming. */
  readonly before: Definition;
  readonly changes: readonly Change[];
  /** The requirement with the keys that rows have until they are renamed. */
  asStored(requirement: Requirement): Requirement;
  /** The key that the object has until then. */
  typeBefore(objectType: string): string;
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
    return { before, changes: refused, asStored: same, typeBefore: same };
  }
  const renamed = yield* compile(
    renameKeys(before.document, renames),
    renameStored(before.storage, renames),
  );
  yield;
  const oldKey = oldKeysOf(renames);
  return {
    before: renamed,
    changes: [...renames.map((rename) => renameChange(rename, renamed.model)), ...refused],
    asStored: (requirement) => storedKeys(requirement, oldKey, renamed.model),
    typeBefore: (objectType) => oldKey(['objects'], objectType),
  };
}

function refuseRename({ place, old_key, new_key }: Rename): Change {
  const at = [...pathOfPlace(place), new_key].join('.');
  const step = { kind: 'note', path: `${at}.renamed_from` } as const;
  return change(step, `~ ${at} (renamed from ${old_key})`, {
    refusal: say('rename_from_nothing', { name: at, old_key }),
  });
}

function renameChange(rename: Rename, renamed: WorkspaceModel): Change {
  const { place, old_key, new_key } = rename;
  const noun = place.section === 'statuses' ? 'status' : place.section.slice(0, -1);
  const name = [...pathOfPlace(place).slice(1, 2), new_key].join('.');
  return change(renameStep(rename, renamed), `~ ${noun} ${name} (renamed from ${old_key})`);
}

/** The key that the entry with this one has in the database. */
type OldKey = (path: readonly string[], key: string) => string;

function oldKeysOf(renames: readonly Rename[]): OldKey {
  const known = new Map(
    renames.map(({ place, old_key, new_key }) => [`${nameOfPlace(place)}.${new_key}`, old_key]),
  );
  return (path, key) => known.get(`${path.join('.')}.${key}`) ?? key;
}

/** Relationships and statuses are in rows by their keys. */
function storedKeys(
  requirement: Requirement,
  oldKey: OldKey,
  renamed: WorkspaceModel,
): Requirement {
  if (requirement.kind === 'links_single') {
    return { ...requirement, relationship: oldKey(['relationships'], requirement.relationship) };
  }
  if (requirement.kind !== 'statuses_unused') return requirement;
  const workflow =
    requirement.type === undefined
      ? requirement.object.workflow
      : renamed.work_item_types.get(requirement.type)?.workflow;
  const path = ['workflows', workflow?.id ?? '', 'statuses'];
  return { ...requirement, statuses: requirement.statuses.map((status) => oldKey(path, status)) };
}
