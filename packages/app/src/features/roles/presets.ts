// Common sets of rights on an object, by names that people know. Pure.

import type { Role } from '@workspace-records/client';
import type { PlainKey } from '../../lib/messages/index.ts';
import { ACTIONS, type Action, type Reach } from '../../ui/rights-words.ts';
import { draftedValue, type Edits, type Part } from './role-draft.ts';
import type { ObjectRights } from './role-words.ts';

type Rights = Readonly<Record<Action, Reach>>;
type ObjectRight = ObjectRights[number];

const NONE = { read: 'none', create: 'none', update: 'none', delete: 'none' } as const;
const READ = { ...NONE, read: 'organisation' } as const;
const EDIT = { ...READ, create: 'organisation', update: 'organisation' } as const;

export const PRESETS = [
  { key: 'none', text: 'roles.noAccess', rights: NONE },
  { key: 'read', text: 'roles.presetRead', rights: READ },
  { key: 'own', text: 'roles.editOwn', rights: { ...READ, create: 'own', update: 'own' } },
  { key: 'all', text: 'roles.editAll', rights: EDIT },
  { key: 'full', text: 'roles.full', rights: { ...EDIT, delete: 'organisation' } },
] as const satisfies readonly {
  readonly key: string;
  readonly text: PlainKey;
  readonly rights: Rights;
}[];

export type Preset = (typeof PRESETS)[number];

export function presetNamed(key: string): Preset | undefined {
  return PRESETS.find((preset) => preset.key === key);
}

/** Undefined: the rights are a set of their own. */
export function presetOf(role: Role, edits: Edits, object: ObjectRight): Preset | undefined {
  return PRESETS.find((preset) =>
    editsOf(object, preset).every(([part, reach]) => draftedValue(role, edits, part) === reach),
  );
}

/** The values of the actions that the object supports. */
export function editsOf(
  { object_type, actions }: ObjectRight,
  { rights }: Preset,
): readonly (readonly [Part, Reach])[] {
  return ACTIONS.filter(({ action }) => actions[action].supported).map(({ action }) => [
    { kind: 'reach', object: object_type, action },
    rights[action],
  ]);
}
