// Makes what a new workspace begins with: a plan of the service, and its application when the plan has no problem.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { planRefused } from '../../lib/plan-refused.ts';
import { useSession } from '../../lib/session.ts';

type Patch = Readonly<Record<string, unknown>>;

/** Errors: those of the plan, such as a key that is taken. */
export function useStart(onMade: () => void | Promise<void>) {
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(patch: Patch) {
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
