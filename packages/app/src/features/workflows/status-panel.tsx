// A status: its name, colour and meaning, the moves from it, and who approves them.

import { ActionIcon, Button, Group, NativeSelect } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useDefinition } from '../../lib/definition/draft.ts';
import { withoutStatus } from '../../lib/definition/remove.ts';
import { useT } from '../../lib/messages/index.ts';
import { statusTint } from '../../lib/tints.ts';
import { EntryKey } from '../../ui/entry-key.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { TintPicker } from '../../ui/tint-picker.tsx';
import { StatusMoves } from './status-moves.tsx';
import { useChangeWorkflow, type WorkflowProps } from './use-change-workflow.ts';
import { statusesOf, withStatus, withStatusMoved } from './workflow-edits.ts';
import classes from './workflow-page.module.css';
import type { StatusProblem } from './workflow-problems.ts';
import { CATEGORIES, PROBLEM_TEXTS } from './workflow-words.ts';

export interface StatusProps extends WorkflowProps {
  readonly status: string;
}

interface StatusPanelProps extends StatusProps {
  readonly problem: StatusProblem | undefined;
  readonly onClose: () => void;
}

export function StatusPanel(props: StatusPanelProps) {
  const { id, workflow, status, problem, onClose } = props;
  const t = useT();
  const changeWorkflow = useChangeWorkflow(id);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const entry = workflow.statuses[status];
  const name = entry?.name ?? status;
  const isInitial = workflow.initial === status;
  return (
    <aside ref={panel} tabIndex={-1} className={classes.panel} aria-label={name}>
      <Group wrap="nowrap" gap={10}>
        <TintPicker
          tint={statusTint(entry?.color, statusesOf(workflow).indexOf(status))}
          name={name}
          onChange={(color) => changeWorkflow((now) => withStatus(now, status, { color }))}
        />
        <h2 className={classes.panelTitle}>{name}</h2>
        <ActionIcon aria-label={t('again.close')} onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </Group>
      {problem !== undefined && <p className={classes.problem}>{t(PROBLEM_TEXTS[problem])}</p>}
      <NameField
        label={t('model.name')}
        value={name}
        onChange={(next) => changeWorkflow((now) => withStatus(now, status, { name: next }))}
      />
      <NativeSelect
        label={t('workflow.category')}
        description={t('workflow.categoryText')}
        data={[
          { value: '', label: t('workflow.noCategory') },
          ...Object.entries(CATEGORIES).map(([value, key]) => ({ value, label: t(key) })),
        ]}
        value={entry?.category ?? ''}
        onChange={({ currentTarget: { value } }) =>
          changeWorkflow((now) => withStatus(now, status, { category: value || undefined }))
        }
      />
      <label className={classes.check}>
        <input
          type="checkbox"
          checked={isInitial}
          disabled={isInitial}
          onChange={() => changeWorkflow((now) => ({ ...now, initial: status }))}
        />
        {t('workflow.makeInitial')}
      </label>
      <StatusMoves id={id} workflow={workflow} status={status} />
      <EntryKey path={['workflows', id, 'statuses', status]} />
      <StatusButtons {...props} />
    </aside>
  );
}

function StatusButtons({ id, workflow, status, onClose }: StatusPanelProps) {
  const t = useT();
  const { change } = useDefinition();
  const changeWorkflow = useChangeWorkflow(id);
  const order = statusesOf(workflow);
  const at = order.indexOf(status);
  const move = (by: -1 | 1) => changeWorkflow((now) => withStatusMoved(now, status, by));
  const remove = () => {
    onClose();
    change((now) => withoutStatus(now, id, status));
  };
  return (
    <Group gap="sm">
      <Button variant="default" disabled={at === 0} onClick={() => move(-1)}>
        {t('workflow.earlier')}
      </Button>
      <Button variant="default" disabled={at === order.length - 1} onClick={() => move(1)}>
        {t('workflow.later')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        className={classes.apart}
        disabled={order.length === 1}
        onClick={remove}
      >
        {t('workflow.removeStatus')}
      </Button>
    </Group>
  );
}
