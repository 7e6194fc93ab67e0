// Above all pages: what the state of the connection is.

import { Outlet } from '@tanstack/react-router';
import { StatusBanner } from './status-banner.tsx';

export function Root() {
  return (
    <>
      <StatusBanner />
      <Outlet />
    </>
  );
}
