// Reads a file of another form than text with delimiters. The reader of its form is loaded when it is needed.

import { openDecoder } from '../decoder.ts';
import { joinedBytes } from '../joined-bytes.ts';
import { tableFault } from '../table-fault.ts';
import { PACKED_BYTES } from './archive.ts';
import type { Format, FormatBatch, FormatChoices } from './format-rows.ts';
import { recordRows } from './record-rows.ts';

/** Errors: a fault. */
export async function* openFormat(
  format: Format,
  pieces: AsyncIterable<Uint8Array>,
  choices: FormatChoices,
): AsyncGenerator<FormatBatch> {
  const bytes = await joinedBytes(pieces, PACKED_BYTES);
  if (format === 'workbook') {
    const { workbookRows } = await import('./workbook.ts');
    yield* workbookRows(bytes, choices);
    return;
  }
  const decoder = openDecoder(choices.encoding);
  const text = decoder.push(bytes) + decoder.end();
  if (format === 'json') {
    const { jsonRows } = await import('./json-rows.ts');
    yield* jsonRows(text, choices);
    return;
  }
  if (choices.sheet !== undefined) throw tableFault('sheet');
  const { records, leftOut } =
    format === 'cards'
      ? (await import('./card-rows.ts')).cardRecords(text)
      : { records: (await import('./ldif-rows.ts')).ldifRecords(text), leftOut: [] };
  for (const rows of recordRows(records, choices)) yield { sheets: [], leftOut, rows };
}
