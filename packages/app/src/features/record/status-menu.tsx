// The status of a record, and the moves that its workflow allows from there.

import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData, WorkflowReference } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useStatusChange } from '../../lib/record-writes.ts';
import { workflowQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.tsx';
import classes from './status-menu.module.css';

interface StatusMenuProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  readonly canChange: boolean;
}

export function StatusMenu({ object, record, canChange }: StatusMenuProps) {
  const t = useT();
  const workflow = workflowOf(object, record);
  const session = useSession();
  const { data } = useQuery({
    ...workflowQuery(session, workflow?.id ?? ''),
    enabled: workflow !== undefined,
  });
  const { mutate, isPending } = useStatusChange(record.object_type, record.id);
  if (record.status === null) return null;
  const status = data?.statuses.find(({ id }) => id === record.status);
  const name = status?.name ?? nameOf(object, record.status);
  const transitions = canChange ? (status?.transitions ?? []) : [];
  if (transitions.length === 0) return <span className={classes.status}>{name}</span>;
  const move = (id: string) =>
    mutate(id, { onError: (error) => showToast({ text: problemText(error, t), isProblem: true }) });
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          loading={isPending}
          rightSection={<Icon name="chevron" size={12} />}
          aria-label={t('record.status', { name })}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('record.moveTo')}</Menu.Label>
        {transitions.map(({ id, name: target }) => (
          <Menu.Item key={id} onClick={() => move(id)}>
            {target ?? id}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Work items have that of their type. */
function workflowOf(object: ObjectDefinition, record: RecordData): WorkflowReference | undefined {
  const type = object.work_item_types?.find(
    ({ id, slug }) => id === record.work_item_type_id || slug === record.work_item_type_id,
  );
  return type?.workflow ?? object.workflow ?? undefined;
}

function nameOf({ fields }: ObjectDefinition, status: string): string {
  const options = fields.find(({ key }) => key === 'status')?.options ?? [];
  return options.find(({ value }) => value === status)?.label ?? status;
}
