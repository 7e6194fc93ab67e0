// Why a file cannot be read as a table. A plain error with a cause: workers of a browser pass no classes on.

const FAULTS = [
  ...['quote', 'quotes', 'cells', 'length', 'columns', 'encoding', 'empty', 'large', 'sheet'],
  ...['workbook', 'old_workbook', 'open_document', 'json', 'cards', 'ldif'],
  ...['document', 'calendar', 'page', 'binary'],
] as const;

export interface TableFault {
  /**
   * `quote`: a quotation mark is never closed; `quotes`: text follows a closed one; `cells`, `length` and `columns`: more
   * than a row may have; `sheet`: the file has no sheet or list of this name; the others: the file is no table, or a
   * damaged one.
   */
  readonly fault: (typeof FAULTS)[number];
  /** From 1; 0: the file as a whole. */
  readonly line: number;
}

export function tableFault(fault: TableFault['fault'], line = 0): Error {
  return new Error(`the file cannot be read: ${fault}`, { cause: { fault, line } });
}

/** Undefined: another error. */
export function faultOf(error: unknown): TableFault | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const isFault = typeof cause === 'object' && cause !== null && 'fault' in cause;
  return isFault ? (cause as TableFault) : undefined;
}
