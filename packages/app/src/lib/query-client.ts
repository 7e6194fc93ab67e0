// Where answers of the server are kept. The client repeats what is worth repeating, so nothing is repeated here.

import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // A call that fails without a network says so; waiting in silence would say nothing.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
