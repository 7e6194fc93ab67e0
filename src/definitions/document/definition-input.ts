// The document to apply, in either form: a workspace's own document, which is a merge patch over the base, or a whole
// one. Both forms of each are kept with a revision.

import { inSlices } from '../../control/process/slices.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import {
  type DefinitionDocument,
  mergeSteps,
  patchSteps,
} from '../../model/definition/definition.ts';
import type { Steps } from '../../model/steps.ts';
import { checkSteps, type DefinitionProblem } from './check-definition.ts';
import { readBase } from './definition-file.ts';
import { followRenames } from './follow-renames.ts';
import { leaversOf, withLeaving } from './leaving-people.ts';
import { listed, refuse } from './refusals.ts';

/** A definition as a client sends it or a file contains it. */
export type DefinitionInput = { readonly patch: unknown } | { readonly document: unknown };

/** A document that can be compiled, in both forms. */
export interface Documents {
  readonly merged: DefinitionDocument;
  readonly patch: unknown;
}

/** The problems of a document, or both forms of a good one. */
export async function parseDefinition(
  input: DefinitionInput,
): Promise<Documents | { readonly problems: readonly DefinitionProblem[] }> {
  const most = LIMITS.definitionCharacters;
  const given = 'patch' in input ? input.patch : input.document;
  if ((JSON.stringify(given) ?? '').length > most) {
    return { problems: [{ path: '', message: say('must_not_be_longer', { most }) }] };
  }
  return inSlices(parseSteps(input));
}

type Parsed = Awaited<ReturnType<typeof parseDefinition>>;

function* parseSteps(input: DefinitionInput): Steps<Parsed> {
  // In a whole document too, null says that an entry is not there.
  const sent = yield* 'patch' in input
    ? mergeSteps(readBase(), input.patch)
    : mergeSteps(undefined, input.document);
  const merged = followRenames(sent, sent);
  const problems = yield* checkSteps(merged);
  if (problems.length > 0) return { problems };
  const patch =
    'patch' in input ? followRenames(input.patch, sent) : yield* patchOf(input.document, merged);
  return { merged: merged as DefinitionDocument, patch };
}

function* patchOf(document: unknown, merged: unknown): Steps<unknown> {
  return withLeaving(yield* patchSteps(readBase(), merged), leaversOf(document));
}

/** Both forms of a good document. Errors: an operator error that lists every problem. */
export async function requireGoodDefinition(input: DefinitionInput): Promise<Documents> {
  const parsed = await parseDefinition(input);
  if (!('problems' in parsed)) return parsed;
  const lines = parsed.problems.map(({ path, message }) => `${path} ${message.text}`.trim());
  throw refuse(listed('The definition cannot be used', lines), { problems: parsed.problems });
}
