// What applying a definition document would change, as data: steps the database has to take, what
// they lose, and what must hold before them. What a step does is in the module of its kind (kinds/). Pure.

import type { ChangeNotice } from './change-notice.ts';
import type { Step } from './kinds/index.ts';

export type Change = Step & ChangeNotice;
