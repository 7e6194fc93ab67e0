// Makes objects and fields at once: a plan of the service, and its application when the plan has no problem.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { planRefused } from '../plan-refused.ts';
import { useSession } from '../session.ts';
import type { DefinitionDocument } from './document.ts';
import { definitionQuery } from './draft.ts';
import { editsBetween, patchOf } from './edits.ts';

/** Applies the document that the function makes of the stored one. Errors: those of the plan, such as a taken key. */
export function useStart(onMade: () => void | Promise<void>) {
  const session = useSession();
  const { workspace, client } = session;
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(to: (document: DefinitionDocument) => DefinitionDocument) {
      const { stored } = await queries.fetchQuery({ ...definitionQuery(session), staleTime: 0 });
      const document = stored as DefinitionDocument;
      const patch = patchOf(editsBetween(document, to(document)));
      const plan = await client.definition.plan({ merge: true, patch });
      if (plan.plan_id === null) throw planRefused(plan.problems);
      await client.definition.apply(plan, { merge: true, patch });
    },
    async onSuccess() {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === workspace });
      await onMade();
    },
  });
}
