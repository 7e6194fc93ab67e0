// A workflow: its statuses and the moves between them, as a graph or as a table; the chosen status beside it.

import '../../lib/plan-texts.ts';
import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { nameAt } from '../../lib/definition/changes.ts';
import { withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { presentKey } from '../../lib/definition/rename.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DefinitionFrame } from '../../ui/definition-frame.tsx';
import { Filters } from '../../ui/filters.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { GoneEntry, useWasThere } from '../../ui/gone-entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuChoice } from '../../ui/menu-choice.tsx';
import { ModelButton } from '../../ui/model-button.tsx';
import { MovesTable } from './moves-table.tsx';
import { NewStatusForm } from './new-status-form.tsx';
import { StatusPanel } from './status-panel.tsx';
import { useChangeWorkflow, type WorkflowProps } from './use-change-workflow.ts';
import { WorkflowDetails } from './workflow-details.tsx';
import { withMove } from './workflow-edits.ts';
import { WorkflowGraph } from './workflow-graph.tsx';
import classes from './workflow-page.module.css';
import { problemsOf } from './workflow-problems.ts';

export default function WorkflowPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('workflows.title')}>
      <OfDocument />
    </ForAdministrators>
  );
}

function OfDocument() {
  const t = useT();
  const { id } = useParams({ from: '/$workspace/shell/settings/workflows/$id' });
  const workflow = useDefinition().document.workflows?.[id];
  const wasThere = useWasThere(id, workflow !== undefined);
  if (workflow !== undefined) return <OneWorkflow key={id} id={id} workflow={workflow} />;
  return <GoneEntry title={t('workflows.title')} text={t('workflow.noSuch')} wasThere={wasThere} />;
}

function OneWorkflow({ id, workflow }: WorkflowProps) {
  const t = useT();
  const navigate = useNavigate();
  const changeWorkflow = useChangeWorkflow(id);
  const { status, view } = useSearch({ strict: false });
  const problems = useMemo(() => problemsOf(workflow), [workflow]);
  const isTable = view === 'table';
  const choose = (key: string | undefined) =>
    void navigate({
      to: '.',
      search: { ...(isTable ? { view } : {}), ...(key === undefined ? {} : { status: key }) },
      replace: true,
      resetScroll: false,
    });
  const chosen = status === undefined ? undefined : presentKey(workflow.statuses, status);
  return (
    <DefinitionFrame
      title={workflow.name}
      beside={<code className={classes.dim}>{id}</code>}
      actions={<WorkflowMenu id={id} workflow={workflow} />}
    >
      <Group justify="space-between">
        <Layouts id={id} />
        <NewStatusForm id={id} workflow={workflow} onAdded={choose} />
      </Group>
      <Text c="dimmed" fz="xs" my="sm">
        {isTable ? t('workflow.tableText') : t('workflow.graphText')}
      </Text>
      <div className={classes.columns} data-open={chosen !== undefined || undefined}>
        {isTable ? (
          <MovesTable id={id} workflow={workflow} problems={problems} onChoose={choose} />
        ) : (
          <WorkflowGraph
            workflow={workflow}
            problems={problems}
            chosen={chosen}
            onChoose={choose}
            onConnect={(from, to) => changeWorkflow((now) => withMove(now, from, to))}
          />
        )}
        {chosen !== undefined && (
          <StatusPanel
            key={chosen}
            id={id}
            workflow={workflow}
            status={chosen}
            problem={problems.get(chosen)}
            onClose={() => choose(undefined)}
          />
        )}
      </div>
      <WorkflowDetails id={id} workflow={workflow} problems={problems} onChoose={choose} />
    </DefinitionFrame>
  );
}

function Layouts({ id }: { readonly id: string }) {
  const t = useT();
  const { workspace } = useSession();
  const { status } = useSearch({ strict: false });
  const statusSearch = status === undefined ? {} : { status };
  const pageLink = {
    ...{ to: '/$workspace/settings/workflows/$id', params: { workspace, id } },
    activeOptions: { exact: true, includeSearch: true },
  } as const;
  return (
    <Filters label={t('workflow.layout')}>
      <Link {...pageLink} search={statusSearch}>
        {t('workflow.asGraph')}
      </Link>
      <Link {...pageLink} search={{ ...statusSearch, view: 'table' }}>
        {t('workflow.asTable')}
      </Link>
    </Filters>
  );
}

/** A workflow that is used stays. */
function WorkflowMenu({ id }: WorkflowProps) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { document, change } = useDefinition();
  const users = usersOfWorkflow(document, id).map((path) => nameAt([document], path));
  const remove = () => {
    void navigate({ to: '/$workspace/settings/model', params: { workspace } });
    change((now) => withValue(now, ['workflows', id], undefined));
  };
  return (
    <>
      <ModelButton />
      <Menu>
        <Menu.Target>
          <ActionIcon aria-label={t('model.more')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuChoice color="red" isClosed={users.length > 0} onClick={remove}>
            {users.length > 0
              ? t('workflow.inUse', { names: users.join(', ') })
              : t('workflow.remove')}
          </MenuChoice>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
