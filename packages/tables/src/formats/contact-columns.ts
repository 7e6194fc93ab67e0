// The columns of contacts, the same for vCard and LDIF. A value of a column that has one already goes to the next column
// of that name, such as `E-mail (2)`.

import { tableFault } from '../table-fault.ts';

/** Values of a name in one record. */
const MOST_VALUES = 50;

/** Errors: the fault `columns`. */
export function addValue(record: Map<string, string>, column: string, value: string): void {
  if (value.trim() === '') return;
  let name = column;
  for (let next = 2; record.has(name); next += 1) {
    if (next > MOST_VALUES) throw tableFault('columns');
    name = `${column} (${next})`;
  }
  record.set(name, value.trim());
}

/** Columns of a postal address in the order of vCard. */
export const ADDRESS = [
  'PO box',
  'Address line 2',
  'Street',
  'City',
  'State',
  'Postal code',
  'Country',
];
/** Columns of a name in the order of vCard. */
export const NAME_PARTS = ['Last name', 'First name', 'Middle name', 'Prefix', 'Suffix'];
