// What all pages stand on: the theme, the answers of the server, notes, the router.

import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../lib/query-client.ts';
import { theme } from '../ui/theme.ts';
import { router } from './router.tsx';

/** The same place as in first-theme.js. */
const colorSchemes = localStorageColorSchemeManager({ key: 'wrs.theme' });

/** The service makes one for each page that it sends (src/http/application.ts). */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

export function Providers() {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} containerWidth={360} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
