// Contacts as tables: vCard 2.1, 3.0 and 4.0 as phones and address books write them, and LDIF of directories.

import { expect, test } from 'vitest';
import { readTable } from '../../packages/tables/src/reading.ts';
import { faultOf } from '../../packages/tables/src/table-fault.ts';

const BOUNDS = { columns: 2000, cells: 16_384, length: 8 * 1024 * 1024 };

async function recordsIn(content: string | Uint8Array) {
  async function* pieces() {
    yield typeof content === 'string' ? new TextEncoder().encode(content) : content;
  }
  const table = await readTable(pieces, {}, { bounds: BOUNDS, today: new Date('2026-11-28') });
  return table.sample.map((row) =>
    Object.fromEntries(
      row.flatMap((cell, index) => (cell === '' ? [] : [[table.headings[index], cell]])),
    ),
  );
}
const faultIn = (content: string) =>
  recordsIn(content).then(
    () => undefined,
    (error) => faultOf(error)?.fault,
  );
const lines = (...all: readonly string[]) => all.map((line) => `${line}\r\n`).join('');

test('vCard 2.1: quoted-printable with soft line breaks, encodings, bare types, folding that keeps its space', async () => {
  const card = lines(
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96deg=C3=A5rd;Ann;;Dr.;',
    'FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:Ann =D6deg=E5rd',
    'ORG:Example GmbH\\; North;Sales',
    'TEL;CELL;VOICE:+49 151 0000001',
    'TEL;WORK;VOICE:+49 30 0000002',
    'TEL;WORK;FAX:+49 30 0000003',
    'EMAIL;PREF;INTERNET:ann@example.com',
    'ADR;WORK;ENCODING=QUOTED-PRINTABLE:;;Lange Stra=C3=9Fe 1=0D=0A=',
    '=0D=0AHinterhaus;Berlin;;10115;Germany',
    'NOTE;ENCODING=QUOTED-PRINTABLE:100=25 sure=',
    ' of C:\\new',
    'TITLE:Head of',
    ' sales',
    'PHOTO;JPEG;ENCODING=BASE64:',
    ' /9j/4AAQSkZJRgABAQAAAQABAAD/',
    ' 2wBDAAEBAQ==',
    '',
    'AGENT:',
    'BEGIN:VCARD',
    'VERSION:2.1',
    'N:Agent;Cy',
    'END:VCARD',
    'END:VCARD',
  );
  expect(await recordsIn(card)).toEqual([
    {
      ...{ Name: 'Ann Ödegård', 'Last name': 'Ödegård', 'First name': 'Ann', Prefix: 'Dr.' },
      ...{ Organization: 'Example GmbH; North', Department: 'Sales', Title: 'Head of sales' },
      ...{ Mobile: '+49 151 0000001', Telephone: '+49 30 0000002', Fax: '+49 30 0000003' },
      ...{ 'E-mail': 'ann@example.com', Street: 'Lange Straße 1\r\n\r\nHinterhaus' },
      ...{ City: 'Berlin', 'Postal code': '10115', Country: 'Germany' },
      Note: '100% sure of C:\\new',
    },
  ]);
});

test('vCard 3.0 and 4.0: groups, folding within a word, escapes, quoted parameters, addresses, birthdays', async () => {
  const three = lines(
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Lee;Bo;Q.;;',
    'FN:Bo Lee',
    'item1.EMAIL;type=INTERNET:bo@example.com',
    'item2.EMAIL;type=INTERNET,WORK:lee@example.org',
    'NOTE:one\\, two\\nthree\\; fo',
    ' ur \\\\ five',
    'BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-15',
    'CATEGORIES:friends,work',
    'END:VCARD',
  );
  const four = lines(
    'begin:vcard',
    'version:4.0',
    'FN:Cy O"Neil',
    'TEL;VALUE=uri;TYPE="voice,cell":tel:+1-202-555-0100;ext=7',
    'ADR;LABEL="1 Main St; Door: 2":;;1 Main St;Springfield;IL;00001;USA',
    'BDAY:19700315',
    'URL:https://example.com/?a=b;c',
    'END:VCARD',
  );
  const [bo, cy] = await recordsIn(three + four);
  expect(bo).toEqual({
    ...{ 'Last name': 'Lee', 'First name': 'Bo', 'Middle name': 'Q.', Name: 'Bo Lee' },
    ...{ 'E-mail': 'bo@example.com', 'E-mail (2)': 'lee@example.org', Birthday: '--03-15' },
    ...{ Note: 'one, two\nthree; four \\ five', Categories: 'friends,work' },
  });
  expect(cy).toEqual({
    ...{ Name: 'Cy O"Neil', Mobile: '+1-202-555-0100', Street: '1 Main St' },
    ...{ City: 'Springfield', State: 'IL', 'Postal code': '00001', Country: 'USA' },
    ...{ Birthday: '1970-03-15', URL: 'https://example.com/?a=b;c' },
  });
  expect(await faultIn(three.slice(0, -20))).toBe('cards');
  const many = `BEGIN:VCARD\n${'TEL:1\n'.repeat(51)}END:VCARD\n`;
  expect(await faultIn(many)).toBe('columns');
});

