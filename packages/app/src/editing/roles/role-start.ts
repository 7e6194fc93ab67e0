// The permissions that a new role begins with: none, all records to read or also to write, or those of another role. Pure.

import type { Access, Role } from '@workspace-records/client';
import { plainKey } from '../../../../tables/src/field-keys.ts';
import type { NewRole } from '../../lib/role-writes.ts';
import { ACTIONS, type Action } from '../../ui/rights-words.ts';

export const PLAIN_STARTS = ['nothing', 'read', 'write'] as const;
export type Start = (typeof PLAIN_STARTS)[number] | Role;

export type StartBody = Omit<NewRole, 'key' | 'name'>;
type Objects = Access['objects'];
type Grant = Role['objects'][string];

/** The body of the new role, without its name and key. */
export function startBody(start: Start, objects: Objects): StartBody {
  if (typeof start !== 'string') return copyOf(start);
  if (start === 'nothing') return {};
  if (start === 'read') return { directory: true, objects: grantsOf(objects, ['read']) };
  const all = ACTIONS.map(({ action }) => action);
  return { directory: true, assign_owner: true, objects: grantsOf(objects, all) };
}

/** All records of each object, for the actions that the object supports. */
function grantsOf(objects: Objects, wanted: readonly Action[]): NonNullable<StartBody['objects']> {
  const grantOf = ({ actions }: Objects[number]) =>
    Object.fromEntries(
      wanted
        .filter((action) => actions[action].supported)
        .map((action) => [action, 'organisation' as const]),
    );
  return Object.fromEntries(objects.map((object) => [object.object_type, grantOf(object)]));
}

function copyOf({ objects, ...role }: Role) {
  const { administrator, developer, directory, assign_owner, second_factor } = role;
  const grants = Object.entries(objects).map(([type, { fields, ...reach }]) => {
    const isPlain = Object.keys(fields).length === 0;
    return [type, isPlain ? reach : { ...reach, fields }] as readonly [string, Partial<Grant>];
  });
  return {
    ...{ administrator, developer, directory, assign_owner, second_factor },
    objects: Object.fromEntries(grants),
  };
}

/** A key from a name, as definitions spell them. */
export function keyOf(name: string): string {
  return plainKey(name, 40).replace(/^[_\d]+/, '');
}
