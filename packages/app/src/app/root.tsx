// Shows the state of the connection above all pages.

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
