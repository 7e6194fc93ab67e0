// Records of an object that are chosen by typing: Enter takes the first hit for the typed text, or the one that the
// arrows chose. Pressed before the service has answered, it takes the first one of the answer: the options shown
// until then belong to another text.

import type { OptionsFilter } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type OfferedRecord, useOffer } from './offered-records.ts';

/** Milliseconds without a key before the request. */
const PAUSE = 150;

/** `chosen`: the name of the record that is chosen already, which is not a search. */
export function useTypedOffer(type: string, chosen?: string | null) {
  const [text, setText] = useState('');
  const typed = text.trim() === chosen ? '' : text.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { isSearched, isPlaceholderData, ...offer } = useOffer(type, q);
  const isAsking = isSearched && (typed !== q || isPlaceholderData || offer.isPending);
  return {
    ...offer,
    isTyped: typed !== '',
    searching: {
      searchable: true,
      selectFirstOptionOnChange: typed !== '' && !isAsking,
      onSearchChange: setText,
      onKeyDownCapture: useEarlyEnter(typed !== '' && isAsking),
      // The service has searched already. The chosen one, which the list may have in addition, is not a hit.
      ...(isSearched ? { filter: typed === '' ? everyOption : only(offer.offered) } : {}),
    },
  };
}

/** Holds Enter until the answer has arrived, unless another key follows it or the arrows have chosen. */
function useEarlyEnter(isAwaited: boolean) {
  const field = useRef<EventTarget>(null);
  const isByArrows = useRef(false);
  useEffect(() => {
    const pressed = field.current;
    if (isAwaited || pressed === null) return;
    field.current = null;
    // The list and its surroundings get it as any key.
    const enter = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true };
    if (document.activeElement === pressed)
      pressed.dispatchEvent(new KeyboardEvent('keydown', enter));
  }, [isAwaited]);
  return (event: KeyboardEvent) => {
    const isEarly = event.key === 'Enter' && isAwaited && !isByArrows.current;
    field.current = isEarly ? event.target : null;
    isByArrows.current = /^Arrow(?:Down|Up)$/.test(event.key);
    if (!isEarly) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

const everyOption: OptionsFilter = ({ options }) => options;

function only(offered: readonly OfferedRecord[]): OptionsFilter {
  const found = new Set(offered.map(({ value }) => value));
  return ({ options }) => options.filter((option) => 'value' in option && found.has(option.value));
}
