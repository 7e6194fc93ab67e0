// Arranging tiles: picked up by keys, with announcements, dragged by the pointer, or by the menu. One function saves.

import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Tile } from '../../lib/dashboards.ts';
import { useT } from '../../lib/messages/index.ts';
import { movedTile, resizedTile, stepOf, withoutTile } from './tiles.ts';

interface Arrangement {
  readonly tiles: readonly Tile[];
  readonly nameOf: (id: string) => string;
  readonly onArrange: (tiles: readonly Tile[]) => void;
}

export interface Arranging {
  /** The tiles in their order, with the present place of one that is picked up. */
  readonly tiles: readonly Tile[];
  /** The tile that is picked up by keys. */
  readonly held: string | undefined;
  readonly told: string;
  readonly hintId: string;
  move(id: string, to: number): void;
  resize(id: string, by: 1 | -1): void;
  remove(id: string): void;
  onKeyDown(id: string, event: KeyboardEvent<HTMLElement>): void;
  putBack(): void;
}

interface Held {
  readonly id: string;
  readonly tiles: readonly Tile[];
}

export function useArranging({ tiles, nameOf, onArrange }: Arrangement): Arranging {
  const t = useT();
  const hintId = useId();
  const [held, setHeld] = useState<Held>();
  const [announcement, tell] = useState('');
  const arrangedTiles = held?.tiles ?? tiles;
  const placeText = (id: string, all: readonly Tile[]) => {
    const place = all.findIndex(({ view_id }) => view_id === id);
    const width = all[place]?.width ?? 1;
    return t('dashboards.at', { name: nameOf(id), place: place + 1, count: all.length, width });
  };
  const save = (next: readonly Tile[]) => {
    if (JSON.stringify(next) !== JSON.stringify(tiles)) onArrange(next);
  };
  const putBack = () => {
    if (held === undefined) return;
    setHeld(undefined);
    tell(t('dashboards.back', { name: nameOf(held.id) }));
  };
  const drop = ({ id, tiles: next }: Held) => {
    setHeld(undefined);
    save(next);
    tell(t('dashboards.dropped', { name: nameOf(id) }));
  };
  const move = (id: string, to: number) => {
    const next = movedTile(tiles, id, to);
    save(next);
    tell(placeText(id, next));
  };
  useDrops((id, onto) =>
    move(
      id,
      tiles.findIndex(({ view_id }) => view_id === onto),
    ),
  );
  return {
    ...{ tiles: arrangedTiles, held: held?.id, told: announcement, hintId, move, putBack },
    resize: (id, by) => save(resizedTile(tiles, id, by)),
    remove: (id) => save(withoutTile(tiles, id)),
    onKeyDown(id, event) {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : actOf(event, held);
      if (act === undefined) return;
      event.preventDefault();
      if (act.kind === 'pickUp') {
        setHeld({ id, tiles });
        tell(t('dashboards.pickedUp', { name: nameOf(id) }));
      }
      if (held === undefined) return;
      if (act.kind === 'drop') drop(held);
      if (act.kind === 'back') putBack();
      if (act.kind !== 'step') return;
      setHeld({ id, tiles: act.tiles });
      tell(placeText(id, act.tiles));
    },
  };
}

type KeyAct =
  | { readonly kind: 'pickUp' | 'drop' | 'back' }
  | { readonly kind: 'step'; readonly tiles: readonly Tile[] };

/** The effect of a key on the tile that is held, or to the one whose handle has the focus. */
function actOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  held: Held | undefined,
): KeyAct | undefined {
  const isPress = key === ' ' || key === 'Enter';
  if (held === undefined) return isPress ? { kind: 'pickUp' } : undefined;
  if (isPress) return { kind: 'drop' };
  if (key === 'Escape') return { kind: 'back' };
  const step = stepOf(key, shiftKey);
  if (step === undefined) return undefined;
  const { id, tiles } = held;
  const next =
    step.kind === 'size'
      ? resizedTile(tiles, id, step.by)
      : movedTile(tiles, id, placeOf(held) + step.by);
  return { kind: 'step', tiles: next };
}

function placeOf({ id, tiles }: Held): number {
  return tiles.findIndex(({ view_id }) => view_id === id);
}

/** A tile that is dropped on another takes its place. */
function useDrops(onDrop: (id: string, onto: string) => void): void {
  const latest = useRef(onDrop);
  useLayoutEffect(() => {
    latest.current = onDrop;
  });
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => typeof source.data.tile === 'string',
        onDrop: ({ source, location }) => {
          const onto = location.current.dropTargets[0]?.data.tile;
          if (typeof onto === 'string' && onto !== source.data.tile) {
            latest.current(String(source.data.tile), onto);
          }
        },
      }),
    [],
  );
}
