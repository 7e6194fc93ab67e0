// The place of the dialog for a new record, above every page.

import { lazy, Suspense, useEffect } from 'react';
import { closeCreation, useCreation } from './creation.ts';

const CreationDialog = lazy(() => import('./creation-dialog.tsx'));

export function CreationHost() {
  const request = useCreation();
  useEffect(() => closeCreation, []);
  if (request === undefined) return null;
  return (
    <Suspense>
      <CreationDialog key={request.type} request={request} onClose={closeCreation} />
    </Suspense>
  );
}
