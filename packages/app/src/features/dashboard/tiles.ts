// The tiles of a dashboard: their order and widths. Pure.

import type { Tile } from '../../lib/dashboards.ts';

export const COLUMNS = 4;

/** The tile at another place; the others keep their order. */
export function movedTile(tiles: readonly Tile[], id: string, to: number): readonly Tile[] {
  const from = tiles.findIndex(({ view_id }) => view_id === id);
  const tile = tiles[from];
  if (tile === undefined) return tiles;
  const place = Math.max(0, Math.min(tiles.length - 1, to));
  return tiles.toSpliced(from, 1).toSpliced(place, 0, tile);
}

export function resizedTile(tiles: readonly Tile[], id: string, by: 1 | -1): readonly Tile[] {
  return tiles.map((tile) =>
    tile.view_id === id
      ? { ...tile, width: Math.max(1, Math.min(COLUMNS, tile.width + by)) }
      : tile,
  );
}

export function withoutTile(tiles: readonly Tile[], id: string): readonly Tile[] {
  return tiles.filter(({ view_id }) => view_id !== id);
}

export type Step = { readonly kind: 'move' | 'size'; readonly by: 1 | -1 };

/** The effect of a key on a tile that is picked up. */
export function stepOf(key: string, isShifted: boolean): Step | undefined {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (by !== 1 && by !== -1) return undefined;
  return { kind: isShifted ? 'size' : 'move', by };
}
