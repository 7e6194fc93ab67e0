// What is to be applied, in either form: a workspace's own document, which is a merge patch over the base, or a
// whole one. Both forms of each are kept with a revision.

import { checkDefinition, type DefinitionProblem } from '../model/check-definition.ts';
import { type DefinitionDocument, mergePatch, patchBetween } from '../model/definition.ts';
import { leaversOf } from '../model/judge-people.ts';
import { readBase } from './definition-file.ts';
import { listed, refuse } from './refusals.ts';

/** As a client or a file has it. */
export type DefinitionInput = { readonly patch: unknown } | { readonly document: unknown };

/** A document that can be compiled, in both forms. */
export interface Documents {
  readonly merged: DefinitionDocument;
  readonly patch: unknown;
}

/** The problems of a document, or both forms of a good one. */
export function parseDefinition(
  input: DefinitionInput,
): Documents | { readonly problems: readonly DefinitionProblem[] } {
  const merged = 'patch' in input ? mergePatch(readBase(), input.patch) : withoutNulls(input);
  const problems = checkDefinition(merged);
  if (problems.length > 0) return { problems };
  const patch = 'patch' in input ? input.patch : patchOf(input.document, merged);
  return { merged: merged as DefinitionDocument, patch };
}

/** Whoever a document sets to null leaves (D224), in this form as in the other one. */
function patchOf(document: unknown, merged: unknown): unknown {
  const patch = patchBetween(readBase(), merged) as DefinitionDocument;
  const leavers = leaversOf(document).map((email) => [email, null]);
  if (leavers.length === 0) return patch;
  return { ...patch, users: { ...patch.users, ...Object.fromEntries(leavers) } };
}

/** Null says in either form that an entry is not there. */
function withoutNulls({ document }: { readonly document: unknown }): unknown {
  return mergePatch(undefined, document);
}

/** The same; an operator error lists every problem. */
export function requireGoodDefinition(input: DefinitionInput): Documents {
  const parsed = parseDefinition(input);
  if (!('problems' in parsed)) return parsed;
  const lines = parsed.problems.map(({ path, message }) => `${path} ${message}`.trim());
  throw refuse(listed('The definition cannot be used', lines), { problems: parsed.problems });
}
