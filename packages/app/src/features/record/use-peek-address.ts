// The address of a list with a record beside it. Opening adds to the history, so that Back closes it; stepping from
// record to record does not.

import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { splitPeek, withPeek } from '../../lib/peek.ts';
import type { SearchParams } from '../../lib/search-params.ts';

interface PeekAddress {
  show(id: string): void;
  close(): void;
}

export function usePeekAddress(peek: string | undefined): PeekAddress {
  const navigate = useNavigate({ from: '/$workspace/o/$type' });
  const router = useRouter();
  /** Opened here: the entry before this one is the list alone. */
  const isOpened = useRef(false);
  const put = (id: string | undefined, replace: boolean) =>
    void navigate({
      search: (search: SearchParams) => withPeek(splitPeek(search).list, id),
      replace,
    });
  return {
    show(id) {
      if (id === peek) return;
      if (peek === undefined) isOpened.current = true;
      put(id, peek !== undefined);
    },
    close() {
      if (isOpened.current) router.history.back();
      else put(undefined, true);
      isOpened.current = false;
    },
  };
}
