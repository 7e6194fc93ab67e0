// A card that is picked up: by keys, with announcements, by the mouse or by touch. In each case one function drops it.

import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import type { RecordData } from '@workspace-records/client';
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { type MoveWords, obstacleText } from '../../editing/move-words.ts';
import { askForApproval } from '../../editing/requests/asked-move.ts';
import { useLanguage, useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { useHeldTouch } from '../../ui/use-held-touch.ts';
import { countsOf, type Held, recordAt } from './board-context.ts';
import { cardTouch } from './card-touch.ts';
import { type BoardColumn, columnIdOf } from './columns.ts';
import { stepFocus, stepHeld } from './keys.ts';
import { moveWithFocus } from './move-with-focus.ts';
import { type LoadedBoard, useLatest } from './use-board-content.ts';

export interface Holding {
  readonly held: Held | undefined;
  /** An announcement for people who cannot see the board. */
  readonly told: string;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  onBlur(event: FocusEvent<HTMLElement>): void;
}

/** Moves cards of the board in the element `root` by pointer, touch and keys. */
export function useHeld(board: LoadedBoard, root: RefObject<HTMLElement | null>): Holding {
  const words: MoveWords = { t: useT(), language: useLanguage() };
  const [held, setHeld] = useState<Held>();
  const [announcement, tell] = useState('');
  const holder: Holder = { board, words, held, setHeld, tell };
  const acts = actsOf(holder);
  const keys = keysOf(holder, acts);
  useDrags(acts);
  useHeldTouch(root, cardTouch(board.content, acts));
  return {
    ...{ held, told: announcement },
    onKeyDown(event) {
      const link = cardLink(event.target);
      const isOther = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
      if (link === undefined || isOther) return;
      const isTaken = held?.by === 'keys' ? keys.onHeldKey(event.key) : keys.onKey(event.key, link);
      if (isTaken) event.preventDefault();
    },
    onBlur({ target }) {
      if (held?.by !== 'keys' || cardLink(target) === undefined) return;
      // Another window took the focus when the element still has it here.
      requestAnimationFrame(() => {
        if (document.activeElement !== target && target.isConnected) acts.putBack();
      });
    },
  };
}

interface Holder {
  readonly board: LoadedBoard;
  readonly words: MoveWords;
  readonly held: Held | undefined;
  readonly setHeld: (held: Held | undefined) => void;
  readonly tell: (text: string) => void;
}

export type HeldActs = ReturnType<typeof actsOf>;

function actsOf(holder: Holder) {
  const { board, words, held, setHeld, tell } = holder;
  const { content } = board;
  const { t } = words;
  const columnOf = (id: string | undefined) => content.columns.find((column) => column.id === id);
  /** Whether it may be moved. */
  const pickUp = (record: RecordData, by: Held['by']): boolean => {
    if (!content.canMove(record)) {
      tell(t('board.cannot', { name: recordName(record) }));
      return false;
    }
    const from = columnIdOf(record, content.field);
    setHeld({ record, by, from, target: from });
    const column = columnOf(from)?.name ?? '';
    tell(t('board.pickedUp', { name: recordName(record), column }));
    return true;
  };
  const putBack = () => {
    setHeld(undefined);
    if (held !== undefined)
      tell(
        t('board.back', { name: recordName(held.record), column: columnOf(held.from)?.name ?? '' }),
      );
  };
  const drop = (target: string | undefined) => {
    const column = columnOf(target);
    if (held === undefined || column === undefined || target === held.from) return putBack();
    const obstacle = content.obstacle(held.record, column);
    if (obstacle?.kind === 'approval') {
      putBack();
      return askForApproval({ record: held.record, to: column.id, status: column.name });
    }
    if (obstacle !== undefined)
      return held.by === 'keys' ? tell(overText(holder, held, target)) : putBack();
    setHeld(undefined);
    void finish(holder, held, column);
  };
  const over = (target: string | undefined) => {
    if (held === undefined) return;
    setHeld({ ...held, target });
    if (held.by === 'keys') tell(overText(holder, held, target));
  };
  return { pickUp, putBack, drop, over };
}

function keysOf({ board: { content }, held }: Holder, acts: HeldActs) {
  return {
    onHeldKey(key: string): boolean {
      if (held === undefined) return false;
      const ids = content.columns.map(({ id }) => id);
      const step = stepHeld(ids, held.target ?? held.from, key);
      if (step?.kind === 'target') acts.over(step.column);
      if (step?.kind === 'drop') acts.drop(held.target);
      if (step?.kind === 'back') acts.putBack();
      // The focus continues at the card that was put back.
      return key !== 'Tab';
    },
    onKey(key: string, link: HTMLElement): boolean {
      const card = link.closest<HTMLElement>('[data-index]');
      const record = card === null ? undefined : recordAt(content, card);
      if (key === ' ' && record !== undefined) {
        acts.pickUp(record, 'keys');
        return true;
      }
      const { column = '', index = '0' } = card?.dataset ?? {};
      const spot = stepFocus(countsOf(content), { column, index: Number(index) }, key);
      if (spot !== undefined) content.focus(spot);
      return spot !== undefined;
    },
  };
}

async function finish({ board, words, tell }: Holder, held: Held, to: BoardColumn): Promise<void> {
  const { record, by } = held;
  const { content, move } = board;
  const isMoved =
    by === 'keys' ? await moveWithFocus(content, { record, to }, move) : await move(record, to);
  const name = recordName(record);
  if (isMoved) tell(words.t('board.dropped', { name, column: to.name }));
}

function overText({ board, words }: Holder, held: Held, target: string | undefined): string {
  const { columns, obstacle } = board.content;
  const { t } = words;
  const column = columns.find(({ id }) => id === target);
  if (column === undefined) return '';
  const [name, from] = [column.name, columns.find(({ id }) => id === held.from)?.name ?? ''];
  const closed = obstacle(held.record, column);
  if (closed === undefined) {
    const [place, count] = [columns.indexOf(column) + 1, columns.length];
    return t('board.over', { column: name, place, count });
  }
  return t('board.overClosed', {
    column: name,
    reason: obstacleText(closed, { from, to: name }, words),
  });
}

/** Dragging by the mouse, from any card to any column of the board. */
function useDrags(acts: HeldActs): void {
  const latest = useLatest(acts);
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => isRecord(source.data.record),
        onDragStart: ({ source }) =>
          latest.current.pickUp(source.data.record as RecordData, 'mouse'),
        onDropTargetChange: ({ location }) => latest.current.over(columnUnder(location)),
        onDrop: ({ location }) => latest.current.drop(columnUnder(location)),
      }),
    [latest],
  );
}

interface Location {
  readonly current: {
    readonly dropTargets: readonly { readonly data: Record<string | symbol, unknown> }[];
  };
}

function columnUnder({ current }: Location): string | undefined {
  return current.dropTargets[0]?.data.column as string | undefined;
}

function isRecord(value: unknown): value is RecordData {
  return typeof value === 'object' && value !== null && 'object_type' in value;
}

/** The link of a card, when it has the focus. */
function cardLink(target: EventTarget): HTMLElement | undefined {
  return target instanceof HTMLElement && target.matches('[data-card]') ? target : undefined;
}
