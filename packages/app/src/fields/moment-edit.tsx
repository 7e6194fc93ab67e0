// A day or a moment in a condition: a fixed one, or one that is relative to now.

import { NativeSelect, TextInput } from '@mantine/core';
import { type PlainKey, useT } from '../lib/messages/index.ts';
import { relativeOf, relativeText } from '../lib/periods.ts';
import type { EditProps, FieldEdit } from './field-edit.ts';
import classes from './fields.module.css';

const KINDS = {
  fixed: 'moment.fixed',
  today: 'moment.today',
  ago: 'moment.daysAgo',
  ahead: 'moment.daysAhead',
  month: 'moment.month',
  quarter: 'moment.quarter',
  year: 'moment.year',
} as const satisfies Readonly<Record<string, PlainKey>>;

type Kind = keyof typeof KINDS;

/** `other`: of a form that is only kept. */
interface MomentDraft {
  readonly kind: Kind | 'other';
  readonly text: string;
}

const RELATIVE: Readonly<Partial<Record<Kind, string>>> = {
  today: 'start_of_day',
  month: 'start_of_month',
  quarter: 'start_of_quarter',
  year: 'start_of_year',
};

/** `fixed` edits one that is not relative. */
export function momentEdit(fixed: FieldEdit<string>): FieldEdit<MomentDraft> {
  return {
    Edit: (props) => <EditMoment {...props} fixed={fixed} />,
    start(value, language) {
      const relative = relativeOf(value);
      if (relative === undefined) return { kind: 'fixed', text: fixed.start(value, language) };
      const [, sign, days] = /^([+-])(\d+)d$/.exec(relative) ?? [];
      if (days !== undefined) return { kind: sign === '-' ? 'ago' : 'ahead', text: days };
      const kinds = Object.keys(RELATIVE) as Kind[];
      const kind = kinds.find((one) => RELATIVE[one] === relative) ?? 'other';
      return { kind, text: relative };
    },
    parse({ kind, text }, language) {
      if (kind === 'fixed') return fixed.parse(text, language);
      if (kind === 'other') return { value: { relative: text } };
      const relative = RELATIVE[kind];
      if (relative !== undefined) return { value: { relative } };
      if (!/^\d{1,5}$/.test(text)) return { problem: 'edit.notWhole' };
      return { value: { relative: `${kind === 'ago' ? '-' : '+'}${text}d` } };
    },
  };
}

interface EditMomentProps extends EditProps<MomentDraft> {
  readonly fixed: FieldEdit<string>;
}

function EditMoment({ fixed: { Edit }, draft, onChange, ...props }: EditMomentProps) {
  const t = useT();
  const { kind, text } = draft;
  const kinds = Object.entries(KINDS).map(([value, key]) => ({ value, label: t(key) }));
  const other = { value: 'other', label: relativeText(text, t) };
  return (
    <div className={classes.spans}>
      <NativeSelect
        size="sm"
        aria-label={t('moment.kind')}
        data={kind === 'other' ? [...kinds, other] : kinds}
        value={kind}
        onChange={({ currentTarget }) => onChange({ kind: currentTarget.value as Kind, text: '' })}
      />
      {kind === 'fixed' && (
        <Edit {...props} draft={text} onChange={(next) => onChange({ kind, text: next })} />
      )}
      {(kind === 'ago' || kind === 'ahead') && (
        <TextInput
          id={props.id}
          inputMode="numeric"
          value={text}
          error={props.isInvalid}
          aria-describedby={props.describedBy}
          onChange={({ currentTarget }) => onChange({ kind, text: currentTarget.value })}
        />
      )}
    </div>
  );
}
