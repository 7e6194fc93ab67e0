// The whole text of a cell that has no room for it, as a hint while the pointer rests on it. It is measured
// once the pointer rests: measuring while rows move under it would lay them out again each time.

import { type RefObject, useEffect } from 'react';

/** Milliseconds. */
const REST = 120;

export function useFullText(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = table.current;
    const onOver = ({ target }: MouseEvent) => {
      const cell = (target as Element).closest<HTMLElement>('[data-kind]');
      if (cell !== null && cell !== held) {
        held = cell;
        clearTimeout(timer);
        timer = setTimeout(() => hint(cell), REST);
      }
    };
    let held: HTMLElement | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    element?.addEventListener('mouseover', onOver);
    return () => {
      clearTimeout(timer);
      element?.removeEventListener('mouseover', onOver);
    };
  }, [table]);
}

function hint(cell: HTMLElement): void {
  // The reason why a value was refused is said there.
  if (cell.getAttribute('aria-invalid') === 'true' || cell.dataset.editing !== undefined) return;
  const parts = [...cell.querySelectorAll<HTMLElement>('*')];
  // A hint of its own has more than the cell.
  const isHinted = parts.some(({ title }) => title !== '');
  if (!isHinted && [cell, ...parts].some(isCut)) cell.title = textOf(cell);
  else cell.removeAttribute('title');
}

function isCut({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement): boolean {
  // Elements in a line of text have no size of their own.
  return clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 3);
}

/** The text of a cell; several tags have commas between them. */
function textOf(cell: HTMLElement): string {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode.textContent ?? '');
  return texts.join(cell.querySelectorAll('[data-tag]').length > 0 ? ', ' : '');
}
