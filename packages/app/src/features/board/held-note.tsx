// While a card is held by keys or by touch: its target, the obstacle if there is one, and the keys.

import { obstacleText } from '../../editing/move-words.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import classes from './board.module.css';
import { type Held, useBoard } from './board-context.ts';

export function HeldNote({ held }: { readonly held: Held | undefined }) {
  const t = useT();
  const words = { t, language: useLanguage() };
  const { columns, obstacle } = useBoard();
  const target = columns.find(({ id }) => id === held?.target);
  if (held === undefined || held.by === 'mouse' || target === undefined) return null;
  const from = columns.find(({ id }) => id === held.from)?.name ?? '';
  const closed = obstacle(held.record, target);
  const isClosed = closed !== undefined && closed.kind !== 'here';
  return (
    // The live region says the same.
    <div className={classes.note} data-closed={isClosed || undefined} aria-hidden="true">
      <strong>{recordName(held.record)}</strong>
      <span>→ {target.name}</span>
      <span className={classes.dim}>
        {isClosed
          ? obstacleText(closed, { from, to: target.name }, words)
          : held.by === 'keys' && t('board.keys')}
      </span>
    </div>
  );
}
