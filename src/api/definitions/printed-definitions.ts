// The definitions of workspaces as answers, printed once for each revision and set of rights: one of 20 objects
// with 500 fields each is a megabyte.

import { LRUCache } from 'lru-cache';
import { type DocumentPeople, loadDocumentPeople } from '../../control/people/document-people.ts';
import { loadDefinition, type StoredDefinition } from '../../control/workspace/workspaces.ts';
import { type OwnDocument, withPresentPeople } from '../../definitions/apply/own-document.ts';
import {
  type Visibility,
  visibleDefinition,
} from '../../definitions/document/visible-definition.ts';
import type { Reply } from '../../http/route/route.ts';
import type { DefinitionDocument } from '../../model/definition/definition.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Access, type Caller, knowsDirectory } from '../../model/rights/access.ts';
import { entityTag } from '../../model/values/entity-tag.ts';
import type { Queryable } from '../../postgres/db.ts';

export type DefinitionForm = 'document' | 'patch';

interface Printed extends Reply {
  readonly text: string;
  /** The people and teams that it was printed with. */
  readonly people: string;
}

/** Characters of the answers that are kept of each form. */
const MOST_CHARACTERS = 32 * 2 ** 20;

/**
 * Rights are compiled once for each revision and set of roles, and decide all that an answer shows besides people,
 * who change without a revision (D224).
 */
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
  const present = knowsDirectory(caller) ? await loadDocumentPeople(db, model.schema) : NOBODY;
  const people = JSON.stringify(present);
  const known = printed[form].get(caller.access);
  if (known?.people === people) return known;
  const stored = await loadDefinition(db, model);
  if (stored === undefined) throw new Error(`revision ${model.revision} has no document`);
  const body = { data: presentDefinition(withPeople(stored, present), model, caller, form) };
  const text = JSON.stringify(body);
  const headers = { ETag: entityTag(text, String(model.revision)) };
  const reply = { body, text, people, headers };
  printed[form].set(caller.access, reply);
  return reply;
}

const NOBODY: DocumentPeople = Object.freeze({ users: {}, teams: {} });

type Documents = Pick<StoredDefinition, 'document' | 'patch'>;

function withPeople({ document, patch }: Documents, people: DocumentPeople) {
  const present = withPresentPeople(document, people) as DefinitionDocument;
  return { document: present, patch: withPresentPeople(patch as OwnDocument, people) };
}

function presentDefinition(
  { document, patch }: Documents,
  model: WorkspaceModel,
  caller: Caller,
  form: DefinitionForm,
) {
  const { revision } = model;
  const complete = caller.access.administrator && knowsDirectory(caller);
  if (form === 'patch') return { revision, complete, patch };
  const shown = complete ? document : visibleDefinition(document, visibilityOf(model, caller));
  return { revision, complete, document: shown };
}

function visibilityOf(model: WorkspaceModel, caller: Caller): Visibility {
  const { objects, roles, administrator } = caller.access;
  return {
    isReadable: (objectType) => (objects.get(objectType)?.reach.read ?? null) !== null,
    isReadableField: (objectType, key) => objects.get(objectType)?.readable.has(key) === true,
    roles: administrator ? new Set(model.roles.keys()) : roles,
    directory: knowsDirectory(caller),
  };
}
