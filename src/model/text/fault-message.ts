// The fault of a file in words. Pure.

import type { TableFault } from '../../../packages/tables/src/table-fault.ts';
import { LIMITS } from '../../limits.ts';
import { type Message, say } from '../../messages/message.ts';

/** A part of a sentence, without its line. */
export const FAULT_MESSAGES: Readonly<Record<TableFault['fault'], Message>> = Object.freeze({
  quote: say('file_quote'),
  quotes: say('file_quotes'),
  cells: say('file_cells', { most: LIMITS.importCells }),
  length: say('file_length', { most: LIMITS.batchBodyBytes }),
  columns: say('file_columns', { most: LIMITS.importColumns }),
  encoding: say('file_encoding'),
  empty: say('file_without_rows'),
  large: say('file_large'),
  sheet: say('file_sheet'),
  workbook: say('file_workbook'),
  old_workbook: say('file_old_workbook'),
  open_document: say('file_open_document'),
  json: say('file_json'),
  cards: say('file_cards'),
  ldif: say('file_ldif'),
  document: say('file_document'),
  calendar: say('file_calendar'),
  page: say('file_page'),
  binary: say('file_binary'),
});
