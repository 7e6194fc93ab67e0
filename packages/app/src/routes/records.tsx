import { RecordsPage } from '../features/records/records-page.tsx';
import type { Layouts } from '../lib/record-layout.ts';

/** Others than the table, by their names in the address. */
const LAYOUTS: Layouts = {};

export default function RecordsRoute() {
  return <RecordsPage layouts={LAYOUTS} />;
}
