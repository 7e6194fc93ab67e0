// The form for a name and for whom something is shared with: views, reports and dashboards have it in their dialogs.

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { isRecordsError, type View } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { errorText, type Translate, useT } from '../lib/messages/index.ts';
import { Choice } from './choice.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { problemText } from './problem.tsx';

export interface SharedName {
  readonly name: string;
  readonly shared: View['shared'];
}

export interface SharedNameFormProps {
  readonly start: SharedName;
  readonly texts: {
    readonly needsName: string;
    /** A note on what others will see. */
    readonly share: string;
    /** The message when somebody else has changed the thing meanwhile. */
    readonly stale: string;
  };
  readonly isPending: boolean;
  /** Why it could not be saved; shown at the name. */
  readonly error: Error | null;
  readonly onSave: (named: SharedName) => void;
  readonly onClose: () => void;
}

export function SharedNameForm(props: SharedNameFormProps) {
  const { start, texts, isPending, error, onSave, onClose } = props;
  const t = useT();
  const [name, setName] = useState(start.name);
  const [shared, setShared] = useState(start.shared);
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') onSave({ name: name.trim(), shared });
  };
  return (
    <Stack renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}>
      <TextInput
        data-autofocus
        label={t('views.name')}
        value={name}
        maxLength={200}
        error={isTried && name.trim() === '' ? texts.needsName : failureText(error, texts.stale, t)}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Choice
        label={t('views.sharedWith')}
        options={{
          private: t('views.private'),
          team: t('views.team'),
          workspace: t('views.workspace'),
        }}
        value={shared}
        onChange={setShared}
      />
      <Text c="dimmed">{texts.share}</Text>
      <DialogButtons onClose={onClose}>
        <Button type="submit" loading={isPending}>
          {t('record.save')}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function failureText(error: Error | null, stale: string, t: Translate): string | undefined {
  if (error === null) return undefined;
  if (isRecordsError(error, 'stale_record')) return stale;
  // Refused for the name, or for the number of such things.
  return isRecordsError(error, 'conflict') ? errorText(error) : problemText(error, t);
}
