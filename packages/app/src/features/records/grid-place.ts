// Where one is in the grid, and where a key leads: rows are counted from the top of the list, -1 is the headings.

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** The number of rows in view. */
  readonly page: number;
}

export interface Press {
  readonly key: string;
  /** Ctrl or the command key. */
  readonly isCtrl: boolean;
}

/** Cells between two corners, both included. */
export interface Area {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const HEADINGS = -1;

/** Undefined: the key leads nowhere. */
export function nextPlace(
  place: CellPosition,
  { key, isCtrl }: Press,
  size: GridSize,
): CellPosition | undefined {
  const { row, column } = place;
  const last = { row: size.rows - 1, column: size.columns - 1 };
  const to = (next: Partial<CellPosition>) => clamped({ ...place, ...next }, last);
  switch (key) {
    case 'ArrowDown':
      return to({ row: isCtrl ? last.row : row + 1 });
    case 'ArrowUp':
      return to({ row: isCtrl ? Math.min(row, 0) : row - 1 });
    case 'ArrowRight':
      return to({ column: isCtrl ? last.column : column + 1 });
    case 'ArrowLeft':
      return to({ column: isCtrl ? 0 : column - 1 });
    case 'PageDown':
      return to({ row: Math.max(row, 0) + size.page });
    case 'PageUp':
      return to({ row: Math.max(row - size.page, Math.min(row, 0)) });
    case 'Home':
      return to(isCtrl ? { row: 0, column: 0 } : { column: 0 });
    case 'End':
      return to(isCtrl ? last : { column: last.column });
    default:
      return undefined;
  }
}

/**
 * The next cell of a row, and from its end the first one of the next row; undefined: there is none. Columns before
 * `first` are no cells.
 */
export function tabPlace(
  { row, column }: CellPosition,
  isBack: boolean,
  size: Pick<GridSize, 'rows' | 'columns'> & { readonly first: number },
): CellPosition | undefined {
  const width = size.columns - size.first;
  if (width <= 0) return undefined;
  const at = Math.max(column - size.first, isBack ? 0 : -1);
  const next = row * width + at + (isBack ? -1 : 1);
  const to = { row: Math.floor(next / width), column: size.first + (next % width) };
  return next >= 0 && to.row < size.rows ? to : undefined;
}

export function areaOf(one: CellPosition, other: CellPosition): Area {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

export function isIn(area: Area, { row, column }: CellPosition): boolean {
  const isOfRows = row >= area.top && row <= area.bottom;
  return isOfRows && column >= area.left && column <= area.right;
}

/** The cell that an element of the table is in. */
export function placeOf(target: EventTarget | null): CellPosition | undefined {
  const cell = (target as Element | null)?.closest<HTMLElement>('[data-column]');
  const row = cell?.closest<HTMLElement>('[data-row]');
  if (cell == null || row == null) return undefined;
  return { row: Number(row.dataset.row), column: Number(cell.dataset.column) };
}

function clamped({ row, column }: CellPosition, last: CellPosition): CellPosition {
  return {
    row: Math.max(HEADINGS, Math.min(row, last.row)),
    column: Math.max(0, Math.min(column, last.column)),
  };
}
