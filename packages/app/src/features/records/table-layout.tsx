// The records of a question as a table, or as one for each value of a field.

import { groupFields } from '../../lib/groups.ts';
import { later } from '../../lib/later.tsx';
import type { LayoutProps } from '../../lib/record-layout.ts';
import { TableOf } from './table-of.tsx';

const GroupedTable = later(() => import('./groups/grouped-table.tsx'));

export function TableLayout(props: LayoutProps) {
  const { object, view } = props;
  const by = groupFields(object.fields).find(({ key }) => key === view.group);
  if (by !== undefined) return <GroupedTable {...props} by={by} />;
  return <TableOf {...props} where={view.where} />;
}
