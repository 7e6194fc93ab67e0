// The place of the dialog that asks for approval, above every page.

import { later } from '../../lib/later.tsx';
import { useAskedMove } from './asked-move.ts';

const Dialog = later(() => import('./ask-dialog.tsx'));

export function AskHost() {
  const asked = useAskedMove();
  if (asked === undefined) return null;
  const { record, to, status, close } = asked;
  return <Dialog key={`${record.id} ${to}`} {...{ record, to, status }} onClose={close} />;
}
