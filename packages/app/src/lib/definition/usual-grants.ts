// The grants of roles on a new object: those that they have on every other object. Pure.

import {
  type DefinitionDocument,
  type GrantEntry,
  type ObjectEntry,
  type Reach,
  type RoleEntry,
  withValue,
} from './document.ts';

const REACHES: readonly (Reach | undefined)[] = [undefined, 'own', 'team', 'organisation'];
const ACTIONS = ['create', 'read', 'update', 'delete'] as const;

/** The document with a new object, and the usual grants of roles on it. */
export function withNewObject(
  document: DefinitionDocument,
  type: string,
  object: ObjectEntry,
): DefinitionDocument {
  const granted = Object.entries(document.roles ?? {}).reduce((next, [key, role]) => {
    const grant = usualGrant(role, document.objects);
    return grant === undefined ? next : withValue(next, ['roles', key, 'objects', type], grant);
  }, document);
  return withValue(granted, ['objects', type], object);
}

/** For each action the least reach on the objects that support it; undefined: there is an object without access. */
export function usualGrant(
  { administrator, objects: grants = {} }: RoleEntry,
  objects: DefinitionDocument['objects'],
): GrantEntry | undefined {
  if (administrator === true) return undefined;
  const leastOf = (action: (typeof ACTIONS)[number]) => {
    const types = Object.keys(objects).filter((type) => {
      const { capabilities = {} } = objects[type] ?? {};
      return action === 'read' || capabilities[action] !== false;
    });
    const reaches = types.map((type) => REACHES.indexOf(grants[type]?.[action]));
    return types.length === 0 ? undefined : REACHES[Math.min(...reaches)];
  };
  const reaches = ACTIONS.map((action) => [action, leastOf(action)] as const);
  const grant = Object.fromEntries(reaches.filter(([, reach]) => reach !== undefined));
  return Object.keys(grant).length === 0 ? undefined : grant;
}
