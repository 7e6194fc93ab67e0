// Keys on a board: the next focus from a card, and their effect on a card that is held. Pure.

export interface Spot {
  readonly column: string;
  readonly index: number;
}

/** Cards that are known in each column, in the order of the columns. */
export type Counts = readonly (readonly [column: string, cards: number])[];

/** The target of a key from a card; undefined: another key. At an edge the focus stays. */
export function stepFocus(counts: Counts, from: Spot, key: string): Spot | undefined {
  const columnIndex = counts.findIndex(([column]) => column === from.column);
  const cards = counts[columnIndex]?.[1] ?? 0;
  const inColumn = (index: number) => ({
    column: from.column,
    index: Math.max(0, Math.min(index, cards - 1)),
  });
  switch (key) {
    case 'ArrowDown':
      return inColumn(from.index + 1);
    case 'ArrowUp':
      return inColumn(from.index - 1);
    case 'Home':
      return inColumn(0);
    case 'End':
      return inColumn(cards - 1);
    case 'ArrowRight':
      return nextColumn(counts.slice(columnIndex + 1), from);
    case 'ArrowLeft':
      return nextColumn(counts.slice(0, Math.max(columnIndex, 0)).toReversed(), from);
    default:
      return undefined;
  }
}

/** The first one with cards; where there is none, one stays. */
function nextColumn(columns: Counts, from: Spot): Spot {
  const [column, cards] = columns.find(([, count]) => count > 0) ?? [];
  if (column === undefined || cards === undefined) return from;
  return { column, index: Math.min(from.index, cards - 1) };
}

export type HeldStep =
  | { readonly kind: 'target'; readonly column: string }
  | { readonly kind: 'drop' }
  | { readonly kind: 'back' };

/** The effect of a key while a card is held over a column; undefined: none, and the page does not get the key. */
export function stepHeld(
  columns: readonly string[],
  target: string,
  key: string,
): HeldStep | undefined {
  const columnIndex = columns.indexOf(target);
  const at = (index: number): HeldStep => ({
    kind: 'target',
    column: columns[Math.max(0, Math.min(index, columns.length - 1))] ?? target,
  });
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return at(columnIndex + 1);
    case 'ArrowLeft':
    case 'ArrowUp':
      return at(columnIndex - 1);
    case 'Home':
      return at(0);
    case 'End':
      return at(columns.length - 1);
    case 'Enter':
    case ' ':
      return { kind: 'drop' };
    case 'Escape':
    case 'Tab':
      return { kind: 'back' };
    default:
      return undefined;
  }
}
