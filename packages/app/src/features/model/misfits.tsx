// The values of a field that do not fit another type.

import { PlanProblems } from '../../editing/plan-problems.tsx';
import type { FieldEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useFieldProblems } from './field-plan.ts';

interface MisfitsProps {
  readonly type: string;
  readonly fieldKey: string;
  readonly field: FieldEntry;
}

export function Misfits(props: MisfitsProps) {
  const { present } = useDefinition();
  const misfits = useFieldProblems(present.document, props).filter(
    ({ records }) => records !== undefined,
  );
  const { type } = props.field;
  return (
    <div role="status">
      <PlanProblems
        problems={misfits}
        newType={() => (type === 'formula' || type === 'rollup' ? undefined : type)}
      />
    </div>
  );
}
