// The definitions of workspaces as answers, printed once for each revision and set of rights: one of 20 objects
// with 500 fields each is a megabyte.

import { LRUCache } from 'lru-cache';
import { loadDefinition, type StoredDefinition } from '../control/workspaces.ts';
import type { Reply } from '../http/route.ts';
import type { Access, Caller } from '../model/access.ts';
import { entityTag } from '../model/entity-tag.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { type Visibility, visibleDefinition } from '../model/visible-definition.ts';
import type { Queryable } from '../postgres/db.ts';

export type DefinitionForm = 'document' | 'patch';

interface Printed extends Reply {
  readonly text: string;
}

/** Characters of the answers that are kept of each form. */
const MOST_CHARACTERS = 32 * 2 ** 20;

/** Rights are compiled once for each revision and set of roles, and say all that an answer shows. */
const printed = Object.freeze({ document: openCache(), patch: openCache() });

function openCache() {
  return new LRUCache<Access, Printed>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ text }) => text.length,
  });
}

/** The answer for this caller. */
export async function printDefinition(
  db: Queryable,
  { model, caller }: { readonly model: WorkspaceModel; readonly caller: Caller },
  form: DefinitionForm,
): Promise<Reply> {
  const known = printed[form].get(caller.access);
  if (known !== undefined) return known;
  const stored = await loadDefinition(db, model);
  if (stored === undefined) throw new Error(`revision ${model.revision} has no document`);
  const body = { data: presentDefinition(stored, model, caller, form) };
  const text = JSON.stringify(body);
  const headers = { ETag: entityTag(text, String(model.revision)) };
  const reply = { body, text, headers };
  printed[form].set(caller.access, reply);
  return reply;
}

function presentDefinition(
  { document, patch }: StoredDefinition,
  model: WorkspaceModel,
  { access }: Caller,
  form: DefinitionForm,
) {
  const { revision } = model;
  const complete = access.administrator;
  if (form === 'patch') return { revision, complete, patch };
  const shown = complete ? document : visibleDefinition(document, visibilityOf(access));
  return { revision, complete, document: shown };
}

function visibilityOf({ objects, roles, directory }: Access): Visibility {
  return {
    isReadable: (objectType) => (objects.get(objectType)?.reach.read ?? null) !== null,
    isReadableField: (objectType, key) => objects.get(objectType)?.readable.has(key) === true,
    roles,
    directory,
  };
}
