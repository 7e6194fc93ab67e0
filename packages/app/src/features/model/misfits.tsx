// The values of a field that do not fit another type: the plan of this change alone, before it is in the draft.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { PlanProblems } from '../../editing/plan-problems.tsx';
import { type FieldEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { editsBetween } from '../../lib/definition/edits.ts';
import { planQuery } from '../../lib/definition/plan.ts';
import { useSession } from '../../lib/session.ts';

interface MisfitsProps {
  readonly type: string;
  readonly fieldKey: string;
  readonly field: FieldEntry;
}

export function Misfits({ type, fieldKey, field }: MisfitsProps) {
  const session = useSession();
  const { present } = useDefinition();
  const path = ['objects', type, 'fields', fieldKey];
  const edits = editsBetween(
    present.document,
    withValue(present.document, path, useSettled(field)),
  );
  const { data: plan } = useQuery(planQuery(session, present, edits));
  const found = plan?.problems.filter((problem) => problem.path === path.join('.')) ?? [];
  const misfits = found.filter(({ records }) => records !== undefined);
  return (
    <div role="status">
      <PlanProblems problems={misfits} newType={() => field.type} />
    </div>
  );
}

/** The service judges all values: not at each character that is typed. */
function useSettled(field: FieldEntry): FieldEntry {
  const [settled, setSettled] = useState(field);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(field), 400);
    return () => clearTimeout(timer);
  }, [field]);
  return settled;
}
