// The comment that the address names, such as that of a mention: brought into view when it has come, and marked.

import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Pages that are read in search of it. */
const MOST_PAGES = 5;

interface Comments {
  readonly ids: readonly string[];
  readonly pages: number;
  /** Undefined: there are no earlier ones, or they are being read. */
  readonly readEarlier: (() => unknown) | undefined;
}

export function commentAnchor(id: string): string {
  return `comment-${id}`;
}

export function useLinkedComment({ ids, pages, readEarlier }: Comments): void {
  const hash = useLocation({ select: (location) => location.hash });
  const isThere = ids.some((id) => commentAnchor(id) === hash);
  useEffect(() => {
    if (!isThere) return;
    const element = document.getElementById(hash);
    element?.scrollIntoView({ block: 'center' });
    element?.focus({ preventScroll: true });
  }, [isThere, hash]);
  const isWanted = hash.startsWith(commentAnchor('')) && !isThere && pages < MOST_PAGES;
  useEffect(() => {
    if (isWanted) readEarlier?.();
  }, [isWanted, readEarlier]);
}
