import { TextInput } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { moneyOptions } from '../../lib/format.ts';
import { type Language, localeOf, useLanguage } from '../../lib/messages/index.ts';
import type { EditProps, FieldEdit } from '../field-edit.ts';
import classes from '../fields.module.css';
import { printNumber } from './number-text.ts';
import { type TypedNumber, typed } from './parse.ts';

function Edit({ draft, field, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  const unit = useUnit(field);
  return (
    <TextInput
      id={id}
      inputMode="decimal"
      classNames={{ input: classes.number as string }}
      rightSection={unit}
      rightSectionPointerEvents="none"
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The unit that is shown behind a typed value. */
function useUnit({ type, constraints }: Field): string | undefined {
  const locale = localeOf(useLanguage());
  if (type === 'percent') return '%';
  const { currency } = constraints ?? {};
  if (type !== 'currency' || typeof currency !== 'string') return undefined;
  const parts = new Intl.NumberFormat(locale, moneyOptions(currency)).formatToParts(0);
  return parts.find((part) => part.type === 'currency')?.value;
}

/** A typed number is parsed as a pasted one is. */
export function numberEdit(parse: TypedNumber): FieldEdit<string> {
  return {
    Edit,
    start: (value, language: Language) =>
      value === null ? '' : printNumber(Number(value), localeOf(language)),
    parse: (draft, language) => (draft.trim() === '' ? { value: null } : parse(draft, language)),
  };
}

export const number = numberEdit(typed);
