// The name of a workflow, the parts of the definition that use it, and its statuses with a problem.

import { Box, Text } from '@mantine/core';
import { nameAt } from '../../lib/definition/changes.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Section } from '../../ui/section.tsx';
import { useChangeWorkflow, type WorkflowProps } from './use-change-workflow.ts';
import classes from './workflow-page.module.css';
import type { StatusProblem } from './workflow-problems.ts';
import { PROBLEM_TEXTS } from './workflow-words.ts';

interface WorkflowDetailsProps extends WorkflowProps {
  readonly problems: ReadonlyMap<string, StatusProblem>;
  readonly onChoose: (status: string) => void;
}

export function WorkflowDetails({ id, workflow, problems, onChoose }: WorkflowDetailsProps) {
  const t = useT();
  const { document } = useDefinition();
  const changeWorkflow = useChangeWorkflow(id);
  const uses = usersOfWorkflow(document, id).map((path) => nameAt([document], path));
  return (
    <>
      {problems.size > 0 && (
        <ul className={classes.problems} aria-label={t('workflow.problems')}>
          {[...problems].map(([key, problem]) => (
            <li key={key}>
              <Icon name="warning" size={14} />
              <button type="button" className={classes.link} onClick={() => onChoose(key)}>
                {workflow.statuses[key]?.name ?? key}
              </button>
              <span>{t(PROBLEM_TEXTS[problem])}</span>
            </li>
          ))}
        </ul>
      )}
      <Section title={t('object.settings')}>
        <Box maw="24rem">
          <NameField
            label={t('model.name')}
            value={workflow.name}
            onChange={(name) => changeWorkflow((now) => ({ ...now, name }))}
          />
        </Box>
        <Text c="dimmed" fz="xs" my="sm">
          {t('workflows.usedBy')}: {uses.length === 0 ? t('workflows.unused') : uses.join(', ')}
        </Text>
      </Section>
    </>
  );
}
