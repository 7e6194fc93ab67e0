// The rules of a move that needs approval: how many approve, whose own requests, how long they wait, and which records
// need it.

import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { GATE_DEFAULTS, LIMITS } from '@workspace-records/client';
import type { GateEntry } from '../../lib/definition/document.ts';
import { useT } from '../../lib/messages/index.ts';
import { GateWhen } from './gate-when.tsx';
import type { GateWords } from './workflow-edits.ts';
import classes from './workflow-page.module.css';

interface GateRulesProps {
  /** The id of the workflow. */
  readonly id: string;
  readonly gate: GateEntry;
  readonly onChange: (words: GateWords) => void;
}

export function GateRules({ id, gate, onChange }: GateRulesProps) {
  const t = useT();
  return (
    <Stack gap="sm" mt="sm">
      <CountInput
        label={t('gate.required')}
        value={gate.required}
        unsaid={GATE_DEFAULTS.required}
        most={LIMITS.mostApprovals}
        onChange={(required) => onChange({ required })}
      />
      <NativeSelect
        label={t('gate.from')}
        data={[
          { value: 'any', label: t('gate.fromAny') },
          { value: 'each', label: t('gate.fromEach') },
        ]}
        value={gate.from ?? GATE_DEFAULTS.from}
        onChange={({ currentTarget: { value } }) =>
          onChange({ from: value === 'each' ? 'each' : undefined })
        }
      />
      <CountInput
        label={t('gate.expires')}
        value={gate.expires_days}
        unsaid={GATE_DEFAULTS.expires_days}
        most={LIMITS.requestDays.maximum}
        onChange={(expires_days) => onChange({ expires_days })}
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={gate.self_approval === true}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ self_approval: checked || undefined })
          }
        />
        {t('gate.self')}
      </label>
      <GateWhen id={id} when={gate.when} onChange={(when) => onChange({ when })} />
    </Stack>
  );
}

interface CountInputProps {
  readonly label: string;
  readonly value: number | undefined;
  /** The default of the service. */
  readonly unsaid: number;
  readonly most: number;
  readonly onChange: (value: number | undefined) => void;
}

function CountInput({ label, value, unsaid, most, onChange }: CountInputProps) {
  return (
    <TextInput
      type="number"
      label={label}
      min={1}
      max={most}
      step={1}
      placeholder={String(unsaid)}
      value={value ?? ''}
      onChange={({ currentTarget: { value: text } }) => {
        const count = Math.min(most, Math.max(1, Math.trunc(Number(text))));
        onChange(text === '' ? undefined : count);
      }}
    />
  );
}
