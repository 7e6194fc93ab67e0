// The editor of a field in the line of a new record, with its name for screen readers, and its problem.

import type { Field } from '@workspace-records/client';
import { useId } from 'react';
import { editOf } from '../fields/edits.ts';
import type { AnyFieldEdit } from '../fields/field-edit.ts';
import { Hidden } from '../ui/hidden.tsx';
import classes from './inline-field.module.css';
import type { InlineCreation } from './use-inline-creation.ts';

interface InlineFieldProps {
  readonly field: Field;
  readonly creation: Pick<InlineCreation, 'form' | 'change'>;
}

/** Undefined: it does not fit in a line. */
export function inlineEditOf(field: Field): AnyFieldEdit['Edit'] | undefined {
  const edit = editOf(field);
  if (edit === undefined || edit.isGroup === true) return undefined;
  return edit.Line ?? edit.Edit;
}

export function InlineField({ field, creation: { form, change } }: InlineFieldProps) {
  const id = useId();
  const Edit = inlineEditOf(field);
  const problem = form.problemOf(field);
  if (Edit === undefined) return null;
  return (
    <div className={classes.field} data-field={field.key}>
      <label htmlFor={id}>
        <Hidden>{field.name ?? field.key}</Hidden>
      </label>
      <Edit
        {...{ field, id }}
        draft={form.draftOf(field)}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : `${id}-problem`}
        onChange={(draft: unknown) => change(field, draft)}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
