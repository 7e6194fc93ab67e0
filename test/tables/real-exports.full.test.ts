// Files in the shape of the exports of other systems, with invented people: their rows are those that the reader of Python
// finds, their encodings and headers are found, and each column has a type that keeps its values.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Encoding } from '../../packages/tables/src/encoding-names.ts';
import { readTable } from '../../packages/tables/src/reading.ts';
import { encoded } from './encoded.ts';

interface Export {
  readonly name: string;
  readonly text: string;
  readonly encoding?: Encoding;
  readonly skipLines?: number;
  readonly delimiter?: string;
  readonly types: Readonly<Record<string, string>>;
}

const EXPORTS: readonly Export[] = [
  {
    name: 'HubSpot contacts',
    text: 'Record ID,First Name,Last Name,Email,Phone Number,Create Date,Lead Status\r\n20512345678,Ann,Lee,ann@lee.example,+1 555 0100 22,2023-09-08 00:33,New\r\n20512345679,Bo,Ray,bo@ray.example,,2023-09-09 11:05,Open\r\n',
    types: {
      'Record ID': 'text',
      Email: 'email',
      'Phone Number': 'phone',
      'Create Date': 'datetime',
    },
  },
  {
    name: 'Salesforce opportunities',
    text: '"Id","AccountId","Name","StageName","Amount","CloseDate","IsWon"\n"006Dn00000AbCdEIAV","001Dn00000XyZ12IAF","Rope, 20 m","Closed Won","1200.5","2026-01-31","true"\n"006Dn00000AbCdFIAV","","Net ""large""","Prospecting","","2026-02-28","false"\n',
    types: { Id: 'text', Amount: 'number', CloseDate: 'date', IsWon: 'boolean' },
  },
  {
    name: 'Salesforce report',
    text: 'Account Name,Amount,Owner\nAcme,"1,200.00",Ann\nBolt,"12,000.50",Bo\nGrand Totals,"13,200.50"\n"Confidential Information - Do Not Distribute"\n"Copyright (c) 2000-2026 example.com, inc. All rights reserved."\n',
    types: { 'Account Name': 'text', Amount: 'number' },
  },
  {
    name: 'Pipedrive deals',
    text: 'Deal - Title;Deal - Value;Deal - Currency of Value;Deal - Deal created\nRope;1.200,50;EUR;2026-05-01 08:00:00\nNet;7,25;EUR;2026-05-02 09:30:00\n',
    delimiter: ';',
    types: { 'Deal - Value': 'number', 'Deal - Deal created': 'datetime' },
  },
  {
    name: 'Airtable',
    text: '\uFEFFName,Notes,Tags,Due date,Done\nRope,"first line\nsecond line",,9/8/2026,checked\nNet,,,9/30/2026,\n',
    types: { Notes: 'long_text', 'Due date': 'date', Done: 'boolean' },
  },
  {
    name: 'Notion',
    text: '\uFEFFName,Created,Status\nRope,"September 8, 2023 12:33 AM",Doing\nNet,"October 12, 2023 1:05 PM",Done\n',
    types: { Created: 'datetime' },
  },
  {
    name: 'Jira',
    text: 'Summary,Issue key,Issue id,Labels,Labels,Labels,Created\nRope breaks,SEA-1,10001,urgent,gear,,08/Sep/23 12:33 AM\nNet floats,SEA-2,10002,gear,,,09/Sep/23 1:05 PM\n',
    types: { 'Issue id': 'text', 'Issue key': 'text', 'Labels (3)': 'text', Created: 'datetime' },
  },
  {
    name: 'a bank statement',
    encoding: 'windows-1252',
    text: 'Umsätze Girokonto;DE00 1234 5678;;\nZeitraum;01.05.2026 - 31.05.2026;;\n\nBuchung;Empfänger;Betrag;Saldo\n02.05.2026;Bäckerei Müller;-4,80 €;1.195,20 €\n03.05.2026;Größe & Söhne;1.200,00 €;2.395,20 €\n',
    delimiter: ';',
    skipLines: 3,
    types: { Buchung: 'date', Betrag: 'currency', Saldo: 'currency' },
  },
  {
    name: 'contacts of a network',
    text: 'Notes:\n"When exporting your connection data, you may notice that some addresses are missing."\n\nFirst Name,Last Name,URL,Connected On\nAnn,Lee,https://network.example/in/ann,08 Sep 2023\nBo,Ray,https://network.example/in/bo,31 Aug 2023\n',
    skipLines: 3,
    types: { URL: 'url', 'Connected On': 'date' },
  },
  {
    name: 'orders of a shop',
    text: "Name,Email,Billing Zip,Billing Phone,Total,Lineitem sku,Barcode\n#1001,ann@lee.example,'02134,'+15550100,12.50,00123,4006381333931\n#1002,bo@ray.example,'10001,'0314123456,7.00,A-7,9780306406157\n",
    types: {
      'Billing Zip': 'text',
      'Billing Phone': 'phone',
      Total: 'number',
      'Lineitem sku': 'text',
      Barcode: 'text',
    },
  },
  {
    name: 'payments',
    text: 'id,Created (UTC),Amount,Currency,Card Last4\nch_1,2023-09-08 00:33,12.50,eur,0042\nch_2,2023-09-08 23:59,7.00,usd,4242\n',
    types: { 'Created (UTC)': 'datetime', 'Card Last4': 'text', Amount: 'number' },
  },
  {
    name: 'a sheet of a Japanese spreadsheet',
    encoding: 'shift_jis',
    text: '氏名,会社,電話番号\r\n山田太郎,株式会社サンプル,0312345678\r\n鈴木はなこ,テスト工業,0612345678\r\n',
    types: { 電話番号: 'text' },
  },
  {
    name: 'a sheet of a Polish spreadsheet',
    encoding: 'windows-1250',
    text: 'Imię;Miasto;Kod\r\nZbigniew Wójcik;Łódź;90-001\r\nGrażyna Żółć;Kraków;30-002\r\n',
    delimiter: ';',
    types: { Kod: 'text' },
  },
];

const PYTHON = `
import csv, io, json, sys
encoding, delimiter, skip = sys.argv[1:4]
text = sys.stdin.buffer.read().decode(encoding).lstrip('\\ufeff')
lines = io.StringIO(text, newline='')
for _ in range(int(skip)): lines.readline()
rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter) if any(row)]
print(json.dumps(rows))
`;

async function* once(bytes: Uint8Array) {
  yield bytes;
}

test.each(EXPORTS)('$name', async ({ text, encoding = 'utf-8', types, ...layout }) => {
  const { skipLines = 0, delimiter = ',' } = layout;
  const bytes = encoded(text, encoding);
  const bounds = { columns: 100, cells: 1000, length: 100_000 };
  const table = await readTable(() => once(bytes), {}, { bounds, today: new Date() });
  expect(table).toMatchObject({ encoding, delimiter, skipLines });
  const args = ['-c', PYTHON, encoding, delimiter, String(skipLines)];
  const [header = [], ...rows] = JSON.parse(
    execFileSync('python3', args, { input: bytes, encoding: 'utf8' }),
  ) as string[][];
  const whole = rows.filter((row) => row.length === header.length);
  expect(table.sample).toEqual(
    whole.map((row) => row.map((cell) => cell.replace(/^'(?=[+\d][\d\s]*$)/, ''))),
  );
  expect(table.uneven.count).toBe(rows.length - whole.length);
  const guessed = Object.fromEntries(
    table.headings.map((heading, index) => [heading, table.guesses[index]?.type]),
  );
  expect(guessed).toMatchObject(types);
});
