// Filter und Reihenfolge von Listen, und wie sie gezeigt werden.

import type { filters as english } from '../en/filters.ts';
import type { Translated } from '../translated.ts';

export const filters: Translated<typeof english> = {
  'layout.label': 'Zeigen als',
  'layout.table': 'Tabelle',
  'layout.board': 'Tafel',
};
