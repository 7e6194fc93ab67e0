// The import that a person has begun for an object: its file in this browser's storage, its plan in this tab, so that
// both survive a reload.

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keptFileName, readKept, writeKept } from '../../lib/kept-files.ts';
import type { Table } from '../../lib/read-table.ts';
import { useSession } from '../../lib/session.ts';
import { readDraft, writeDraft } from '../../lib/storage.ts';
import { type ImportDraft, startDraft, type Target } from './import-draft.ts';
import { applySaved, lastMapping } from './saved-mappings.ts';

export interface Chosen {
  readonly fileName: string;
  readonly table: Table;
  /** The file as it was chosen. */
  readonly original: Blob;
}

export interface Plan {
  readonly draft: ImportDraft;
  /** Of the file, where it has been sent. */
  readonly fileId?: string;
  /** The dry run, and the plan that it was of. */
  readonly check?: { readonly jobId: string; readonly of: string };
}

export interface ImportState {
  /** Undefined: no file has been chosen. */
  readonly chosen: Chosen | undefined;
  readonly plan: Plan | undefined;
  choose(chosen: Chosen): void;
  change(draft: ImportDraft): void;
  keep(sent: Pick<Plan, 'fileId' | 'check'>): void;
  /** The records are others than at the last check. */
  checkAgain(): void;
  forget(): void;
}

export function useImport(target: Target): ImportState {
  const { workspace, me } = useSession();
  const queries = useQueryClient();
  const { object } = target;
  const name = keptFileName(workspace, me.user.id, object.object_type);
  const queryKey = [workspace, 'import', name];
  const { data: chosen } = useSuspenseQuery({
    queryKey,
    queryFn: async () => ((await readKept(name)) as Chosen | undefined) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [plan, setPlan] = useState(
    () =>
      (readDraft(name) as Plan | undefined) ??
      // The file that its object was made from (features/home).
      (chosen == null ? undefined : { draft: startDraft(target, chosen.table) }),
  );
  const put = (next: Plan | undefined) => {
    setPlan(next);
    writeDraft(name, next);
  };
  const place = { workspace, userId: me.user.id, object };
  return {
    chosen: chosen ?? undefined,
    plan: chosen === null ? undefined : plan,
    choose(next) {
      queries.setQueryData(queryKey, next);
      void writeKept(name, next);
      const started = startDraft(target, next.table);
      const last = lastMapping(place, next.table.headings);
      put({ draft: last === undefined ? started : applySaved(target, started, last) });
    },
    change: (draft) => put({ ...plan, draft }),
    keep(sent) {
      if (plan !== undefined) put({ ...plan, ...sent });
    },
    checkAgain() {
      if (plan === undefined) return;
      const { check: _, ...rest } = plan;
      put(rest);
    },
    forget() {
      queries.setQueryData(queryKey, null);
      void writeKept(name, undefined);
      put(undefined);
    },
  };
}
