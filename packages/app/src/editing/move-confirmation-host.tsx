// The place of the dialog that confirms a move, above every page.

import { useEffect } from 'react';
import { later } from '../lib/later.tsx';
import { useWaitingMove } from './move-confirmation.ts';

const Dialog = later(() => import('./move-confirmation-dialog.tsx'));

export function MoveConfirmationHost() {
  const waiting = useWaitingMove();
  useEffect(() => () => waiting?.answer(false), [waiting]);
  if (waiting === undefined) return null;
  return <Dialog name={waiting.name} status={waiting.status} onAnswer={waiting.answer} />;
}
