// The question about two changes of one field, read when the first such question comes.

import { later } from '../lib/later.tsx';

export const LaterConflictDialog = later(() => import('./conflict-dialog.tsx'));
