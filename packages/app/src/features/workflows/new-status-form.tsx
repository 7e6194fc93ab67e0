// A new status, by its name.

import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useChangeWorkflow, type WorkflowProps } from './use-change-workflow.ts';
import { withNewStatus } from './workflow-edits.ts';

interface NewStatusFormProps extends WorkflowProps {
  readonly onAdded: (status: string) => void;
}

export function NewStatusForm({ id, workflow, onAdded }: NewStatusFormProps) {
  const t = useT();
  const changeWorkflow = useChangeWorkflow(id);
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const { key } = withNewStatus(workflow, name.trim());
    changeWorkflow((now) => withNewStatus(now, name.trim()).workflow);
    setName('');
    onAdded(key);
  };
  return (
    <Group component="form" align="stretch" wrap="nowrap" gap="sm" onSubmit={submit}>
      <TextInput
        aria-label={t('workflow.newStatus')}
        placeholder={t('workflow.newStatus')}
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" variant="default" size="sm">
        {t('workflow.addStatus')}
      </Button>
    </Group>
  );
}
