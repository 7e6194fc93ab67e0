// The open part of the page, in its address: Back closes it.

import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SearchParams } from '../../lib/search-params.ts';

export function useOpen(): (search: SearchParams) => void {
  const navigate = useNavigate();
  return useCallback(
    (search) =>
      void navigate({
        to: '.',
        search,
        replace: Object.keys(search).length === 0,
        resetScroll: false,
      }),
    [navigate],
  );
}
