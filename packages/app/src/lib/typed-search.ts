// The text of a search field: a search begins after a pause in typing, and the field shows the search of the address when
// something else has changed it, such as going back.

import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

interface TypedSearch {
  readonly text: string;
  /** Call with the text that is typed now, and what to search for. */
  type(text: string, wished?: string): void;
}

/** `pause`: milliseconds without a key before `onChange`. */
export function useTypedSearch(
  q: string,
  pause: number,
  onChange: (q: string) => void,
): TypedSearch {
  const [text, setText] = useState(q);
  const [searched, setSearched] = useState(q);
  const tell = useDebouncedCallback((wished: string) => {
    setSearched(wished);
    onChange(wished);
  }, pause);
  if (q !== searched) {
    setSearched(q);
    setText(q);
  }
  return {
    text,
    type(typed, wished = typed) {
      setText(typed);
      tell(wished);
    },
  };
}
