// People whom the document of a workspace sets to null: they leave, so they stay in the workspace as inactive people
// (docs/decisions.md, D224). Pure.

import type { DefinitionDocument, UserDefinition } from '../../model/definition/definition.ts';
import { ownValue } from '../../model/text/own-value.ts';

/** The people by e-mail address. */
export type Users = Readonly<Record<string, UserDefinition>>;

/** The addresses that a document of a workspace sets to null: those people leave. */
export function leaversOf(patch: unknown): readonly string[] {
  const users = (patch as Pick<DefinitionDocument, 'users'> | null | undefined)?.users ?? {};
  return Object.entries(users).flatMap(([email, user]) => (user === null ? [email] : []));
}

/** The patch that says so of them too (D224). */
export function withLeaving(patch: unknown, leavers: readonly string[]): unknown {
  if (leavers.length === 0) return patch;
  const document = patch as DefinitionDocument;
  const leaving = Object.fromEntries(leavers.map((email) => [email, null]));
  return { ...document, users: { ...document.users, ...leaving } };
}

/** The people of a document, and those who leave as they are, but inactive (D224). */
export function withLeavers(
  listed: Users = {},
  everybody: Users,
  leavers: readonly string[],
): Users {
  const leaving = leavers.flatMap((email) => {
    const user = ownValue(everybody, email);
    return user === undefined ? [] : [[email, { ...user, active: false }] as const];
  });
  return { ...listed, ...Object.fromEntries(leaving) };
}
