// Changes a workflow in the draft.

import { useCallback } from 'react';
import { type WorkflowEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';

export interface WorkflowProps {
  readonly id: string;
  readonly workflow: WorkflowEntry;
}

/** The function takes the workflow in the draft to the wanted one. */
export function useChangeWorkflow(id: string) {
  const { change } = useDefinition();
  return useCallback(
    (to: (workflow: WorkflowEntry) => WorkflowEntry) =>
      change((now) => {
        const workflow = now.workflows?.[id];
        return workflow === undefined ? now : withValue(now, ['workflows', id], to(workflow));
      }),
    [change, id],
  );
}
