// The arrow keys: from the field to what was found, and from one to the next.

import type { KeyboardEvent } from 'react';

export function moveFocus(event: KeyboardEvent, place: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || place === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const places = [...place.querySelectorAll<HTMLElement>('input, [data-hit]')];
  const next = places[places.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
