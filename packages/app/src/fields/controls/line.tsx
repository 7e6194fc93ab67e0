// Text that is typed: on one line, with the keyboard that telephones have for its kind, or on several. Days and moments
// have the control of the browser, with the calendar, the language and the keyboard of its person.

import { Textarea, TextInput } from '@mantine/core';
import { localeOf, useLanguage } from '../../lib/messages/index.ts';
import type { EditProps } from '../field-edit.ts';
import classes from '../fields.module.css';
import { kindOf } from '../kinds.ts';

export function LineEdit({ draft, field, ...props }: EditProps<string>) {
  const { id, isInvalid, describedBy, onChange } = props;
  const { edit, numbers } = kindOf(field);
  const unit = numbers?.unit?.(field, localeOf(useLanguage()));
  return (
    <TextInput
      id={id}
      type="text"
      {...edit.input}
      classNames={numbers === undefined ? {} : { input: classes.number as string }}
      rightSection={unit}
      rightSectionPointerEvents="none"
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The line of a cell: the browser keeps its text, so that a key draws no more than the letter. */
export function LineCell({ draft, field, ...props }: EditProps<string>) {
  const { id, isInvalid, describedBy, onChange } = props;
  const { edit, numbers } = kindOf(field);
  const unit = numbers?.unit?.(field, localeOf(useLanguage()));
  return (
    <div className={classes.cell}>
      <input
        id={id}
        type="text"
        {...edit.input}
        className={numbers === undefined ? undefined : classes.number}
        defaultValue={draft}
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {unit}
    </div>
  );
}

export function LinesEdit({ draft, id, isInvalid, describedBy, onChange }: EditProps<string>) {
  return (
    <Textarea
      id={id}
      rows={5}
      value={draft}
      error={isInvalid}
      aria-describedby={describedBy}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
