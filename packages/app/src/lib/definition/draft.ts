// The changes of the data model that a person collects, until they are applied or dropped: in this tab, wiped at
// sign-out. Pages see the document as it would be with them.

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession, type WorkspaceClient } from '../session.ts';
import { readDraft, writeDraft } from '../storage.ts';
import { createStore, type Store, useStore } from '../store.ts';
import { type DefinitionDocument, isEntries } from './document.ts';
import { type Edit, editsBetween, stillNeeded, withEdits } from './edits.ts';

export interface Draft {
  /** That the edits were made to. */
  readonly revision: number;
  readonly edits: readonly Edit[];
}

export interface Definition {
  readonly revision: number;
  /** False: parts are left out that the person may not read. */
  readonly complete: boolean;
  readonly document: DefinitionDocument;
}

export function definitionQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'document'],
    queryFn: async ({ signal }): Promise<Definition> => {
      const { document, ...rest } = await client.definition.get({}, { signal });
      return { ...rest, document: (document ?? { objects: {} }) as unknown as DefinitionDocument };
    },
  });
}

export interface DraftedDefinition {
  /** In force. */
  readonly present: Definition;
  /** As it would be. */
  readonly document: DefinitionDocument;
  readonly edits: readonly Edit[];
  /** That the edits were made to. */
  readonly revision: number;
  /** Of the document as it would be to the one that is wanted. */
  change(to: (document: DefinitionDocument) => DefinitionDocument): void;
  /** Other edits in place of all of these. */
  replace(edits: readonly Edit[]): void;
}

export function useDefinition(): DraftedDefinition {
  const session = useSession();
  const { data: present } = useSuspenseQuery(definitionQuery(session));
  const store = draftOf(session.workspace);
  const draft = useStore(store);
  return useMemo(() => {
    const edits = stillNeeded(present.document, draft?.edits ?? []);
    const document = withEdits(present.document, edits);
    const replace = (next: readonly Edit[]) => keep(session.workspace, present.revision, next);
    return {
      present,
      document,
      edits,
      revision: edits.length === 0 ? present.revision : (draft?.revision ?? present.revision),
      replace,
      change(to) {
        const now = store.get();
        // Several changes of one turn follow one another.
        const latest = withEdits(present.document, now?.edits ?? []);
        const next = editsBetween(present.document, to(latest));
        keep(session.workspace, now?.revision ?? present.revision, keepBefore(next, now?.edits));
      },
    };
  }, [present, draft, store, session.workspace]);
}

/** Edits that were there keep the value they were made to: it tells whether somebody else has changed it since. */
function keepBefore(next: readonly Edit[], old: readonly Edit[] = []): readonly Edit[] {
  const known = new Map(old.map((edit) => [JSON.stringify(edit.path), edit]));
  return next.map((edit) => {
    const same = known.get(JSON.stringify(edit.path));
    return same === undefined ? edit : { ...edit, before: same.before };
  });
}

/** After applying or dropping. */
export function dropDraft(workspace: string): void {
  keep(workspace, 0, []);
}

const drafts = new Map<string, Store<Draft | undefined>>();

function draftOf(workspace: string): Store<Draft | undefined> {
  const known = drafts.get(workspace);
  if (known !== undefined) return known;
  const store = createStore(parseDraft(readDraft(nameOf(workspace))));
  drafts.set(workspace, store);
  return store;
}

function keep(workspace: string, revision: number, edits: readonly Edit[]): void {
  const draft = edits.length === 0 ? undefined : { revision, edits };
  writeDraft(nameOf(workspace), draft);
  draftOf(workspace).set(draft);
}

function nameOf(workspace: string): string {
  return `definition:${workspace}`;
}

/** Another version of the application may have left something else. */
function parseDraft(stored: unknown): Draft | undefined {
  if (!isEntries(stored) || !Array.isArray(stored.edits)) return undefined;
  const isGood = stored.edits.every((edit) => isEntries(edit) && Array.isArray(edit.path));
  return isGood && typeof stored.revision === 'number' ? (stored as unknown as Draft) : undefined;
}
