// The part below the line of a new record: the fields that no column of the list has, refusals, and the buttons.

import { Button, Group, Text } from '@mantine/core';
import { editOf } from '../fields/edits.ts';
import { useT } from '../lib/messages/index.ts';
import { FormField } from './form-field.tsx';
import classes from './inline-foot.module.css';
import type { InlineCreation } from './use-inline-creation.ts';

export function InlineFoot({ creation }: { readonly creation: InlineCreation }) {
  const t = useT();
  const { form, asked: extraFields, change, discard } = creation;
  return (
    <div className={classes.foot}>
      {extraFields.length > 0 && (
        <div className={classes.asked}>
          {extraFields.map((field) => (
            <FormField
              key={field.key}
              field={field}
              edit={editOf(field) as NonNullable<ReturnType<typeof editOf>>}
              draft={form.draftOf(field)}
              problem={form.problemOf(field)}
              onChange={(draft) => change(field, draft)}
            />
          ))}
        </div>
      )}
      {form.lost}
      {form.problem}
      <Group gap="sm">
        <Button size="compact-sm" loading={form.isPending} onClick={form.submit}>
          {t('create.submit')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={discard}>
          {t('record.cancel')}
        </Button>
        <Text span c="dimmed" fz="xs" role="status">
          {form.made === '' ? t('create.inlineHint') : form.made}
        </Text>
      </Group>
    </div>
  );
}
