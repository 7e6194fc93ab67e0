// A field of a form: its name, editor, description and problem.

import { Text } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { AnyFieldEdit } from '../fields/field-edit.ts';
import { useT } from '../lib/messages/index.ts';
import classes from './form-field.module.css';

interface FormFieldProps {
  readonly field: Field;
  readonly edit: AnyFieldEdit;
  readonly draft: unknown;
  readonly problem: ReactNode;
  readonly onChange: (draft: unknown) => void;
}

export function FormField({ field, edit, draft, problem, onChange }: FormFieldProps) {
  const t = useT();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const { name, key, required, description } = field;
  const describedBy = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(' ');
  useEffect(() => {
    const input = root.current?.querySelector('input:not([type=checkbox]), select, textarea');
    if (required) input?.setAttribute('aria-required', 'true');
  }, [required]);
  const text = (
    <>
      {name ?? key}
      {required && (
        <Text span c="var(--red)" title={t('create.required')} aria-hidden="true">
          {' *'}
        </Text>
      )}
    </>
  );
  return (
    <div ref={root} className={classes.field} data-field={key}>
      {edit.isGroup === true ? (
        <Text span fw={500}>
          {text}
        </Text>
      ) : (
        <Text component="label" fw={500} htmlFor={`${id}-edit`}>
          {text}
        </Text>
      )}
      <edit.Edit
        {...{ draft, field, onChange }}
        id={`${id}-edit`}
        isInvalid={problem !== undefined}
        describedBy={describedBy === '' ? undefined : describedBy}
      />
      {description !== undefined && (
        <Text id={`${id}-description`} c="dimmed" fz="xs">
          {description}
        </Text>
      )}
      {problem !== undefined && (
        <Text id={`${id}-problem`} c="var(--red)" fz="xs">
          {problem}
        </Text>
      )}
    </div>
  );
}
