// The form of one value for a field of many records: the field, its value, or none.

import { Button, Group, NativeSelect, Text } from '@mantine/core';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useId, useState } from 'react';
import { editOf } from '../../fields/edits.ts';
import { parseEdited } from '../../fields/field-edit.ts';
import { offeredFields } from '../../lib/field-order.ts';
import { ruleProblem } from '../../lib/field-rules.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import classes from './bulk-dialog.module.css';
import { isEditable } from './editable.ts';

interface BulkValueFormProps {
  readonly object: ObjectDefinition;
  readonly isBusy: boolean;
  /** The word of the button. */
  readonly submit: string;
  readonly onSave: (field: Field, value: unknown) => void;
}

export function BulkValueForm({ object, isBusy, submit, onSave }: BulkValueFormProps) {
  const t = useT();
  const fields = offeredFields(object).filter((field) =>
    isEditable({ kind: 'field', id: field.key, field }),
  );
  // Seldom the name: it tells the records apart.
  const first = fields.find((one) => one.key !== object.display_field) ?? fields[0];
  const [key, setKey] = useState(first?.key ?? '');
  const field = fields.find((one) => one.key === key);
  return (
    <>
      <NativeSelect
        label={t('grid.field')}
        data={fields.map((one) => ({ value: one.key, label: one.name ?? one.key }))}
        value={key}
        disabled={isBusy}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      {field !== undefined && (
        <ValueForm
          key={key}
          {...{ field, isBusy, submit }}
          onSave={(value) => onSave(field, value)}
        />
      )}
    </>
  );
}

interface ValueFormProps extends Pick<BulkValueFormProps, 'isBusy' | 'submit'> {
  readonly field: Field;
  readonly onSave: (value: unknown) => void;
}

function ValueForm({ field, isBusy, submit: word, onSave }: ValueFormProps) {
  const t = useT();
  const id = useId();
  const language = useLanguage();
  const edit = editOf(field);
  const [draft, setDraft] = useState<unknown>(() => edit?.start(null, language));
  const [problem, setProblem] = useState<string>();
  if (edit === undefined) return null;
  const submit = () => {
    const parsed = parseEdited(edit, { draft, began: null }, language);
    if ('problem' in parsed) return setProblem(t(parsed.problem));
    // No input: a button of its own clears the field.
    const isBlank = parsed.value === null && !field.required;
    const broken = isBlank ? t('grid.noValue') : ruleProblem(field, parsed.value, t);
    setProblem(broken);
    if (broken === undefined) onSave(parsed.value);
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>{t('grid.value')}</label>
      <edit.Edit
        {...{ draft, field, id }}
        isInvalid={problem !== undefined}
        describedBy={problem === undefined ? undefined : `${id}-problem`}
        onChange={setDraft}
      />
      {problem !== undefined && (
        <Text id={`${id}-problem`} c="var(--red)" fz="xs" mt="xs" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" gap="sm" mt="lg">
        {!field.required && (
          <Button variant="default" disabled={isBusy} onClick={() => onSave(null)}>
            {t('grid.clearField')}
          </Button>
        )}
        <Button type="submit" loading={isBusy}>
          {word}
        </Button>
      </Group>
    </form>
  );
}
