// The words of roles: their flags, and the changes of a draft.

import type { Access } from '@workspace-records/client';
import type { PlainKey, Translate } from '../../lib/messages/index.ts';
import type { Action, FieldAccess, Reach } from '../../ui/rights-words.ts';
import { type Change, type Flag, isLoss } from './role-draft.ts';

interface FlagWords {
  readonly name: PlainKey;
  /** The word in a list of roles. */
  readonly short: PlainKey;
  readonly text: PlainKey;
}

export const FLAG_WORDS: Readonly<Record<Flag, FlagWords>> = {
  administrator: {
    name: 'roles.administrator',
    short: 'roles.administrator',
    text: 'roles.administratorText',
  },
  developer: {
    name: 'roles.developer',
    short: 'roles.developerShort',
    text: 'roles.developerText',
  },
  directory: {
    name: 'roles.directory',
    short: 'roles.directoryShort',
    text: 'roles.directoryText',
  },
  assign_owner: {
    name: 'roles.assignOwner',
    short: 'roles.assignOwnerShort',
    text: 'roles.assignOwnerText',
  },
  second_factor: {
    name: 'roles.secondFactor',
    short: 'roles.secondFactorShort',
    text: 'roles.secondFactorText',
  },
};

/** All objects of the workspace, with their fields and the actions that they support. */
export type ObjectRights = Access['objects'];

const VERBS: Readonly<Record<Action, PlainKey>> = {
  read: 'roles.toRead',
  create: 'roles.toCreate',
  update: 'roles.toUpdate',
  delete: 'roles.toDelete',
};

const REACH_SAID = {
  none: { loss: 'roles.saidNone', gain: 'roles.saidNone' },
  own: { loss: 'roles.onlyOwn', gain: 'roles.nowOwn' },
  team: { loss: 'roles.onlyTeam', gain: 'roles.nowTeam' },
  organisation: { loss: 'roles.nowAll', gain: 'roles.nowAll' },
} as const;

const FIELD_SAID = {
  none: { loss: 'roles.fieldHidden', gain: 'roles.fieldHidden' },
  read: { loss: 'roles.fieldOnlyRead', gain: 'roles.fieldRead' },
  write: { loss: 'roles.fieldWritten', gain: 'roles.fieldWritten' },
} as const;

/** A change in words, such as `Can now delete all Deals.` */
export function changeText(change: Change, objects: ObjectRights, t: Translate): string {
  const { part, before, after } = change;
  const object = objects.find(({ object_type }) => 'object' in part && object_type === part.object);
  const name = object?.name ?? ('object' in part ? part.object : '');
  switch (part.kind) {
    case 'name':
      return t('roles.changed', { what: t('roles.name'), before, after });
    case 'flag': {
      const words = (value: string) => t(value === 'yes' ? 'roles.yes' : 'roles.no');
      const what = t(FLAG_WORDS[part.flag].name);
      return t('roles.changed', { what, before: words(before), after: words(after) });
    }
    case 'reach':
      return t(REACH_SAID[after as Reach][isLoss(change) ? 'loss' : 'gain'], {
        action: t(VERBS[part.action]),
        object: name,
      });
    case 'field': {
      const field = object?.fields.find(({ key }) => key === part.field)?.name ?? part.field;
      return t(FIELD_SAID[after as FieldAccess][isLoss(change) ? 'loss' : 'gain'], {
        field,
        object: name,
      });
    }
  }
}
