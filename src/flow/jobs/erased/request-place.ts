// Status requests for the record, with their comments and decisions.

import { rowsOfRecord } from '../../../sql/write/erase-sql.ts';
import { rowsPlace } from './record-place.ts';

export const requestPlace = rowsPlace('status_requests', (record) =>
  rowsOfRecord('_status_requests', record),
);
