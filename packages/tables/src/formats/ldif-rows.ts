// Entries of LDIF (RFC 2849), as directories and Thunderbird export them, as rows. Values that are not text and passwords
// are left out, as are changes of entries.

import { tableFault } from '../table-fault.ts';
import { addValue } from './contact-columns.ts';

/** Columns that contacts have; other attributes keep their names. */
const COLUMNS: Readonly<Record<string, string | undefined>> = {
  ...{ cn: 'Name', sn: 'Last name', surname: 'Last name', givenname: 'First name' },
  ...{ initials: 'Middle name', mail: 'E-mail', mozillasecondemail: 'E-mail', url: 'URL' },
  ...{
    telephonenumber: 'Telephone',
    homephone: 'Telephone',
    mobile: 'Mobile',
    cellphone: 'Mobile',
  },
  ...{ facsimiletelephonenumber: 'Fax', fax: 'Fax', o: 'Organization', company: 'Organization' },
  ...{ ou: 'Department', department: 'Department', title: 'Title', street: 'Street', l: 'City' },
  ...{ streetaddress: 'Street', locality: 'City', st: 'State', postalcode: 'Postal code' },
  ...{ c: 'Country', countryname: 'Country', postofficebox: 'PO box', description: 'Note' },
  ...{ labeleduri: 'URL', mozillaworkurl: 'URL', mozillanickname: 'Nickname', dn: 'DN' },
};
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['objectclass', 'modifytimestamp', 'userpassword', 'authpassword', 'unicodepwd'],
  ...['sambantpassword', 'sambalmpassword', 'krbprincipalkey'],
]);
/** The first words of blocks in which ldapsearch reports the search itself. */
const OF_SEARCH: ReadonlySet<string> = new Set(['search', 'result', 'ref']);

/** Errors: a fault, with the line. */
export function ldifRecords(text: string): readonly Map<string, string>[] {
  const records: Map<string, string>[] = [];
  /** Null: a block that is not an entry. */
  let record: Map<string, string> | null | undefined;
  for (const [line, content] of logicalLines(text)) {
    if (content === '') {
      record = undefined;
      continue;
    }
    if (record === null) continue;
    const colon = content.indexOf(':');
    if (colon < 1) throw tableFault('ldif', line);
    const [attribute = ''] = content.slice(0, colon).split(';');
    const key = attribute.trim().toLowerCase();
    if (key === 'version' && records.length === 0 && record === undefined) continue;
    if (key === 'changetype') throw tableFault('ldif', line);
    if (record === undefined) {
      if (OF_SEARCH.has(key)) {
        record = null;
        continue;
      }
      if (key !== 'dn' && key !== 'objectclass') throw tableFault('ldif', line);
      record = new Map();
      records.push(record);
    }
    const value = LEFT_OUT.has(key) ? '' : attributeValue(content.slice(colon + 1));
    addValue(record, COLUMNS[key] ?? attribute.trim(), value);
  }
  return records;
}

/** Lines without comments; a line that begins with a space continues the one before, also a comment. */
function* logicalLines(text: string): Generator<readonly [line: number, content: string]> {
  const lines = text.split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const start = at + 1;
    const parts = [lines[at] ?? ''];
    while ((lines[at + 1] ?? '').startsWith(' ')) {
      at += 1;
      parts.push((lines[at] ?? '').slice(1));
    }
    const content = parts.join('');
    if (!content.startsWith('#')) yield [start, content.trimEnd()];
  }
}

/** Behind the first colon: text, `: ` base64, or `< ` the address of the value. */
function attributeValue(written: string): string {
  if (written.startsWith('<')) return written.slice(1).trim();
  if (!written.startsWith(':')) return written.trim();
  try {
    const bytes = Uint8Array.from(atob(written.slice(1).trim()), (one) => one.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}
