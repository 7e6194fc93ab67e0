// The values that changes of the record have replaced.

import { rowsOfTable } from '../../../sql/write/erase-sql.ts';
import { rowsPlace } from './record-place.ts';

export const historyPlace = rowsPlace('history', (record) => rowsOfTable('_history', record));
