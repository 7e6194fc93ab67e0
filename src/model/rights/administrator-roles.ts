// Roles that make an administrator, found without compiling the rights of their people. Pure.

import type { WorkspaceModel } from '../definition/model.ts';

/** The keys of the roles that administer. */
export function administratorRoles({ roles }: WorkspaceModel): readonly string[] {
  return [...roles.values()].flatMap(({ key, administrator }) => (administrator ? [key] : []));
}

/** True for a person who is active and has such a role. */
export function isActiveAdministrator(
  model: WorkspaceModel,
  person: { readonly active: boolean; readonly roles: readonly string[] } | undefined,
): boolean {
  return person?.active === true && isAdministrator(model, person.roles);
}

/** True when one of these roles makes an administrator. */
export function isAdministrator({ roles }: WorkspaceModel, keys: readonly string[]): boolean {
  return keys.some((key) => roles.get(key)?.administrator === true);
}
