// Days that the pointer is dragged over, from an empty place on, for a new record with these days. By keys a person makes
// it with the button of the page.

import { type PointerEvent, useState } from 'react';
import { openCreation } from '../../editing/creation.ts';
import { canCreate } from '../../lib/creation-fields.ts';
import { presetOf } from '../../lib/presets.ts';
import { useSession } from '../../lib/session.ts';
import type { CalendarProps } from './calendar-layout.tsx';
import { type Span, valuesOfSpan } from './new-span.ts';

export function useNewSpan({ object, field, view }: CalendarProps) {
  const { me } = useSession();
  const [span, setSpan] = useState<Span>();
  const isOffered = canCreate(object) && field.editable && me.viewing === undefined;
  const create = (days: Span) =>
    openCreation({
      type: object.object_type,
      preset: { ...presetOf(object, view.where), ...valuesOfSpan(object, field, days) },
      onCreated: () => undefined,
    });
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const from = emptyDay(event.target);
    // A finger scrolls.
    if (!isOffered || from === undefined || event.button !== 0 || event.pointerType === 'touch')
      return;
    const ending = new AbortController();
    let days: Span | undefined;
    const show = (next: Span | undefined) => {
      days = next;
      setSpan(next);
    };
    const end = () => {
      ending.abort();
      setSpan(undefined);
    };
    const { signal } = ending;
    window.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        const to = dayAt(document.elementFromPoint(clientX, clientY));
        if (to !== undefined && (days !== undefined || to !== from)) show({ from, to });
      },
      { signal },
    );
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
    window.addEventListener(
      'pointerup',
      () => {
        end();
        if (days !== undefined) create(days);
      },
      { signal },
    );
  };
  const onDoubleClick = ({ target }: { readonly target: EventTarget }) => {
    const day = emptyDay(target);
    if (isOffered && day !== undefined) create({ from: day, to: day });
  };
  return { span, handlers: { onPointerDown, onDoubleClick } };
}

function dayAt(target: EventTarget | null): string | undefined {
  return (target as Element | null)?.closest<HTMLElement>('[data-day]')?.dataset.day;
}

/** The day of a place that has no record, button or link. */
function emptyDay(target: EventTarget): string | undefined {
  return (target as Element).closest('a, button, li') === null ? dayAt(target) : undefined;
}
