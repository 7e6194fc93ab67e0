// The cache of server answers. The client repeats requests where that helps, so this cache does not.

import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { leaveEnded } from './viewing.ts';

// A button is disabled before the second press of a fast double click: a timer, the default, would be too late.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveEnded }),
  mutationCache: new MutationCache({ onError: leaveEnded }),
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // A call that fails without a network reports it; waiting in silence would not.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
