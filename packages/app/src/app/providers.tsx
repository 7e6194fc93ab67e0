// The providers of all pages: the theme, the cache of answers, notes, the router.

import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { later } from '../lib/later.tsx';
import { queryClient } from '../lib/query-client.ts';
import { theme } from '../ui/theme.ts';
import { useToastsWanted } from '../ui/toast.ts';
import { router } from './router.tsx';

const Toasts = later(() => import('../ui/toasts.tsx'));

/** The key in the local storage; first-theme.js reads the same one. */
const colorSchemes = localStorageColorSchemeManager({ key: 'wrs.theme' });

/** The service makes one for each page that it sends (src/http/documents/application.ts). */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

function ToastsOnUse() {
  return useToastsWanted() ? <Toasts /> : null;
}

export function Providers() {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ToastsOnUse />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
