// Another status for the rows that are chosen: each one that a move of their workflow leads to, with how many of them it
// is open to. Moves that somebody else has to approve are made one by one.

import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData, Workflow } from '@workspace-records/client';
import { useState } from 'react';
import { movedText } from '../../editing/move-words.ts';
import { obstacleOf, workflowReferenceOf } from '../../editing/status-moves.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { workflowQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { tellRefusals } from './refusals.ts';
import { TargetsMenu } from './targets-menu.tsx';
import { type Reversible, useWriteMany } from './write-many.ts';

const MoveDialog = later(() => import('./bulk-move-dialog.tsx'));

interface ChosenStatusProps {
  readonly object: ObjectDefinition;
  readonly records: readonly RecordData[];
}

export function ChosenStatus({ object, records }: ChosenStatusProps) {
  const session = useSession();
  const id = workflowIdOf(object, records);
  const { data: workflow } = useQuery({
    ...workflowQuery(session, id ?? ''),
    enabled: id !== undefined,
  });
  const targets = workflow === undefined ? [] : targetsOf(workflow, records);
  if (workflow === undefined || targets.length === 0) return null;
  return <Targets {...{ workflow, targets }} type={object.object_type} total={records.length} />;
}

interface TargetsProps {
  readonly type: string;
  readonly workflow: Workflow;
  readonly targets: readonly Target[];
  /** Records that could be moved. */
  readonly total: number;
}

function Targets({ type, workflow, targets, total }: TargetsProps) {
  const t = useT();
  const { move, isBusy } = useMoveMany(type, workflow);
  const [chosenTarget, setChosenTarget] = useState<Target>();
  // Moves without a way back need a confirmation.
  const choose = (target: Target) => {
    if (stuckOf(workflow, target).length > 0) setChosenTarget(target);
    else void move(target);
  };
  return (
    <>
      <TargetsMenu
        targets={targets}
        isBusy={isBusy}
        textOf={({ name, records: { length: count } }) =>
          count === total ? name : t('grid.moveSome', { name, count })
        }
        onChoose={choose}
      />
      {chosenTarget !== undefined && (
        <MoveDialog
          name={chosenTarget.name}
          count={chosenTarget.records.length}
          stuck={stuckOf(workflow, chosenTarget).length}
          onClose={() => setChosenTarget(undefined)}
          onMove={() => {
            setChosenTarget(undefined);
            void move(chosenTarget);
          }}
        />
      )}
    </>
  );
}

function useMoveMany(type: string, workflow: Workflow) {
  const t = useT();
  const { run } = useWriteMany();
  const [isBusy, setBusy] = useState(false);
  const move = async (target: Target) => {
    const { id, name, records } = target;
    setBusy(true);
    const writes = records.map((record) => moveOf(workflow, record, id));
    const stuck = stuckOf(workflow, target).length;
    const text = (count: number) => movedText({ count, name, stuck: Math.min(count, stuck) }, t);
    const outcome = await run({ type, writes, text });
    setBusy(false);
    tellRefusals(outcome, records);
  };
  return { move, isBusy };
}

/** The id of the workflow of the records; undefined where they have several. */
function workflowIdOf(
  object: ObjectDefinition,
  records: readonly RecordData[],
): string | undefined {
  const ids = new Set(records.map((record) => workflowReferenceOf(object, record)?.id));
  return ids.size === 1 ? [...ids][0] : undefined;
}

interface Target {
  readonly id: string;
  readonly name: string;
  readonly records: readonly RecordData[];
}

function targetsOf(workflow: Workflow, records: readonly RecordData[]): readonly Target[] {
  return workflow.statuses.flatMap(({ id, name }) => {
    const movable = records.filter(({ status }) => canMove(workflow, status, id));
    return movable.length === 0 ? [] : [{ id, name: name ?? id, records: movable }];
  });
}

function canMove(workflow: Workflow, from: string | null, to: string): boolean {
  return obstacleOf(workflow, from, to) === undefined;
}

/** The records that the workflow cannot move back to their status. */
function stuckOf(workflow: Workflow, { id, records }: Target): readonly RecordData[] {
  return records.filter(({ status }) => status === null || !canMove(workflow, id, status));
}

/** A move without a way back in the workflow is not undone. */
function moveOf(workflow: Workflow, record: RecordData, status_id: string): Reversible {
  const { object_type, id, version, status } = record;
  const action = 'status' as const;
  return {
    operation: {
      ...{ action, object_type, id, status_id },
      ...(version === undefined ? {} : { expected_version: version }),
    },
    inverse: ({ version: expected_version }) =>
      status !== null && canMove(workflow, status_id, status)
        ? { action, object_type, id, status_id: status, expected_version }
        : undefined,
  };
}
