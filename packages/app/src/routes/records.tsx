import { lazy } from 'react';
import { RecordsPage } from '../features/records/records-page.tsx';
import type { Layouts } from '../lib/record-layout.ts';

/** Others than the table, by their names in the address; each comes when it is wanted. */
const LAYOUTS: Layouts = { board: lazy(() => import('../features/board/board-layout.tsx')) };

export default function RecordsRoute() {
  return <RecordsPage layouts={LAYOUTS} />;
}
