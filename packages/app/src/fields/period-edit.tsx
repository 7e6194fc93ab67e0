// A span of time in a condition: a whole one such as this month, or the last or coming days.

import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../lib/messages/index.ts';
import {
  COUNTED_UNITS,
  type CountedUnit,
  type Period,
  periodOf,
  rangeOf,
  WHOLE_UNITS,
  WHOLE_WORDS,
  type WholeUnit,
} from '../lib/periods.ts';
import type { Parsed } from './field-edit.ts';
import classes from './fields.module.css';

const UNIT_WORDS = {
  d: 'period.unitDays',
  w: 'period.unitWeeks',
  m: 'period.unitMonths',
  y: 'period.unitYears',
} as const;
const WHOLE_KINDS = ['this', 'previous', 'next'] as const;

interface PeriodDraft {
  /** `this month`, or `last` and `coming`, which are counted. */
  readonly kind: string;
  readonly count: string;
  readonly unit: CountedUnit;
}

interface PeriodEditProps {
  /** A range of relative times, if there is one yet. */
  readonly start: unknown;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly onChange: (parsed: Parsed) => void;
}

/** The initial value of a new condition. */
export const FIRST_PERIOD: Period = { kind: 'last', count: 30, unit: 'd' };

export function PeriodEdit({ start, id, isInvalid, onChange }: PeriodEditProps) {
  const t = useT();
  const [draft, setDraft] = useState(() => draftOf(periodOf(start) ?? FIRST_PERIOD));
  const change = (next: PeriodDraft) => {
    setDraft(next);
    onChange(parseDraft(next));
  };
  const whole = WHOLE_UNITS.flatMap((unit) =>
    WHOLE_KINDS.map((kind) => ({ value: `${kind} ${unit}`, label: t(WHOLE_WORDS[kind][unit]) })),
  );
  const counted = [
    { value: 'last', label: t('period.theLast') },
    { value: 'coming', label: t('period.theNext') },
  ];
  return (
    <div className={classes.spans}>
      <NativeSelect
        id={id}
        size="sm"
        aria-label={t('period.label')}
        data={[...counted, ...whole]}
        value={draft.kind}
        onChange={({ currentTarget }) => change({ ...draft, kind: currentTarget.value })}
      />
      {!draft.kind.includes(' ') && (
        <>
          <TextInput
            inputMode="numeric"
            aria-label={t('period.count')}
            value={draft.count}
            error={isInvalid}
            onChange={({ currentTarget }) => change({ ...draft, count: currentTarget.value })}
          />
          <NativeSelect
            size="sm"
            aria-label={t('period.unit')}
            data={COUNTED_UNITS.map((unit) => ({ value: unit, label: t(UNIT_WORDS[unit]) }))}
            value={draft.unit}
            onChange={({ currentTarget }) =>
              change({ ...draft, unit: currentTarget.value as CountedUnit })
            }
          />
        </>
      )}
    </div>
  );
}

function draftOf(period: Period): PeriodDraft {
  if (period.kind === 'last' || period.kind === 'coming') {
    return { kind: period.kind, count: String(period.count), unit: period.unit };
  }
  return { kind: `${period.kind} ${period.unit}`, count: '30', unit: 'd' };
}

function parseDraft({ kind, count, unit }: PeriodDraft): Parsed {
  const [word, of] = kind.split(' ');
  if (of !== undefined) {
    const period = { kind: word as (typeof WHOLE_KINDS)[number], unit: of as WholeUnit };
    return { value: rangeOf(period) };
  }
  if (!/^[1-9]\d{0,3}$/.test(count.trim())) return { problem: 'edit.notWhole' };
  return { value: rangeOf({ kind: kind as 'last' | 'coming', count: Number(count), unit }) };
}
