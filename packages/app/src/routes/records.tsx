import { PeekHost } from '../features/record/peek-host.tsx';
import { RecordsPage } from '../features/records/records-page.tsx';
import { later } from '../lib/later.tsx';
import type { Layouts } from '../lib/record-layout.ts';

/** The layouts besides the table, by their names in the address; each is loaded on first use. */
const LAYOUTS: Layouts = {
  board: later(() => import('../features/board/board-layout.tsx')),
  calendar: later(() => import('../features/calendar/calendar-layout.tsx')),
};
const PeekedRecord = later(() => import('./peeked-record.tsx'));

export default function RecordsRoute() {
  return (
    <PeekHost Panel={PeekedRecord}>
      <RecordsPage layouts={LAYOUTS} />
    </PeekHost>
  );
}
