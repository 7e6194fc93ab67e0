// The changes that applying a definition document would make, as data: steps for the database, the data they delete,
// and their requirements. The module of its kind (kinds/) carries out a step. Pure.

import type { ChangeNotice } from './change-notice.ts';
import type { Step } from './kinds/index.ts';

export type Change = Step & ChangeNotice;
