// A move of one record to another status, from a menu: undone like an edited field where the workflow has a way back,
// and reported where it has none.

import { useQueryClient } from '@tanstack/react-query';
import type { RecordData, Workflow } from '@workspace-records/client';
import { useState } from 'react';
import { useLanguage, useT } from '../lib/messages/index.ts';
import { recordName } from '../lib/record-name.ts';
import { useSession } from '../lib/session.ts';
import { changeStatus } from '../lib/status-writes.ts';
import { noteUndo } from '../lib/undo.ts';
import { showFinal, showToast } from '../ui/toast.ts';
import { confirmMove } from './move-confirmation.ts';
import { needsApproval, refusalText } from './move-refusals.ts';
import { movedText } from './move-words.ts';
import { askForApproval } from './requests/asked-move.ts';
import { isFinal, obstacleOf } from './status-moves.ts';

/** `nameOf`: of a status by its id. */
export function useStatusMove(record: RecordData, nameOf: (status: string) => string) {
  const t = useT();
  const words = { t, language: useLanguage() };
  const session = useSession();
  const queries = useQueryClient();
  const [isMoving, setMoving] = useState(false);
  const move = async (workflow: Workflow, to: string) => {
    const from = record.status;
    const hasWayBack = from !== null && obstacleOf(workflow, to, from) === undefined;
    const asked = { name: recordName(record), status: nameOf(to) };
    if (isFinal(workflow, to) && !(await confirmMove(asked))) return;
    setMoving(true);
    try {
      let now = await changeStatus({ session, queries }, { record, to });
      const text = movedText({ count: 1, name: nameOf(to), stuck: hasWayBack ? 0 : 1 }, t);
      const turn = (status: string) => async () => {
        now = await changeStatus({ session, queries }, { record: now, to: status });
      };
      const act = { text, undo: turn(String(from)), redo: turn(to) };
      if (hasWayBack) noteUndo({ ...act, isQuiet: true });
      else showFinal({ text });
    } catch (error) {
      if (needsApproval(error)) askForApproval({ record, to, status: nameOf(to) });
      else showToast({ text: refusalText(error, { words, nameOf }), isProblem: true });
    } finally {
      setMoving(false);
    }
  };
  return { move, isMoving };
}