test('LDIF: folded lines and comments, base64, values that occur several times; passwords are left out', async () => {
  const text = lines(
    'version: 1',
    '# A comment that is',
    '  folded: it is not an attribute',
    'dn: cn=Ann Example,mail=ann@example.com',
    'objectclass: top',
    'objectclass: person',
    'cn:: QW5uIMOWZGVnw6VyZA==',
    'givenName: Ann',
    'sn;lang-sv:: w5ZkZWfDpXJk',
    'mail: ann@example.com',
    'mail: ann@example.org',
    'telephoneNumber: +49 30',
    '  0000002',
    'userPassword:: c2VjcmV0',
    'sambaNTPassword: 8846F7EAEE8FB117AD06BDD830B7586C',
    'sambaLMPassword: E52CAC67419A9A224A3B108F3FA6CB6D',
    'authPassword: SCRYPT$ln=1$c2FsdA==$c2VjcmV0',
    'unicodePwd: secret',
    'krbPrincipalKey: secret',
    'jpegPhoto:: /9j/4AAQSkZJRg==',
    'custom1: kept',
    '',
    'dn:: Y249Qm8=',
    'cn: Bo',
    'labeledURI: https://example.com/bo',
  );
  expect(await recordsIn(text)).toEqual([
    {
      ...{ DN: 'cn=Ann Example,mail=ann@example.com', Name: 'Ann Ödegård', 'First name': 'Ann' },
      ...{ 'Last name': 'Ödegård', 'E-mail': 'ann@example.com', custom1: 'kept' },
      ...{ 'E-mail (2)': 'ann@example.org', Telephone: '+49 30 0000002' },
    },
    { DN: 'cn=Bo', Name: 'Bo', URL: 'https://example.com/bo' },
  ]);
  const unnamed = lines('objectclass: top', 'objectclass: person', 'cn: Ann', '');
  expect(await recordsIn(unnamed + unnamed)).toEqual([{ Name: 'Ann' }, { Name: 'Ann' }]);
  const change = lines('dn: cn=Bo', 'changetype: modify', 'replace: mail', 'mail: x@example.com');
  expect(await faultIn(change)).toBe('ldif');
  expect(await faultIn(lines('dn: cn=Bo', 'no colon'))).toBe('ldif');
});

test('LDIF of ldapsearch: its notes, references and the result of the search are no entries', async () => {
  const text = lines(
    ...['# extended LDIF', '#', '# LDAPv3', '# base <dc=example,dc=com> with scope subtree'],
    ...['# filter: (objectclass=person)', '# requesting: ALL', '#', ''],
    ...['# ann, example.com', 'dn: cn=ann,dc=example,dc=com', 'cn: Ann', 'search: x', ''],
    ...['# search reference', 'ref: ldap://other.example/dc=other??sub', ''],
    ...['# bo, example.com', 'dn: cn=bo,dc=example,dc=com', 'cn: Bo', ''],
    ...['# search result', 'search: 2', 'result: 4 Size limit exceeded', ''],
    ...['# numResponses: 4', '# numEntries: 2', '# numReferences: 1'],
  );
  expect(await recordsIn(text)).toEqual([
    { DN: 'cn=ann,dc=example,dc=com', Name: 'Ann', search: 'x' },
    { DN: 'cn=bo,dc=example,dc=com', Name: 'Bo' },
  ]);
});
