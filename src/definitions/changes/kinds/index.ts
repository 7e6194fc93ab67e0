// The list of kinds of change. A new one is a module of this folder, which also finds its changes, a line here and a
// call of its finder in ../diff.ts or a ../diff-*.ts. No other code distinguishes kinds. Pure.

import type { ChangeKind } from '../change-kind.ts';
import { addField } from './add-field.ts';
import { addObject } from './add-object.ts';
import { dropField } from './drop-field.ts';
import { dropObject } from './drop-object.ts';
import {
  dropUnique,
  indexField,
  indexText,
  makeUnique,
  reorderField,
  unindexField,
  unindexText,
} from './field-indexes.ts';
import { dropHistory } from './keep-history.ts';
import { dropLinks, limitLinks } from './link-changes.ts';
import { dropTeam, putTeam, putUser } from './listed-people.ts';
import { moveField } from './move-field.ts';
import { note } from './note.ts';
import { indexSearch } from './object-search.ts';
import { addOwner, dropOwner } from './owner.ts';
import { putFormula } from './put-formula.ts';
import { rebuildReference } from './rebuild-reference.ts';
import {
  renameField,
  renameObject,
  renameRelationship,
  renameRole,
  renameStatus,
} from './renamed-keys.ts';
import { retypeField } from './retype-field.ts';
import { addStatus, dropStatus } from './status.ts';
import { dropTrash, keepTrash } from './trash.ts';

const ALL = [
  addObject,
  dropObject,
  addOwner,
  dropOwner,
  addStatus,
  dropStatus,
  dropHistory,
  keepTrash,
  dropTrash,
  addField,
  dropField,
  retypeField,
  moveField,
  putFormula,
  rebuildReference,
  indexField,
  unindexField,
  makeUnique,
  dropUnique,
  indexText,
  unindexText,
  reorderField,
  indexSearch,
  dropLinks,
  limitLinks,
  renameObject,
  renameField,
  renameRelationship,
  renameRole,
  renameStatus,
  putUser,
  putTeam,
  dropTeam,
  note,
] as const;

type StepOf<Kind> = Kind extends ChangeKind<infer Step> ? Step : never;

/** One step of a change of the definition. */
export type Step = StepOf<(typeof ALL)[number]>;

export const CHANGE_KINDS: readonly Step['kind'][] = Object.freeze(ALL.map(({ kind }) => kind));

const BY_NAME = new Map(ALL.map((kind) => [kind.kind, kind as ChangeKind<Step>]));

/** The module of a step's kind. */
export function kindOf({ kind }: Step): ChangeKind<Step> {
  return BY_NAME.get(kind) as ChangeKind<Step>;
}
