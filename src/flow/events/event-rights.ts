// The rights of a reader of live events, as a short text that the ids of events carry: a reader who continues from an id
// with other rights is told (D331).

import { createHash } from 'node:crypto';
import type { Caller } from '../../model/access.ts';
import type { WorkspaceModel } from '../../model/model.ts';

/** The reader with their present rights. */
export interface ReaderRights {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

const known = new WeakMap<Caller, string>();

/** `revision.digest`: of the definition, and of what decides under one definition. */
export function rightsMarkOf({ caller, model }: ReaderRights): string {
  const mark = known.get(caller) ?? `${model.revision}.${digestOf(caller)}`;
  known.set(caller, mark);
  return mark;
}

/** Why what the reader was sent before may be read otherwise now; undefined when it may not. */
export function whatDiffers(before: string, after: string): 'definition' | 'rights' | undefined {
  if (before === after) return undefined;
  const revisionOf = (mark: string) => mark.split('.', 1)[0];
  return revisionOf(before) === revisionOf(after) ? 'rights' : 'definition';
}

const DIGEST_CHARACTERS = 11;

function digestOf({ access, team_ids, colleague_ids }: Caller): string {
  const sorted = [[...access.roles], [...team_ids], [...colleague_ids]].map((part) => part.sort());
  const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
  return digest.slice(0, DIGEST_CHARACTERS);
}
