// A card: the name of a record, which leads to it, some of its values, its owner, and the menu of its moves.

import { draggable } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import type { RecordData } from '@workspace-records/client';
import { memo, useEffect, useRef } from 'react';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import { OwnerMark } from '../../ui/owner-mark.tsx';
import { PeekButton } from '../../ui/peek-button.tsx';
import { RecordLink } from '../../ui/record-link.tsx';
import classes from './board.module.css';
import { useBoard } from './board-context.ts';
import { CardMenu } from './card-menu.tsx';
import { CardValue } from './card-value.tsx';
import type { BoardColumn } from './columns.ts';

interface BoardCardProps {
  readonly record: RecordData;
  readonly column: BoardColumn;
  /** True for the one card of the column that Tab reaches. */
  readonly isTabStop: boolean;
  readonly isHeld: boolean;
}

export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { record, column, isTabStop, isHeld } = props;
  const t = useT();
  const { cardFields, canMove, hintId } = useBoard();
  const root = useRef<HTMLElement>(null);
  const isMovable = canMove(record);
  useEffect(() => {
    if (root.current === null || !isMovable) return;
    return draggable({ element: root.current, getInitialData: () => ({ record }) });
  }, [record, isMovable]);
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <article ref={root} className={classes.card} data-held={isHeld || undefined}>
      <div className={classes.top}>
        <RecordLink
          type={record.object_type}
          id={record.id}
          className={classes.title}
          data-card={record.id}
          tabIndex={tabIndex}
          draggable={false}
          aria-describedby={isMovable ? hintId : undefined}
        >
          {record.display ?? t('records.unnamed')}
        </RecordLink>
        <PeekButton id={record.id} name={record.display ?? t('records.unnamed')} />
        {isMovable && <CardMenu record={record} column={column} tabIndex={tabIndex} />}
      </div>
      <div className={classes.values}>
        {record.owner_user_id !== null && (
          <span className={classes.owner}>
            <OwnerMark id={record.owner_user_id} />
          </span>
        )}
        {cardFields.map((field) => (
          <CardValue key={field.key} field={field} value={fieldValue(record, field)} />
        ))}
      </div>
    </article>
  );
});
