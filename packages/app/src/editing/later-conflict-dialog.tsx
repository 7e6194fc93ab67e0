// The question about two changes of one field, read when the first such question comes.

import { lazy, Suspense } from 'react';
import type { ConflictDialogProps } from './conflict-dialog.tsx';

const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}));

export function LaterConflictDialog(props: ConflictDialogProps) {
  return (
    <Suspense>
      <ConflictDialog {...props} />
    </Suspense>
  );
}
