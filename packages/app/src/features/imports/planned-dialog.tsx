// A change of the definition on the way of an import: what is to be made, and what blocks it.

import { Button, Modal, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client, DefinitionPlan } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { definitionQuery } from '../../lib/definition/draft.ts';
import { messageText, useT } from '../../lib/messages/index.ts';
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
  /** On the button, with the number of things to be made. */
  readonly action: string;
  readonly isEmpty: boolean;
  readonly planned: Planned<Made>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function PlannedDialog<Made extends Change>(props: PlannedDialogProps<Made>) {
  const t = useT();
  const { title, text, action, isEmpty, planned, onClose, children } = props;
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
        <PlanProblems problems={planned.data?.plan.problems ?? []} />
        {planned.error !== null && <Problem error={planned.error} />}
        <DialogButtons onClose={onClose}>
          <Button disabled={isEmpty} loading={planned.isPending} onClick={() => planned.mutate()}>
            {action}
          </Button>
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

/** Applies a change that only adds; one with problems, or that would lose something, is refused. */
export function usePlanned<Made extends Change>(options: PlannedOptions<Made>) {
  const { target, changeOf, onMade } = options;
  const session = useSession();
  const { client } = session;
  const queries = useQueryClient();
  const { object_type } = target.object;
  return useMutation({
    async mutationFn() {
      const change = changeOf(await client.definition.get());
      const plan = await client.definition.plan(inputOf(change));
      if (plan.problems.length > 0) return { plan, change, object: undefined };
      const applied = await client.definition.apply(plan, inputOf(change));
      if ('job' in applied) await doneJob(client, applied.job.id);
      await readAgain(queries, session);
      const object = await queries.fetchQuery({
        ...objectQuery(session, object_type),
        staleTime: 0,
      });
      return { plan, change, object };
    },
    onSuccess({ object, change }) {
      if (object !== undefined) onMade({ ...target, object }, change);
    },
  });
}

function inputOf({ patch }: Change) {
  return { patch, merge: true };
}

function readAgain(queries: QueryClient, session: Session): Promise<unknown> {
  const keys = [accessQuery(session).queryKey, definitionQuery(session).queryKey];
  return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

function PlanProblems({ problems }: Pick<DefinitionPlan, 'problems'>) {
  return (
    <ul className={classes.problems} role="alert" hidden={problems.length === 0}>
      {problems.map((problem) => (
        <li key={`${problem.path} ${problem.message}`}>{messageText(problem)}</li>
      ))}
    </ul>
  );
}
