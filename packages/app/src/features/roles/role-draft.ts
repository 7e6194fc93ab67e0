// A role while it is edited: the edits over what is saved, what they change, and the patch that saves them. Edits are kept
// by the part that they change, so that a change that somebody else saves meanwhile stays. Pure.

import type { Role } from '@workspace-records/client';
import type { RolePatch } from '../../lib/role-writes.ts';
import {
  ACTIONS,
  type Action,
  accessInForce,
  type FieldAccess,
  type Reach,
  type Writing,
  writingOf,
} from '../../ui/rights-words.ts';

export const FLAGS = [
  ...(['administrator', 'developer', 'directory', 'assign_owner', 'second_factor'] as const),
] as const;
export type Flag = (typeof FLAGS)[number];

/** A part of a role that has one value. */
export type Part =
  | { readonly kind: 'name' }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'reach'; readonly object: string; readonly action: Action }
  | { readonly kind: 'field'; readonly object: string; readonly field: string };

/** New values by part, as texts: `yes` and `no` of flags. */
export type Edits = Readonly<Record<string, string>>;

export interface Change {
  readonly part: Part;
  readonly before: string;
  readonly after: string;
}

const SEPARATOR = ' ';

/** Keys of objects and fields have no spaces. */
export function pathOf(part: Part): string {
  switch (part.kind) {
    case 'name':
      return 'name';
    case 'flag':
      return ['flag', part.flag].join(SEPARATOR);
    case 'reach':
      return ['reach', part.object, part.action].join(SEPARATOR);
    case 'field':
      return ['field', part.object, part.field].join(SEPARATOR);
  }
}

/** Undefined: a path of another version of the application. */
function partOf(path: string): Part | undefined {
  const [kind, one = '', other = ''] = path.split(SEPARATOR);
  if (kind === 'name') return { kind };
  if (kind === 'flag') return { kind, flag: one as Flag };
  if (kind === 'reach') return { kind, object: one, action: other as Action };
  return kind === 'field' ? { kind, object: one, field: other } : undefined;
}

export function savedValue(role: Role, part: Part): string {
  switch (part.kind) {
    case 'name':
      return role.name;
    case 'flag':
      return hasFlag(role, part.flag) ? 'yes' : 'no';
    case 'reach':
      return role.objects[part.object]?.[part.action] ?? 'none';
    case 'field':
      return role.objects[part.object]?.fields[part.field] ?? 'write';
  }
}

/** `second_factor` is a word, the others are true or false. */
export function hasFlag(role: Role, flag: Flag): boolean {
  return flag === 'second_factor' ? role.second_factor === 'required' : role[flag];
}

export function draftedValue(role: Role, edits: Edits, part: Part): string {
  return edits[pathOf(part)] ?? savedValue(role, part);
}

/** An edit back to what is saved is none. */
export function withEdit(role: Role, edits: Edits, part: Part, value: string): Edits {
  const { [pathOf(part)]: _, ...others } = edits;
  return value === savedValue(role, part) ? others : { ...others, [pathOf(part)]: value };
}

/** The changes in the order in which they were made, without edits that somebody else has saved meanwhile. */
export function changesOf(role: Role, edits: Edits): readonly Change[] {
  return Object.entries(edits).flatMap(([path, after]): readonly Change[] => {
    const part = partOf(path);
    if (part === undefined) return [];
    const before = savedValue(role, part);
    return before === after ? [] : [{ part, before, after }];
  });
}

/** The records of the object whose fields the role may write. */
export function draftedWriting(role: Role, edits: Edits, object: string): Writing {
  return writingOf(
    (action) => draftedValue(role, edits, { kind: 'reach', object, action }) !== 'none',
  );
}

/** Fields of which less is allowed than the actions on the object allow. */
export function limitedFields(
  role: Role,
  edits: Edits,
  object: string,
  keys: readonly string[],
): readonly string[] {
  const writing = draftedWriting(role, edits, object);
  const inForce = (access: string) => accessInForce(access as FieldAccess, writing);
  return keys.filter((field) => {
    const drafted = draftedValue(role, edits, { kind: 'field', object, field });
    return inForce(drafted) !== inForce('write');
  });
}

/** True while somebody with the role may do anything with records of the object. */
export function hasGrant(role: Role, edits: Edits, object: string): boolean {
  return ACTIONS.some(
    ({ action }) => draftedValue(role, edits, { kind: 'reach', object, action }) !== 'none',
  );
}

/** The merge patch of the changes. */
export function patchOf(role: Role, edits: Edits): RolePatch {
  const changes = changesOf(role, edits);
  const entries = changes.flatMap(({ part, after }): readonly (readonly [string, unknown])[] => {
    if (part.kind === 'name') return [['name', after.trim()]];
    if (part.kind !== 'flag') return [];
    const isOn = after === 'yes';
    if (part.flag !== 'second_factor') return [[part.flag, isOn]];
    return [[part.flag, isOn ? 'required' : 'optional']];
  });
  const objects = new Set(changes.flatMap(({ part }) => ('object' in part ? [part.object] : [])));
  const grants = [...objects].map((object) => [object, grantPatch(role, edits, object)] as const);
  return {
    ...Object.fromEntries(entries),
    ...(grants.length === 0 ? {} : { objects: Object.fromEntries(grants) }),
  };
}

/** Null: the object leaves the role, with the access to its fields. */
function grantPatch(role: Role, edits: Edits, object: string) {
  if (!hasGrant(role, edits, object)) return null;
  const changes = changesOf(role, edits);
  const reach = changes.flatMap(({ part, after }) =>
    part.kind === 'reach' && part.object === object
      ? [[part.action, after === 'none' ? null : after] as const]
      : [],
  );
  const fields = changes.flatMap(({ part, after }) =>
    part.kind === 'field' && part.object === object
      ? [[part.field, after === 'write' ? null : after] as const]
      : [],
  );
  return {
    ...Object.fromEntries(reach),
    ...(fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
  } as NonNullable<NonNullable<RolePatch['objects']>[string]>;
}

const REACHES: readonly Reach[] = ['none', 'own', 'team', 'organisation'];
const ACCESSES: readonly FieldAccess[] = ['none', 'read', 'write'];

/** True: afterwards less is allowed. */
export function isLoss({ part, before, after }: Change): boolean {
  if (part.kind === 'flag') return after === 'no';
  const order: readonly string[] = part.kind === 'reach' ? REACHES : ACCESSES;
  return part.kind !== 'name' && order.indexOf(after) < order.indexOf(before);
}

/** Actions that reach farther than reading, which only works where records can be read. */
export function beyondReading(role: Role, edits: Edits, object: string): readonly Action[] {
  const reach = (action: Action) =>
    REACHES.indexOf(draftedValue(role, edits, { kind: 'reach', object, action }) as Reach);
  return (['update', 'delete'] as const).filter((action) => reach(action) > reach('read'));
}
