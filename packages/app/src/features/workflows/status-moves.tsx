// The moves from a status: which there are, and who has to approve them.

import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Choices } from '../../fields/choices.tsx';
import type { Approvers } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { GateRules } from './gate-rules.tsx';
import type { StatusProps } from './status-panel.tsx';
import { useChangeWorkflow } from './use-change-workflow.ts';
import {
  gateOf,
  hasMove,
  statusesOf,
  withApprovers,
  withGateWords,
  withMove,
} from './workflow-edits.ts';
import classes from './workflow-page.module.css';

export function StatusMoves({ id, workflow, status }: StatusProps) {
  const t = useT();
  const otherStatuses = statusesOf(workflow).filter((key) => key !== status);
  return (
    <fieldset className={classes.moves}>
      <legend>{t('workflow.movesTo')}</legend>
      {otherStatuses.length === 0 && (
        <Text c="dimmed" fz="xs" my="sm">
          {t('workflow.noOther')}
        </Text>
      )}
      {otherStatuses.map((to) => (
        <StatusMove key={to} id={id} workflow={workflow} status={status} to={to} />
      ))}
    </fieldset>
  );
}

interface StatusMoveProps extends StatusProps {
  readonly to: string;
}

function StatusMove({ id, workflow, status, to }: StatusMoveProps) {
  const t = useT();
  const changeWorkflow = useChangeWorkflow(id);
  const name = workflow.statuses[to]?.name ?? to;
  const isThere = hasMove(workflow, status, to);
  const gate = gateOf(workflow, status, to);
  const word = t(gate === undefined ? 'workflow.addApproval' : 'workflow.approval');
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Group wrap="nowrap" justify="space-between" gap="sm" mih={24}>
        <label className={classes.check}>
          <input
            type="checkbox"
            checked={isThere}
            onChange={({ currentTarget: { checked } }) =>
              changeWorkflow((now) => withMove(now, status, to, checked))
            }
          />
          {name}
        </label>
        {isThere && (
          <Button
            variant="subtle"
            size="compact-xs"
            color={gate === undefined ? 'gray' : 'accent'}
            leftSection={<Icon name="lock" size={12} />}
            aria-expanded={isOpen}
            aria-label={`${word}: ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {word}
          </Button>
        )}
      </Group>
      {isThere && isOpen && (
        <div className={classes.approvers}>
          <ApproversField
            approvers={gate?.approvers ?? {}}
            onChange={(next) => changeWorkflow((now) => withApprovers(now, status, to, next))}
          />
          {gate !== undefined && (
            <GateRules
              id={id}
              gate={gate}
              onChange={(words) => changeWorkflow((now) => withGateWords(now, status, to, words))}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface ApproversFieldProps {
  readonly approvers: Approvers;
  readonly onChange: (approvers: Approvers) => void;
}

/** The interface names people by address and teams by name. */
function ApproversField({ approvers: { users = [], teams = [] }, onChange }: ApproversFieldProps) {
  const t = useT();
  const { document } = useDefinition();
  const people = Object.entries(document.users ?? {}).flatMap(([value, { name, active }]) =>
    active === false && !users.includes(value) ? [] : [{ value, label: name ?? value }],
  );
  const groups = Object.keys(document.teams ?? {}).map((value) => ({ value, label: value }));
  return (
    <>
      <Text c="dimmed" fz="xs" my="sm">
        {t('workflow.approvalText')}
      </Text>
      {groups.length > 0 && (
        <>
          <Text fw={500} mt="sm" mb="xs" aria-hidden="true">
            {t('workflow.teams')}
          </Text>
          <Choices
            offered={groups}
            values={teams}
            isMany
            label={t('workflow.teams')}
            onChange={(next) => onChange({ users, teams: next as readonly string[] })}
          />
        </>
      )}
      <Text fw={500} mt="sm" mb="xs" aria-hidden="true">
        {t('workflow.people')}
      </Text>
      <Choices
        offered={people}
        values={users}
        isMany
        label={t('workflow.people')}
        onChange={(next) => onChange({ users: next as readonly string[], teams })}
      />
    </>
  );
}
