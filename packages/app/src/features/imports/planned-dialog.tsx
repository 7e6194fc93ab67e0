// A change of the definition on the way of an import: what is to be made, the plan of the service, and then the change.

import { Button, Modal, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, DefinitionPlan } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { definitionQuery } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery, objectQuery } from '../../lib/schema-queries.ts';
import { type Session, useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { doneJob } from './api.ts';
import type { Target } from './import-draft.ts';
import classes from './planned-dialog.module.css';

interface Change {
  /** A merge patch of the definition. */
  readonly patch: Record<string, unknown>;
}

interface PlannedDialogProps<Made extends Change> {
  readonly title: string;
  readonly text: string;
  /** On the buttons, with the number of things to be made. */
  readonly words: { readonly review: string; readonly make: string };
  readonly isEmpty: boolean;
  readonly planned: Planned<Made>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function PlannedDialog<Made extends Change>(props: PlannedDialogProps<Made>) {
  const t = useT();
  const { title, text, words, isEmpty, planned, onClose, children } = props;
  const { plan, apply } = planned;
  const ready = plan.data?.plan.plan_id == null ? undefined : plan.data;
  const error = plan.error ?? apply.error;
  return (
    <Modal
      opened
      onClose={onClose}
      size="42rem"
      title={title}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack>
        <Text c="dimmed">{text}</Text>
        {children}
        {plan.data !== undefined && <PlanView plan={plan.data.plan} />}
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          {ready === undefined ? (
            <Button disabled={isEmpty} loading={plan.isPending} onClick={() => plan.mutate()}>
              {words.review}
            </Button>
          ) : (
            <Button loading={apply.isPending} onClick={() => apply.mutate(ready)}>
              {words.make}
            </Button>
          )}
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

interface PlannedOptions<Made extends Change> {
  readonly target: Target;
  /** From the definition in force. */
  readonly changeOf: (definition: Definition) => Made;
  /** With the object as it is then. */
  readonly onMade: (target: Target, change: Made) => void;
}

type Definition = Awaited<ReturnType<Client['definition']['get']>>;

export type Planned<Made extends Change> = ReturnType<typeof usePlanned<Made>>;

/** The plan changes nothing; applying it does. A plan that is refused is made again. */
export function usePlanned<Made extends Change>(options: PlannedOptions<Made>) {
  const { target, changeOf, onMade } = options;
  const session = useSession();
  const { client } = session;
  const queries = useQueryClient();
  const { object_type } = target.object;
  const plan = useMutation({
    async mutationFn() {
      const change = changeOf(await client.definition.get());
      return { change, plan: await client.definition.plan(inputOf(change)) };
    },
    onMutate() {
      apply.reset();
    },
  });
  const apply = useMutation({
    async mutationFn(made: { readonly change: Made; readonly plan: DefinitionPlan }) {
      const applied = await client.definition.apply(made.plan, inputOf(made.change));
      if ('job' in applied) await doneJob(client, applied.job.id);
      await readAgain(queries, session);
      return queries.fetchQuery({ ...objectQuery(session, object_type), staleTime: 0 });
    },
    onSuccess: (object, { change }) => onMade({ ...target, object }, change),
    onError() {
      plan.reset();
    },
  });
  return { plan, apply };
}

function inputOf({ patch }: Change) {
  return { patch, merge: true };
}

function readAgain(queries: QueryClient, session: Session): Promise<unknown> {
  const keys = [accessQuery(session).queryKey, definitionQuery(session).queryKey];
  return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

function PlanView({ plan: { changes, problems } }: { readonly plan: DefinitionPlan }) {
  const t = useT();
  return (
    <div role="status">
      {problems.length === 0 && <Text c="dimmed">{t('import.planSays')}</Text>}
      <ul className={classes.plan} data-problem={problems.length > 0 || undefined}>
        {problems.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path}: {message}
          </li>
        ))}
        {problems.length === 0 &&
          changes.map(({ path, action, summary }) => <li key={`${path} ${action}`}>{summary}</li>)}
      </ul>
    </div>
  );
}
