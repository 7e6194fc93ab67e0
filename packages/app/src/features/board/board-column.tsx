// A column: its head with what was counted, and its cards. One that is closed for the card that is held says why; of more
// than a few, one without any card is narrow.

import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { UnstyledButton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { RecordData } from '@workspace-records/client';
import {
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { obstacleText } from '../../editing/move-words.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { type RecordRows, useRecordRows } from '../../lib/record-lists.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './board.module.css';
import { type Held, useBoard } from './board-context.ts';
import { ColumnCards } from './column-cards.tsx';
import { ColumnHead } from './column-head.tsx';
import { type BoardColumn as Column, columnIdOf } from './columns.ts';
import type { Figures } from './figures.ts';
import { eachOnce } from './placing.ts';

/** The number of columns that have room whether they have cards or not. */
const FEW = 6;

interface BoardColumnProps {
  readonly column: Column;
  readonly held: Held | undefined;
  readonly figures: Figures | undefined;
  /** False: it is loaded when one scrolls to it. */
  readonly isNear: boolean;
  /** True: there is room for one only. */
  readonly isAlone: boolean;
}

export function BoardColumn(props: BoardColumnProps) {
  const { ref, inViewport } = useInViewport<HTMLElement>();
  const [isLoaded, setLoaded] = useState(props.isNear);
  if ((inViewport || props.isNear) && !isLoaded) setLoaded(true);
  if (!isLoaded) return <section ref={ref} className={classes.column} />;
  return <LoadedColumn {...props} />;
}

function LoadedColumn({ column, held, figures, isAlone }: BoardColumnProps) {
  const headId = useId();
  const root = useRef<HTMLElement>(null);
  const { type, question } = useAsked(column);
  const rows = useRecordRows(type, question);
  const records = useOwn(column, rows);
  const isEmpty = records.length === 0 && rows.isEmpty;
  // A column that had cards, or was opened, stays open: the layout does not shift below the pointer.
  const { columns } = useBoard();
  const [isOpen, setOpen] = useState(isAlone || columns.length <= FEW);
  if (records.length > 0 && !isOpen) setOpen(true);
  const closed = useClosed(column, held);
  useDropTarget(root, column);
  const isTarget = held !== undefined && held.target === column.id;
  const isFollowed = isTarget && held.by === 'keys';
  useEffect(() => {
    if (isFollowed) root.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isFollowed]);
  const state = {
    'data-column': column.id,
    'data-closed': closed !== undefined || undefined,
    'data-target': isTarget || undefined,
  };
  if (isEmpty && !isOpen)
    return <Strip {...{ root, column, closed, state }} onOpen={() => setOpen(true)} />;
  return (
    <section ref={root} className={classes.column} aria-labelledby={headId} {...state}>
      <ColumnHead {...{ column, figures, rows, records }} id={headId} />
      {closed !== undefined && (
        <p className={classes.closed}>
          <Icon name="lock" size={14} />
          {closed}
        </p>
      )}
      <ColumnCards {...{ column, rows, records, headId }} heldId={held?.record.id} />
    </section>
  );
}

function useAsked(column: Column) {
  const { object, questionOf } = useBoard();
  return { type: object.object_type, question: questionOf(column) };
}

/** The loaded records that belong to the column; records that others have moved go to their present column. */
function useOwn(column: Column, { records }: RecordRows): readonly RecordData[] {
  const { field, rehome } = useBoard();
  const [columnRecords, movedRecords] = useMemo(() => {
    const isOwn = (record: RecordData) => columnIdOf(record, field) === column.id;
    return [eachOnce(records.filter(isOwn)), records.filter((record) => !isOwn(record))];
  }, [records, field, column]);
  useEffect(() => {
    for (const record of movedRecords) rehome(record);
  }, [movedRecords, rehome]);
  return columnRecords;
}

/** Why the card that is held may not go there. */
function useClosed(column: Column, held: Held | undefined): string | undefined {
  const words = { t: useT(), language: useLanguage() };
  const { columns, obstacle } = useBoard();
  if (held === undefined || held.from === column.id) return undefined;
  const closed = obstacle(held.record, column);
  const from = columns.find(({ id }) => id === held.from)?.name ?? '';
  return closed && obstacleText(closed, { from, to: column.name }, words);
}

function useDropTarget(root: RefObject<HTMLElement | null>, column: Column): void {
  const { obstacle } = useBoard();
  // After each drawing: the narrow form is another element.
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    return dropTargetForElements({
      element,
      getData: () => ({ column: column.id }),
      canDrop: ({ source }) => {
        const closed = obstacle(source.data.record as RecordData, column);
        return closed === undefined || ['here', 'approval'].includes(closed.kind);
      },
    });
  });
}

interface StripProps {
  readonly root: RefObject<HTMLElement | null>;
  readonly column: Column;
  readonly closed: string | undefined;
  readonly state: Readonly<Record<string, string | true | undefined>>;
  readonly onOpen: () => void;
}

function Strip({ root, column, closed, state, onOpen }: StripProps) {
  const t = useT();
  const { handles } = useBoard();
  // It has no card to give the focus to, and takes any.
  useLayoutEffect(() => {
    handles.set(column.id, { records: [], focus: () => undefined });
    return () => void handles.delete(column.id);
  }, [handles, column.id]);
  return (
    <section ref={root} className={classes.strip} aria-label={column.name} {...state}>
      <UnstyledButton className={classes.stripName} onClick={onOpen}>
        {closed !== undefined && <Icon name="lock" size={14} />}
        {column.tint !== undefined && <span className={classes.mark} data-tint={column.tint} />}
        <span>{column.name}</span>
        <span className={classes.dim}>{closed ?? '0'}</span>
        <Hidden>{t('board.open')}</Hidden>
      </UnstyledButton>
    </section>
  );
}
