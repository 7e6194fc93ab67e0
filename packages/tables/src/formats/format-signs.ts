// Signs of the form of a file in its first bytes: text with delimiters, a table in another form, or no table. Pure.

import { type TableFault, tableFault } from '../table-fault.ts';
import type { Format } from './format-rows.ts';

/** Signs in the first bytes of files, with their meaning. */
const SIGNS: readonly (readonly [
  says: { readonly format: Format } | { readonly fault: TableFault['fault'] },
  sign: readonly number[] | RegExp,
])[] = [
  [{ format: 'workbook' }, [0x50, 0x4b, 3, 4]],
  // Workbooks of before 2007, those with a password, and letters are compound documents.
  [{ fault: 'old_workbook' }, [0xd0, 0xcf, 0x11, 0xe0]],
  [{ fault: 'document' }, [0x25, 0x50, 0x44, 0x46]],
  [{ fault: 'document' }, /^\s*\{\\rtf/],
  [{ format: 'cards' }, /^\s*BEGIN:VCARD/i],
  [{ fault: 'calendar' }, /^\s*BEGIN:VCALENDAR/i],
  [{ fault: 'page' }, /^\s*(?:<!doctype|<html|<\?xml|<table)/i],
  [{ format: 'json' }, /^\s*[[{]\s*(?:["[{\]}]|-?\d|true|false|null)/],
  // Gammu writes no `dn` for a contact whose name has no parts.
  [{ format: 'ldif' }, /^(?:(?:[ \t#].*|version: *1[ \t]*|)\r?\n)*(?:dn::?|objectclass:) /i],
];

/** The first part of an OpenDocument file says what it is; it is not packed. */
const OPEN_DOCUMENT = /^PK.{28}mimetypeapplication\/vnd\.oasis/s;
/** A few U+0000 in a text are faults of their rows. */
const MOST_NULS = 5;

/** The form of a table that is not text with delimiters. Errors: a fault, for a file that is no table. */
export function formatIn(start: Uint8Array, text: string): Format | undefined {
  const [says] =
    SIGNS.find(([, sign]) =>
      sign instanceof RegExp ? sign.test(text) : sign.every((byte, at) => start[at] === byte),
    ) ?? [];
  if (says === undefined) {
    const beginning = text.slice(0, 1000);
    const isBinary = beginning.split('\0').length > MOST_NULS + beginning.length / 20;
    if (isBinary) throw tableFault('binary');
    return undefined;
  }
  if ('fault' in says) throw tableFault(says.fault);
  if (OPEN_DOCUMENT.test(String.fromCharCode(...start.subarray(0, 100))))
    throw tableFault('open_document');
  return says.format;
}
