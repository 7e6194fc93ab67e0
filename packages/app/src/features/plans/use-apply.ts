// Applies a plan, then leads on: to the data model, or to the job of a long change. A definition that is newer than the
// plan is read, and with it the plan is made again.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DefinitionPlan } from '@workspace-records/client';
import { changesOf } from '../../lib/definition/changes.ts';
import {
  type Definition,
  definitionQuery,
  dropDraft,
  patchOnto,
} from '../../lib/definition/draft.ts';
import type { Edit } from '../../lib/definition/edits.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.ts';
import { isStale } from './api.ts';

interface Application {
  readonly plan: DefinitionPlan;
  /** The definition that the plan starts from. */
  readonly present: Definition;
  readonly edits: readonly Edit[];
  /** The losses that the person has typed. */
  readonly allow: readonly string[];
}

export type Applying = ReturnType<typeof useApply>;

/** Applies a plan. The page calls it, because the page stays while a plan is made again. */
export function useApply() {
  const t = useT();
  const session = useSession();
  const { workspace, client } = session;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { queryKey } = definitionQuery(session);
  return useMutation({
    mutationFn: ({ plan, present, edits, allow }: Application) =>
      client.definition.apply(plan, { ...patchOnto(present, edits), allow: [...allow] }),
    async onSuccess(applied, { edits }) {
      if ('job' in applied) {
        const params = { workspace, id: applied.job.id };
        return navigate({ to: '/$workspace/settings/plans/$id', params });
      }
      showToast({ text: t('plan.applied', { count: changesOf(edits).length }) });
      // The next page must not show the changes as a draft.
      await queries.invalidateQueries({ queryKey });
      dropDraft(workspace);
      await navigate({ to: '/$workspace/settings/model', params: { workspace } });
      // Objects, rights and lists follow from the definition.
      void queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === workspace });
    },
    onError(error) {
      if (isStale(error)) void queries.invalidateQueries({ queryKey });
    },
  });
}
