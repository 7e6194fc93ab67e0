// Another status for all matching records: the statuses that a move leads to, with the number of records that it is
// open to. Objects whose records have several workflows have no such menu.

import { useQuery } from '@tanstack/react-query';
import type { ObjectDefinition, Where } from '@workspace-records/client';
import { useState } from 'react';
import { movedText } from '../../../editing/move-words.ts';
import { workflowReferencesOf } from '../../../editing/status-moves.ts';
import { useWorkflow } from '../../../editing/use-workflows.ts';
import { useT } from '../../../lib/messages/index.ts';
import { useSession } from '../../../lib/session.ts';
import { TargetsMenu } from '../targets-menu.tsx';
import { countByStatus } from './matching-counts.ts';
import { MatchingDialog } from './matching-dialog.tsx';
import { type MatchingTarget, partOfTarget, targetsOf } from './status-targets.ts';

interface MatchingStatusProps {
  readonly object: ObjectDefinition;
  readonly parts: readonly Where[];
  readonly total: number | undefined;
  readonly onClose: () => void;
}

export function MatchingStatus({ object, parts, total, onClose }: MatchingStatusProps) {
  const t = useT();
  const [target, setTarget] = useState<MatchingTarget>();
  const { targets, isOffered } = useTargets(object, parts);
  if (!isOffered) return null;
  const close = () => {
    setTarget(undefined);
    onClose();
  };
  return (
    <>
      <TargetsMenu
        targets={targets}
        textOf={({ name, count }) => t('grid.moveSome', { name, count })}
        onChoose={setTarget}
      />
      {target !== undefined && (
        <MatchingDialog
          {...{ object, total }}
          {...wordsOf(t, target)}
          wish={{
            type: object.object_type,
            parts: [...parts, partOfTarget(target)],
            change: { action: 'status', status_id: target.id },
            text: (count) =>
              movedText({ count, name: target.name, stuck: Math.min(count, target.stuck) }, t),
          }}
          onClose={close}
          onEnded={close}
        />
      )}
    </>
  );
}

function wordsOf(t: ReturnType<typeof useT>, { name, count: all, stuck }: MatchingTarget) {
  const words = { name, count: stuck };
  const text =
    stuck === 0
      ? t('matching.forGood')
      : stuck === all
        ? t('grid.moveForGood', { name })
        : t('grid.moveSomeForGood', words);
  return {
    texts: [text],
    title: (count: number) => t('grid.moveTitle', { count, name }),
    submit: (count: number) => t('grid.moveNow', { count }),
  };
}

function useTargets(object: ObjectDefinition, parts: readonly Where[]) {
  const session = useSession();
  const type = object.object_type;
  const [reference, second] = workflowReferencesOf(object);
  const isOffered = reference !== undefined && second === undefined;
  const workflow = useWorkflow(reference, isOffered);
  const { data: counts } = useQuery({
    queryKey: [session.workspace, type, 'groups', 'statuses', parts],
    queryFn: () => countByStatus(session, type, parts),
    enabled: isOffered,
  });
  const isKnown = workflow !== undefined && counts !== undefined;
  return { isOffered, targets: isKnown ? targetsOf(workflow, counts) : [] };
}
