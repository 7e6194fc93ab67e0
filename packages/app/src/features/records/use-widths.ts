// Widths of columns: of this browser, by object and field. While one is dragged the table follows by its style alone,
// without rendering.

import { type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { readSetting, writeSetting } from '../../lib/storage.ts';
import { type GridColumn, templateOf, type Widths } from './grid-columns.ts';

/** Pixels. */
const NARROWEST = 60;
const WIDEST = 800;
/** The pixels that one press of a key widens a column. */
const STEP = 24;

export interface ColumnWidths {
  readonly widths: Widths;
  /** Begins at a handle; ends where the pointer is let go. */
  draw(column: GridColumn, event: PointerEvent<HTMLElement>): void;
  /** Changes the width by this number of steps. */
  widen(column: GridColumn, steps: number): void;
  reset(column: GridColumn): void;
}

export function useWidths(
  objectType: string,
  columns: readonly GridColumn[],
  table: RefObject<HTMLTableElement | null>,
): ColumnWidths {
  const name = `widths.${objectType}`;
  const [widths, setWidths] = useState(() => parseWidths(readSetting(name)));
  const latest = useRef({ widths, columns });
  latest.current = { widths, columns };
  return useMemo(() => {
    const put = (next: Widths) => {
      writeSetting(name, JSON.stringify(next));
      setWidths(next);
    };
    const widthNow = ({ id }: GridColumn) => {
      const at = latest.current.columns.findIndex((column) => column.id === id);
      const cell = table.current?.querySelector(`[data-row="-1"] > [data-column="${at}"]`);
      return Math.round(cell?.getBoundingClientRect().width ?? NARROWEST);
    };
    const widen = (column: GridColumn, steps: number) =>
      put(withWidth(latest.current.widths, column, widthNow(column) + steps * STEP));
    const reset = ({ id }: GridColumn) => {
      const { [id]: _, ...others } = latest.current.widths;
      put(others);
    };
    const draw = (column: GridColumn, event: PointerEvent<HTMLElement>) => {
      const began = { x: event.clientX, width: widthNow(column) };
      const at = ({ clientX }: { readonly clientX: number }) =>
        withWidth(latest.current.widths, column, began.width + clientX - began.x);
      follow(event, {
        move: (moved) => show(table.current, latest.current.columns, at(moved)),
        end: (moved) => put(at(moved)),
      });
    };
    return { widths, draw, widen, reset };
  }, [widths, name, table]);
}

function withWidth(widths: Widths, { id }: GridColumn, width: number): Widths {
  return { ...widths, [id]: Math.max(NARROWEST, Math.min(WIDEST, Math.round(width))) };
}

function show(table: HTMLElement | null, columns: readonly GridColumn[], widths: Widths): void {
  const { template, minimum } = templateOf(columns, widths);
  // The element of the rows and the footer.
  const sheet = table?.parentElement;
  sheet?.style.setProperty('--columns', template);
  sheet?.style.setProperty('min-width', minimum);
}

interface Following {
  move(event: { readonly clientX: number; readonly clientY: number }): void;
  end(event: { readonly clientX: number; readonly clientY: number }): void;
}

/** A pointer that is down, at any place: its element may be moved in the document meanwhile. */
export function follow(event: PointerEvent<HTMLElement>, { move, end }: Following): void {
  const { pointerId } = event;
  event.preventDefault();
  const stopping = new AbortController();
  const { signal } = stopping;
  const ofThis =
    (act: (event: globalThis.PointerEvent) => void) => (one: globalThis.PointerEvent) => {
      if (one.pointerId === pointerId) act(one);
    };
  const stop = ofThis((last) => {
    stopping.abort();
    end(last);
  });
  addEventListener('pointermove', ofThis(move), { signal });
  addEventListener('pointerup', stop, { signal });
  addEventListener('pointercancel', stop, { signal });
}

/** Text that is not a width, from any source, is ignored. */
function parseWidths(text: string | undefined): Widths {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    const entries = Object.entries(found).filter(
      ([, width]) => typeof width === 'number' && width >= NARROWEST && width <= WIDEST,
    );
    return Object.fromEntries(entries) as Widths;
  } catch {
    return {};
  }
}
