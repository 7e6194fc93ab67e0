// The handle at the corner of the marked cells: drawn down over rows, it fills them.

import type { PointerEvent } from 'react';
import { type Area, areaOf, placeOf } from './grid-place.ts';
import type { Grid } from './use-grid.ts';

interface FillParts {
  readonly grid: Grid;
  readonly onFill: (source: Area, bottom: number) => void;
}

export function fillPointerOf(now: () => FillParts) {
  let source: Area | undefined;
  const mark = (bottom: number) => {
    if (source === undefined) return;
    const { top, left, right } = source;
    now().grid.mark({ row: top, column: left }, { row: bottom, column: right });
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if ((event.target as Element).closest('[data-fill]') === null) return;
      event.preventDefault();
      const { area, place } = now().grid;
      source = area ?? areaOf(place, place);
      // By the table, because the handle moves to other rows.
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
      if (source === undefined) return;
      const row = placeOf(document.elementFromPoint(clientX, clientY))?.row;
      if (row !== undefined && row >= source.top) mark(Math.max(row, source.bottom));
    },
    onLostPointerCapture() {
      const bottom = now().grid.area?.bottom;
      if (source !== undefined && bottom !== undefined) now().onFill(source, bottom);
      source = undefined;
    },
    onPointerCancel() {
      if (source !== undefined) mark(source.bottom);
      source = undefined;
    },
  };
}
