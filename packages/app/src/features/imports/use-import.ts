// The import that a person has begun for an object: its file in this browser's storage, its plan in this tab, so that
// both survive a reload.

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ObjectDefinition } from '@workspace-records/client';
import { useMemo, useState } from 'react';
import type { Table } from '../../../../tables/src/reading.ts';
import { keptFileName, readKept, writeKept } from '../../lib/kept-files.ts';
import { useSession } from '../../lib/session.ts';
import { readDraft, writeDraft } from '../../lib/storage.ts';
import { useTarget } from './api.ts';
import { type ImportDraft, startDraft, type Target } from './import-draft.ts';
import { applySaved, lastMapping } from './saved-mappings.ts';
import { RECORDS, type Rows } from './subjects.ts';

export interface Chosen {
  readonly fileName: string;
  readonly table: Table;
  /** The file as it was chosen. */
  readonly original: Blob;
}

export interface Plan {
  readonly rows: Rows;
  readonly draft: ImportDraft;
  /** Of the file, where it has been sent. */
  readonly fileId?: string;
  /** The dry run, and the plan that it was of. */
  readonly check?: { readonly jobId: string; readonly of: string };
}

/** A plan whose columns are those that were found, when it has no draft. */
type KeptPlan = Partial<Plan>;

export interface ImportState {
  readonly target: Target;
  /** Undefined: no file has been chosen. */
  readonly chosen: Chosen | undefined;
  readonly plan: Plan | undefined;
  choose(chosen: Chosen): void;
  /** Begins with the columns that are found for these rows. */
  changeRows(rows: Rows): void;
  change(draft: ImportDraft): void;
  keep(sent: Pick<Plan, 'fileId' | 'check'>): void;
  /** The records are others than at the last check. */
  checkAgain(): void;
  forget(): void;
}

export function useImport(object: ObjectDefinition): ImportState {
  const { workspace, me } = useSession();
  const queries = useQueryClient();
  const name = keptFileName(workspace, me.user.id, object.object_type);
  const queryKey = [workspace, 'import', name];
  const { data: chosen } = useSuspenseQuery({
    queryKey,
    queryFn: async () => {
      const chosen = (await readKept(name)) as Chosen | undefined;
      // An earlier release of the application read files in another way.
      return chosen?.table.notation === undefined ? null : chosen;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [kept, setKept] = useState(() => readDraft(name) as KeptPlan | undefined);
  const { rows = RECORDS } = kept ?? {};
  const target = useTarget(object, rows);
  const plan = usePlan(target, chosen, { ...kept, rows });
  const put = (next: KeptPlan | undefined) => {
    setKept(next);
    writeDraft(name, next);
  };
  const place = { workspace, userId: me.user.id, object: target.object };
  return {
    target,
    chosen: chosen ?? undefined,
    plan,
    choose(next) {
      queries.setQueryData(queryKey, next);
      void writeKept(name, next);
      const { table } = next;
      const started = startDraft(target, table);
      const last = lastMapping(place, table.headings);
      put({
        rows,
        draft: last === undefined ? started : applySaved(target, { started, table }, last),
      });
    },
    changeRows(other) {
      const { fileId } = kept ?? {};
      put(fileId === undefined ? { rows: other } : { rows: other, fileId });
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

/** A file without a plan is one that its object was made from (features/home), or has got other rows. */
function usePlan(
  target: Target,
  chosen: Chosen | null,
  { draft, rows = RECORDS, ...sent }: KeptPlan,
): Plan | undefined {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the target is made again for each rendering.
  const started = useMemo(
    () => (draft === undefined && chosen !== null ? startDraft(target, chosen.table) : undefined),
    [draft, chosen, rows],
  );
  const shown = draft ?? started;
  return chosen === null || shown === undefined ? undefined : { ...sent, rows, draft: shown };
}
