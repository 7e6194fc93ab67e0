// The workflows, with what uses them.

import '../../lib/plan-texts.ts';
import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { nameAt } from '../../lib/definition/changes.ts';
import { type WorkflowEntry, withValue } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { usersOfWorkflow } from '../../lib/definition/remove.ts';
import { keyFor } from '../../lib/definition/rename.ts';
import { useFormats } from '../../lib/format.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Section } from '../../ui/section.tsx';
import { StateMark, stateOf } from './entry-state.tsx';
import classes from './model.module.css';

export function Workflows() {
  const t = useT();
  const { document, present } = useDefinition();
  const [isNew, setNew] = useState(false);
  const all = Object.keys({ ...present.document.workflows, ...document.workflows });
  return (
    <Section title={t('workflows.title')} text={t('workflows.text')}>
      {all.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('model.workflow')}</th>
              <th scope="col" className={classes.number}>
                {t('workflows.statuses')}
              </th>
              <th scope="col" className={classes.wideOnly}>
                {t('workflows.usedBy')}
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((id) => (
              <WorkflowRow key={id} id={id} />
            ))}
          </tbody>
        </table>
      )}
      <Button variant="default" mt="sm" onClick={() => setNew(true)}>
        {t('workflows.new')}
      </Button>
      {isNew && <NewWorkflowDialog onClose={() => setNew(false)} />}
    </Section>
  );
}

function WorkflowRow({ id }: { readonly id: string }) {
  const t = useT();
  const { number } = useFormats();
  const { workspace } = useSession();
  const { document, present } = useDefinition();
  const state = stateOf(present.document, document, ['workflows', id]);
  const workflow = (document.workflows?.[id] ?? present.document.workflows?.[id]) as WorkflowEntry;
  const users = usersOfWorkflow(document, id).map((path) => nameAt([document], path));
  return (
    <tr data-state={state}>
      <th scope="row">
        <span className={classes.name}>
          {state === 'removed' ? (
            <s>{workflow.name}</s>
          ) : (
            <Link to="/$workspace/settings/workflows/$id" params={{ workspace, id }}>
              {workflow.name}
            </Link>
          )}
          <StateMark state={state} />
        </span>
      </th>
      <td className={classes.number}>{number(Object.keys(workflow.statuses).length)}</td>
      <td className={classes.wideOnly}>
        {users.length === 0 ? t('workflows.unused') : users.join(', ')}
      </td>
    </tr>
  );
}

function NewWorkflowDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { document, change } = useDefinition();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = keyFor(name.trim(), document.workflows ?? {}, true);
    change((now) => withValue(now, ['workflows', id], newWorkflow(name.trim(), t)));
    void navigate({ to: '/$workspace/settings/workflows/$id', params: { workspace, id } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workflows.new')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack onSubmit={submit} component="form" gap={14}>
        <p className={classes.hint}>{t('workflows.newText')}</p>
        <TextInput
          label={t('model.name')}
          required
          withAsterisk={false}
          maxLength={200}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DialogButtons onClose={onClose}>
          <Button type="submit">{t('workflows.add')}</Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

/** Three statuses to begin with. */
function newWorkflow(name: string, t: Translate): WorkflowEntry {
  return {
    name,
    initial: 'open',
    statuses: {
      open: { name: t('workflows.firstOpen'), category: 'open', transitions: ['in_progress'] },
      in_progress: {
        name: t('workflows.firstProgress'),
        category: 'active',
        transitions: ['open', 'done'],
      },
      done: { name: t('workflows.firstDone'), category: 'done', transitions: ['in_progress'] },
    },
  };
}
