// Reasons for which bulk changes have refused the record: they may quote its values.

import { refusalsOf } from '../../../control/stored/erased-rows.ts';
import { rowsPlace } from './record-place.ts';

export const refusalPlace = rowsPlace('refusals', refusalsOf);
