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
import { isFormula } from './field-kinds.ts';

interface PlannedField {
  readonly type: string;
  readonly fieldKey: string;
  readonly field: FieldEntry;
}

/** The problems of the field as a whole in this document. */
export function useFieldProblems(
  document: DefinitionDocument,
  planned: PlannedField,
): readonly PlanProblem[] {
  return useProblemsAt(document, planned, pathOf(planned));
}

/** The problem of a formula that is written; undefined for fields without one. */
export function useFormulaProblem({ fieldKey, ...planned }: PlannedField): PlanProblem | undefined {
  const { document } = useDefinition();
  const placed = { ...planned, fieldKey: fieldKey === '' ? 'formula' : fieldKey };
  const isWritten = isFormula(planned.field) && Boolean(planned.field.expression?.trim());
  const place = [...pathOf(placed), 'expression'];
  return useProblemsAt(document, placed, place, isWritten)[0];
}

function useProblemsAt(
  document: DefinitionDocument,
  planned: PlannedField,
  place: readonly string[],
  enabled = true,
): readonly PlanProblem[] {
  const session = useSession();
  const { present } = useDefinition();
  const changed = withValue(document, pathOf(planned), useSettled(planned.field));
  const edits = editsBetween(present.document, changed);
  const { data: plan } = useQuery({ ...planQuery(session, present, edits), enabled });
  return plan?.problems.filter(({ path }) => path === place.join('.')) ?? [];
}

function pathOf({ type, fieldKey }: PlannedField): readonly string[] {
  return ['objects', type, 'fields', fieldKey];
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
