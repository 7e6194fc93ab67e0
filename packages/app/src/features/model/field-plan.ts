// The problems that a field would have: the plan of this change, before it is in the draft.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  type DefinitionDocument,
  type FieldEntry,
  withValue,
} from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { editsBetween } from '../../lib/definition/edits.ts';
import { type PlanProblem, planQuery } from '../../lib/definition/plan.ts';
import { useSession } from '../../lib/session.ts';

interface PlannedField {
  readonly type: string;
  readonly fieldKey: string;
  readonly field: FieldEntry;
}

/** The problems of the field in this document; `word`: those of one of its words. */
export function useFieldProblems(
  document: DefinitionDocument,
  { type, fieldKey, field }: PlannedField,
  word?: string,
): readonly PlanProblem[] {
  const session = useSession();
  const { present } = useDefinition();
  const path = ['objects', type, 'fields', fieldKey];
  const edits = editsBetween(present.document, withValue(document, path, useSettled(field)));
  const { data: plan } = useQuery(planQuery(session, present, edits));
  const place = [...path, ...(word === undefined ? [] : [word])].join('.');
  return plan?.problems.filter((problem) => problem.path === place) ?? [];
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
