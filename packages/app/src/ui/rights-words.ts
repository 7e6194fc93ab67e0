// The words and shades of rights: actions on objects, how far each reaches, what may be done with a field.

import type { PlainKey } from '../lib/messages/index.ts';

export const ACTIONS = [
  { action: 'read', word: 'roles.read' },
  { action: 'create', word: 'roles.create' },
  { action: 'update', word: 'roles.update' },
  { action: 'delete', word: 'roles.delete' },
] as const;

export type Action = (typeof ACTIONS)[number]['action'];
export type Reach = 'none' | 'own' | 'team' | 'organisation';
export type FieldAccess = 'none' | 'read' | 'write';

/** The records whose fields can be written: all that may be changed, new ones, none. */
export type Writing = 'all' | 'new' | 'none';

export function writingOf(isGranted: (action: 'create' | 'update') => boolean): Writing {
  if (isGranted('update')) return 'all';
  return isGranted('create') ? 'new' : 'none';
}

/** A field is written only with a record that is. */
export function accessInForce(access: FieldAccess, writing: Writing): FieldAccess {
  return access === 'write' && writing === 'none' ? 'read' : access;
}

export interface Shade {
  readonly text: PlainKey;
  readonly level: 'none' | 'little' | 'some' | 'most';
}

export const REACH: Readonly<Record<Reach, Shade>> = {
  none: { text: 'roles.none', level: 'none' },
  own: { text: 'roles.own', level: 'little' },
  team: { text: 'roles.team', level: 'some' },
  organisation: { text: 'roles.all', level: 'most' },
};

export const FIELD_ACCESS: Readonly<Record<FieldAccess, Shade>> = {
  none: { text: 'roles.hidden', level: 'none' },
  read: { text: 'roles.readOnly', level: 'some' },
  write: { text: 'roles.write', level: 'most' },
};

/** The reason why “Write” of a field is less than it says. */
export const WRITING_NOTES = {
  all: undefined,
  new: 'roles.onlyNew',
  none: 'roles.noWriting',
} as const;
