// The changes of the data model that a person collects, until they are applied or dropped: in this tab, wiped at
// sign-out. Pages see the document as it would be with them.

import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { plainDefinition } from '../definition-text.ts';
import { baseName, currentLanguage } from '../messages/index.ts';
import { useSession, type WorkspaceClient } from '../session.ts';
import { readDraft, writeDraft } from '../storage.ts';
import { createStore, type Store, useStore } from '../store.ts';
import { withBaseNames } from './base-names.ts';
import type { DefinitionDocument } from './document.ts';
import { type Edit, editsBetween, patchOf, stillNeeded, withEdits } from './edits.ts';
import { translatedEdits } from './translations.ts';

export interface Definition {
  readonly revision: number;
  /** False: parts are left out that the person may not read. */
  readonly complete: boolean;
  /** The document with each name in the language of the application. */
  readonly document: DefinitionDocument;
  /** The document with each name in all its languages. */
  readonly stored: unknown;
}

export function definitionQuery({ workspace, client }: WorkspaceClient) {
  return queryOptions({
    queryKey: [workspace, 'definition', 'document'],
    queryFn: async ({ signal }): Promise<Definition> => {
      const { document: stored = { objects: {} }, ...rest } = await client.definition.get(
        {},
        { signal },
      );
      const document = plainDefinition(stored as unknown as DefinitionDocument);
      return { ...rest, stored, document: withBaseNames(document, baseName) };
    },
  });
}

/** The merge patch onto the definition in force that the service plans and applies. */
export function patchOnto(present: Definition, edits: readonly Edit[]) {
  return { merge: true, patch: patchOf(translatedEdits(edits, present, currentLanguage())) };
}

export interface DraftedDefinition {
  /** The definition in force. */
  readonly present: Definition;
  /** The document with the edits of the draft. */
  readonly document: DefinitionDocument;
  readonly edits: readonly Edit[];
  /** Changes the draft from its present document to the one that `to` returns. */
  change(to: (document: DefinitionDocument) => DefinitionDocument): void;
  /** Replaces all edits of the draft by these. */
  replace(edits: readonly Edit[]): void;
}

export function useDefinition(): DraftedDefinition {
  const session = useSession();
  const { data: present } = useSuspenseQuery(definitionQuery(session));
  const store = draftOf(session.workspace);
  const draft = useStore(store);
  return useMemo(() => {
    return {
      present,
      ...draftedOf(present, draft),
      replace: (next) => keep(session.workspace, next),
      change(to) {
        // Several changes of one turn follow one another.
        const latest = store.get();
        const next = editsBetween(present.document, to(withEdits(present.document, latest)));
        keep(session.workspace, keepBefore(next, latest));
      },
    };
  }, [present, draft, store, session.workspace]);
}

type Drafted = Pick<DraftedDefinition, 'document' | 'edits'>;

const drafted = new WeakMap<Definition, WeakMap<Draft, Drafted>>();

/** Made once for all components. */
function draftedOf(present: Definition, draft: Draft): Drafted {
  const known = drafted.get(present) ?? new WeakMap<Draft, Drafted>();
  drafted.set(present, known);
  const made = known.get(draft) ?? makeDrafted(present, draft);
  known.set(draft, made);
  return made;
}

function makeDrafted({ document }: Definition, draft: Draft): Drafted {
  const edits = stillNeeded(document, draft);
  // An imported file can bring names in several languages.
  return { edits, document: plainDefinition(withEdits(document, edits)) };
}

/** Edits that were there keep the value they were made to: it tells whether somebody else has changed it since. */
function keepBefore(next: readonly Edit[], old: readonly Edit[]): readonly Edit[] {
  const known = new Map(old.map((edit) => [JSON.stringify(edit.path), edit]));
  return next.map((edit) => {
    const same = known.get(JSON.stringify(edit.path));
    return same === undefined ? edit : { ...edit, before: same.before };
  });
}

/** Deletes the draft, after it was applied or dropped. */
export function dropDraft(workspace: string): void {
  keep(workspace, []);
}

type Draft = readonly Edit[];

const drafts = new Map<string, Store<Draft>>();

function draftOf(workspace: string): Store<Draft> {
  const known = drafts.get(workspace);
  if (known !== undefined) return known;
  const store = createStore(parseDraft(readDraft(nameOf(workspace))));
  drafts.set(workspace, store);
  return store;
}

function keep(workspace: string, draft: Draft): void {
  writeDraft(nameOf(workspace), draft.length === 0 ? undefined : draft);
  draftOf(workspace).set(draft);
}

function nameOf(workspace: string): string {
  return `definition:${workspace}`;
}

/** Another version of the application may have left something else. */
function parseDraft(stored: unknown): Draft {
  const isDraft = Array.isArray(stored) && stored.every((one) => Array.isArray(Object(one).path));
  return isDraft ? stored : [];
}
