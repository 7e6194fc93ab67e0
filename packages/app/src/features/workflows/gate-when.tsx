// The condition of a gate: records that do not meet it move without approval.

import { OwnCondition } from '../../editing/filters/own-condition.tsx';
import type { GateCondition } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { useGateFields } from './gate-fields.ts';

interface GateWhenProps {
  /** The id of the workflow. */
  readonly id: string;
  readonly when: GateCondition | undefined;
  readonly onChange: (when: GateCondition | undefined) => void;
}

export function GateWhen({ id, when, onChange }: GateWhenProps) {
  const t = useT();
  return (
    <OwnCondition
      fields={useGateFields(id)}
      label={t('gate.when')}
      description={t('gate.whenText')}
      none={t('gate.always')}
      {...{ when, onChange }}
    />
  );
}
