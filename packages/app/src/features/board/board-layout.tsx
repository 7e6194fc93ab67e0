// The records of a question as a board: a column for each status, or for each value of another field.

import { useMediaQuery } from '@mantine/hooks';
import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { columnField } from '../../lib/board-fields.ts';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { useLiveColumns } from '../../live/use-live.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import classes from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { BoardContext } from './board-context.ts';
import { BoardTools } from './board-tools.tsx';
import { ColumnSwitch } from './column-switch.tsx';
import { MOST_COLUMNS } from './figures.ts';
import { HeldNote } from './held-note.tsx';
import { useBoardContent } from './use-board-content.ts';
import { useHeld } from './use-held.ts';
import { useShownColumn } from './use-shown-column.ts';

export default function BoardLayout(props: LayoutProps) {
  const t = useT();
  const { object, view } = props;
  const field = columnField(object, view.by);
  if (field === undefined) return <EmptyState title={t('board.noField')} />;
  // By another field it is another board.
  return <Columns key={field.key} {...props} field={field} />;
}

/** Columns that are loaded before one scrolls to them. */
const AT_ONCE = 8;
/** Narrow screens, which show one column at a time. */
const NARROW = '(max-width: 30rem)';

function Columns(props: LayoutProps & { readonly field: Field }) {
  const { object, view, field } = props;
  const t = useT();
  const [isTouched, setTouched] = useState(false);
  const touch = () => setTouched(true);
  const board = useBoardContent({ object, view, field, isTouched });
  const { content, figures } = board;
  useLiveColumns(object.object_type);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false;
  const isEmpty = figures !== undefined && Object.values(figures).every(({ count }) => count === 0);
  const { board: boardRef, shown: visibleColumn, show, onScroll } = useShownColumn(content.columns);
  const { held, told: announcement, onKeyDown, onBlur } = useHeld(board, boardRef);
  return (
    <BoardContext value={content}>
      <BoardTools {...props} />
      {isNarrow && visibleColumn !== undefined && (
        <ColumnSwitch {...{ figures, shown: visibleColumn, held }} onShow={show} />
      )}
      {Object.keys(figures ?? {}).length >= MOST_COLUMNS && (
        <p className={classes.cut}>{t('board.cut', { count: MOST_COLUMNS })}</p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to the cards in it. */}
      <div
        ref={boardRef}
        className={classes.board}
        // Where no card can be reached by keys, or none has come yet, what scrolls is; it keeps a focus that it has.
        tabIndex={isEmpty || figures === undefined ? 0 : -1}
        onScroll={isNarrow ? onScroll : undefined}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        data-carried={held?.by === 'touch' || undefined}
        onPointerEnter={touch}
        onFocus={touch}
      >
        {content.columns.map((column, index) => (
          <BoardColumn
            key={column.id}
            column={column}
            held={held}
            figures={figures?.[column.id] ?? (figures && NOTHING)}
            isNear={isNarrow ? column === visibleColumn : index < AT_ONCE}
            isAlone={isNarrow}
          />
        ))}
      </div>
      <HeldNote held={held} />
      <span id={content.hintId} hidden>
        {t('board.hint')}
      </span>
      <Hidden role="status" aria-live="assertive">
        {announcement}
      </Hidden>
    </BoardContext>
  );
}

/** A column without a group. */
const NOTHING = { count: 0, sum: 0 };
