// The search index. A delete removes the rows of its record; here are those of a record that is not in the table.

import { searchRowsOf } from '../../../sql/write/erase-sql.ts';
import { rowsPlace } from './record-place.ts';

export const searchPlace = rowsPlace('search', searchRowsOf);
