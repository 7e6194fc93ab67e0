// The trash, which has the values of the record, its comments and its links as one row.

import { rowsOfTable } from '../../../sql/write/erase-sql.ts';
import { rowsPlace } from './record-place.ts';

export const trashPlace = rowsPlace('trash', (record) => rowsOfTable('_trash', record));
