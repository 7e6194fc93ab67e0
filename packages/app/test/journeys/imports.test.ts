// A file is imported by hand: its columns are matched, problems are seen before and corrected afterwards; lists are
// exported; people without the right are offered no import.

import { buffer as bytesFrom, text as textFrom } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exporting } from '../../../../src/export/export-job.ts';
import { exportingWorkspaces } from '../../../../src/export/workspace-export-job.ts';
import { openFileStore } from '../../../../src/files/file-store.ts';
import { type JobRunner, startJobs } from '../../../../src/flow/jobs/job-runner.ts';
import { importing } from '../../../../src/import/import-job.ts';
import { sentFile } from '../../../../test/api/job-world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld, visit } from '../browser-world.ts';
import { longTest } from '../long.ts';

let app: BrowserWorld;
let jobs: JobRunner;

beforeAll(async () => {
  app = await openBrowserWorld();
  const { db, listeners } = app.world.database;
  const making = { store: openFileStore(app.world.config), release: '1.2.3' };
  const kinds = [importing(db), exporting(db), exportingWorkspaces(db, making)];
  jobs = await startJobs({ db, listeners, kinds, onError: console.error });
});
afterAll(async () => {
  await jobs?.stop();
  await app?.close();
});
beforeEach(async () => {
  await app.world.database.rows('truncate ws_acme.companies, ws_acme.deals cascade');
});

const choose = (page: Page, name: string, text: string | Buffer) =>
  page.locator('input[type=file]').setInputFiles({
    ...{ name, mimeType: 'text/csv', buffer: Buffer.from(text) },
  });
const fieldOf = (page: Page, heading: string) =>
  page.getByRole('combobox', { name: `Field for ${heading}`, exact: true });
/** Of a browser that is reached over a socket. */
const textOf = async (file: Download) => textFrom(await file.createReadStream());
const names = async () =>
  (await app.world.rows('select name from companies order by name')).map(({ name }) => name);

const COMPANIES = [
  'Company name;Tier;Revenue;Founded',
  'Acme;Gold;1.200,50;31.01.1999',
  'Bolt;silver;7,25;01.02.2003',
  'Cord;Platinum;many;05.06.2003',
].join('\r\n');

test('columns are matched, problems are seen in their cells, corrected after the import, and imported again', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Import…' }).click();
  await page.getByRole('heading', { name: 'Import into Companies', level: 1 }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await choose(page, 'companies.csv', Buffer.from(COMPANIES, 'latin1'));
  await page.getByText('4 of 4 columns matched, 3 rows').waitFor();
  expect(await fieldOf(page, 'Company name').inputValue()).toBe('name');
  await page.getByRole('combobox', { name: 'Option for “Platinum”' }).selectOption({
    label: 'Leave empty',
  });
  await page.reload();
  await page.getByRole('button', { name: '2 values matched' }).click();
  const option = page.getByRole('combobox', { name: 'Option for “Platinum”' });
  expect(await option.inputValue()).toBe('empty');
  expect(await axeFindings(page, 'both')).toEqual([]);

  await page.getByRole('button', { name: 'Check 3 rows' }).click();
  const rows = page.getByRole('region', { name: 'Rows with problems' });
  await rows.getByText('The value must be a number.').first().waitFor();
  await rows.getByRole('cell', { name: /^many/ }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  expect(await names()).toEqual([]);
  await page.getByRole('button', { name: 'Import them without these values' }).click();
  await page.getByText(/^1 value of revenue .* is not imported: many$/).waitFor();
  await page.getByRole('button', { name: 'Import 3 rows' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Leave these rows out' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();

  await page.waitForURL(/\/jobs\//);
  const cell = page.getByRole('textbox', { name: 'Revenue, line 4' });
  await cell.waitFor();
  expect(await cell.getAttribute('aria-invalid')).toBe('true');
  expect(await names()).toEqual(['Acme', 'Bolt']);
  const [acme] = await app.world.rows(
    'select tier, revenue::text, founded::text from companies where name = $1',
    ['Acme'],
  );
  expect(acme).toEqual({ tier: 'gold', revenue: '1200.5', founded: '1999-01-31' });
  expect(await axeFindings(page, 'both')).toEqual([]);
  await cell.fill('12,5');
  const before = page.url();
  await page.getByRole('button', { name: 'Import 1 row again' }).click();
  await page.waitForURL((url) => url.href !== before);
  await page.getByText('Done', { exact: true }).waitFor();
  await expect.poll(names).toEqual(['Acme', 'Bolt', 'Cord']);
  await page.getByRole('link', { name: 'All jobs' }).click();
  await page
    .getByRole('list', { name: 'Jobs' })
    .getByRole('link', { name: 'Import into Companies' })
    .first()
    .waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});

test('an object is made of a file, named by its column of names, and asked how its numbers are read', async () => {
  const page = await app.as('ada', { width: 390 });
  await page.goto(`${app.address}/settings/model`);
  await page.getByRole('button', { name: 'New object from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'New object from a file' });
  const rows = 'Kunden-Nr;Firma;Umsatz\nK-1001;Acme;1.000\nK-1002;Bolt;2.500\n';
  await dialog.locator('input[type=file]').setInputFiles({
    ...{ name: 'umsatz.csv', mimeType: 'text/csv', buffer: Buffer.from(`Report\n\n${rows}`) },
  });
  await dialog.getByText('2 lines above the headings are left out.').waitFor();
  await dialog
    .getByText('You choose on the next page how these columns are read: Umsatz')
    .waitFor();
  await dialog.getByText('Acme · Bolt (names its records)').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await dialog.getByRole('button', { name: 'Create and import' }).click();
  await page.getByText('2 lines above the headings are left out.').waitFor();
  const check = page.getByRole('button', { name: 'Check 2 rows' });
  expect(await check.isDisabled()).toBe(true);
  await page.getByText('First choose how these columns are read: Umsatz').waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page
    .getByRole('combobox', { name: 'Number format of Umsatz' })
    .selectOption({ label: '“1.000” is read as 1,000' });
  await check.click();
  await page.getByText('2 lines above the headings are left out.').waitFor();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  const { body } = await app.ada.get('/objects/umsatz/records?sort=firma');
  expect(body.data.map((one: { display: string }) => one.display)).toEqual(['Acme', 'Bolt']);
  const amounts = await app.world.rows('select firma, umsatz from umsatz order by firma');
  expect(amounts).toEqual([
    { firma: 'Acme', umsatz: 1000 },
    { firma: 'Bolt', umsatz: 2500 },
  ]);
});

longTest('the rejected rows of each file of an import are corrected by themselves', async () => {
  const files = [
    {
      file_id: await sentFile(app.world, app.ada, 'name,revenue\nAcme,5\nBolt,many\n'),
      mapping: { object_type: 'companies', columns: { name: 'name', revenue: 'revenue' } },
    },
    {
      file_id: await sentFile(app.world, app.ada, 'deal,sum\nRope,1\nNet,some\nTwine,few\n'),
      mapping: { object_type: 'deals', columns: { deal: 'name', sum: 'amount' } },
    },
  ];
  const { body } = await app.ada.post('/imports', { files });
  const page = await app.as('ada');
  await visit(page, `${app.address}/jobs/${body.data.id}`);
  await page.getByRole('textbox', { name: 'revenue, line 3' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Files of the import' })
    .getByRole('link', { name: '2 rejected' })
    .click();
  await page.waitForURL(/file=2/);
  await page.reload();
  await page.getByText('Amount: The value must be a number.').waitFor();
  expect(await page.getByRole('textbox', { name: 'revenue, line 3' }).count()).toBe(0);
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('textbox', { name: 'sum, line 3' }).fill('7');
  await page.getByRole('textbox', { name: 'sum, line 4' }).fill('8');
  await page.getByRole('button', { name: 'Import 2 rows again' }).click();
  await page.waitForURL((url) => !url.href.includes(body.data.id));
  await page.getByText('Done', { exact: true }).waitFor();
  const deals = await app.world.rows('select name, amount from deals order by name');
  expect(deals.map(({ name }) => name)).toEqual(['Net', 'Rope', 'Twine']);
});

test('rejected JSON lines are downloaded as JSON lines', async () => {
  const text = '{"name":"Acme"}\n{"name":"Bolt","revenue":"many, or few"}\n';
  const file_id = await sentFile(app.world, app.ada, text, 'application/x-ndjson');
  const mapping = { object_type: 'companies' };
  const { body } = await app.ada.post('/imports', { file_id, mapping });
  const page = await app.as('ada');
  await visit(page, `${app.address}/jobs/${body.data.id}`);
  const button = page.getByRole('button', { name: 'Download 1 rejected row' });
  await button.waitFor();
  expect(await page.getByRole('region', { name: 'Rows with problems' }).count()).toBe(0);
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toBe('rows-rejects.jsonl');
  expect(await textOf(download)).toMatch(/^\{"_line":2,.*"revenue":"many, or few"\}\n$/);
});

test('references are looked up, existing records are updated, and required fields are said', async () => {
  await app.make('companies', { name: 'Acme' });
  await app.make('deals', { name: 'Rope', code: 'R1', amount: 5 });
  const page = await app.as('ada', { width: 390 });
  await visit(page, `${app.address}/import/deals`);
  await choose(
    page,
    'deals.csv',
    'Label,Code,Amount,Company\nRope,R1,50,Acme\nTwine,T1,7,Nowhere\n',
  );
  await page.getByText('Required, but no column gives a value: Name').waitFor();
  await page.getByText('1 of 2 looked up were not found, such as Nowhere').waitFor();
  await page.getByRole('combobox', { name: 'When Company is not found' }).selectOption({
    label: 'Not found: leave empty',
  });
  await fieldOf(page, 'Label').selectOption({ label: 'Name (required)' });
  expect(
    await page.getByLabel('A row is an existing record when it has the same').inputValue(),
  ).toBe('code');
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check 2 rows' }).click();
  await page.getByText('All rows can be imported.').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const isWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(isWide).toBe(false);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('Done', { exact: true }).waitFor();
  const found = await app.world.database.rows(
    `select d.name, d.amount::text, c.name as company from ws_acme.deals d
      left join ws_acme.companies c on c.id = d.company_id order by 1`,
  );
  expect(found).toEqual([
    { name: 'Rope', amount: '50', company: 'Acme' },
    { name: 'Twine', amount: '7', company: null },
  ]);
});

longTest(
  'records that a reference names are made of the chosen names, and the rows are checked again',
  async () => {
    await app.make('companies', { name: 'Acme' });
    const page = await app.as('ada', { width: 390 });
    await visit(page, `${app.address}/import/deals`);
    const rows = ['Rope,Acme', 'Net,Bolt', 'Twine,Bolt', 'Cord,=Cord', 'Hook,Akme'];
    await choose(page, 'deals.csv', `Name,Company\n${rows.join('\n')}\n`);
    await page.getByRole('button', { name: 'Check 5 rows' }).click();
    await page
      .getByText('3 values of Company are not names of records, such as Bolt, =Cord, Akme')
      .waitFor();
    await page.getByRole('button', { name: 'Create 3 records in Companies' }).click();
    const dialog = page.getByRole('dialog', { name: 'New records in Companies' });
    await dialog.getByRole('checkbox', { name: 'Akme' }).uncheck();
    expect(await axeFindings(page, 'both')).toEqual([]);
    expect(await names()).toEqual(['Acme']);
    await dialog.getByRole('button', { name: 'Create 2 records in Companies' }).click();
    await page
      .getByText('1 value of Company is not the name of a record: Akme', { exact: false })
      .waitFor();
    expect(await axeFindings(page, 'both')).toEqual([]);
    expect(await names()).toEqual(['=Cord', 'Acme', 'Bolt']);
    await page.getByRole('button', { name: 'Import 4 rows' }).click();
    await page.getByText('Done', { exact: true }).waitFor();
    const found = await app.world.database.rows(
      `select c.name || ': ' || string_agg(d.name, ', ' order by d.name) as deals
      from ws_acme.deals d join ws_acme.companies c on c.id = d.company_id group by c.name order by 1`,
    );
    expect(found.map(({ deals }) => deals)).toEqual([
      '=Cord: Cord',
      'Acme: Rope',
      'Bolt: Net, Twine',
    ]);
  },
);

longTest('an administrator makes the fields that a file has and the object lacks', async () => {
  const page = await app.as('ada');
  await visit(page, `${app.address}/import/boats`);
  await choose(page, 'boats.csv', 'Name,Company,Mast height,Colour\nHope,Acme,12.5,Red\n');
  await page.getByRole('button', { name: 'Create fields' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create fields in Boats' });
  await dialog.getByRole('combobox', { name: 'Type of the field for Mast height' }).waitFor();
  expect(
    await dialog.getByRole('combobox', { name: 'Type of the field for Mast height' }).inputValue(),
  ).toBe('number');
  await dialog.getByRole('combobox', { name: 'Type of the field for Colour' }).selectOption({
    label: 'Select',
  });
  expect(await axeFindings(page, 'both')).toEqual([]);
  await dialog.getByRole('button', { name: 'Create 2 fields' }).click();
  await page.getByText('4 of 4 columns matched').waitFor();
  expect(await fieldOf(page, 'Mast height').inputValue()).toBe('mast_height');
});

longTest(
  'a word that a field lacks becomes an option, and the rows are checked again',
  async () => {
    const page = await app.as('ada');
    await visit(page, `${app.address}/import/companies`);
    await choose(page, 'tiers.csv', 'Name,Tier\nAcme,gold\nBolt,Bronze II\n');
    await page.getByRole('button', { name: 'Check 2 rows' }).click();
    await page.getByText(/1 value of Tier has no option: Bronze II/i).waitFor();
    expect(await axeFindings(page, 'both')).toEqual([]);
    await page.getByRole('button', { name: 'Create an option' }).click();
    const dialog = page.getByRole('dialog', { name: /New options of Tier/i });
    await dialog
      .getByRole('textbox', { name: 'Name of the option for “Bronze II”' })
      .fill('Bronze');
    expect(await axeFindings(page, 'both')).toEqual([]);
    await dialog.getByRole('button', { name: 'Create 1 option' }).click();
    await page.getByText('All rows can be imported.').waitFor();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.waitForURL(/\/jobs\//);
    await page.getByText('Done', { exact: true }).waitFor();
    const rows = await app.world.rows('select name, tier from companies order by name');
    expect(rows).toEqual([
      { name: 'Acme', tier: 'gold' },
      { name: 'Bolt', tier: 'bronze' },
    ]);
    const { body } = await app.ada.get('/definition');
    expect(body.data.document.objects.companies.fields.tier.options).toEqual([
      { value: 'gold', label: 'Gold' },
      { value: 'silver' },
      { value: 'bronze', label: 'Bronze' },
    ]);
  },
);

longTest(
  'a mapping is saved, used again for another file, and downloaded for the command line',
  async () => {
    const page = await app.as('ada');
    await visit(page, `${app.address}/import/companies`);
    await choose(page, 'first.csv', 'A,B\nAcme,Gold\n');
    await fieldOf(page, 'A').selectOption('name');
    await page.getByRole('button', { name: 'Mapping', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save mapping…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Letters');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'File' }).click();
    await choose(page, 'second.csv', 'A,C\nBolt,x\n');
    expect(await fieldOf(page, 'A').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Mapping', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Letters' }).click();
    await expect.poll(() => fieldOf(page, 'A').inputValue()).toBe('name');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Mapping', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Download for the command line' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('companies.mapping.json');
    expect(JSON.parse(await textOf(file))).toEqual({
      ...{ object_type: 'companies', columns: { A: 'name' } },
    });
  },
);

longTest('the end of the session wipes the chosen file', async () => {
  const page = await app.as('ada');
  await page.goto(`${app.address}/import/companies`);
  await choose(page, 'secret.csv', 'Name\nSecret\n');
  await page.getByText('1 of 1 columns matched, 1 row').waitFor();
  const kept = () =>
    page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  await expect.poll(kept, { timeout: 5000 }).toEqual(['wrs.files']);
  await page.getByRole('button', { name: 'Settings of Ada' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expect.poll(kept, { timeout: 5000 }).toEqual([]);
});

test('files that cannot be read are refused with the reason', async () => {
  const page = await app.as('ada');
  await visit(page, `${app.address}/import/companies`);
  await choose(page, 'book.xlsx', Buffer.from('PK\u0003\u0004…'));
  await page
    .getByText('This is not an Excel workbook that can be read. Save the sheet as .xlsx or CSV.')
    .waitFor();
  await choose(page, 'empty.csv', '');
  await page.getByText('The file is empty.').waitFor();
});

test('a list is exported as it is shown, and the file is that of its job', async () => {
  await app.makeAll('companies', [
    { name: 'Acme', revenue: 1 },
    { name: 'Bolt', revenue: 20 },
    { name: 'Cord', revenue: 30 },
  ]);
  const page = await app.as('mia');
  await page.goto(`${app.address}/o/companies?filter[revenue][gt]=10&sort=-revenue&fields=revenue`);
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('dialog', { name: 'Export Companies' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^companies-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(await textOf(file)).toBe('name,revenue\nCord,30\nBolt,20\n');
  await visit(page, `${app.address}/jobs`);
  await page.getByRole('link', { name: 'Export of Companies' }).click();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
});

test('a contact, and chosen contacts, are downloaded as cards', async () => {
  const [, bolt] = await app.makeAll('contacts', [
    { name: 'Ann', email: 'ann@example.com' },
    { name: 'Bolt', phone: '+49 30 1' },
  ]);
  const page = await app.as('ada');
  const cardsOf = async (name: string) => {
    const download = page.waitForEvent('download');
    await page.getByText(name, { exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^contacts-\d{4}-\d{2}-\d{2}\.vcf$/);
    return [...(await textOf(file)).matchAll(/^(?:FN|EMAIL|TEL):(.*)\r/gm)].map(([, text]) => text);
  };
  await page.goto(`${app.address}/o/contacts/${bolt}`);
  await page.getByRole('button', { name: 'More' }).click();
  expect(await cardsOf('Download contact card')).toEqual(['Bolt', '+49 30 1']);
  await visit(page, `${app.address}/o/contacts`);
  await page.getByRole('checkbox', { name: /Ann/ }).check();
  expect(await cardsOf('Contact cards')).toEqual(['Ann', 'ann@example.com']);
});

longTest(
  'amounts in a text field of an exported Excel file are imported into a field of money',
  async () => {
    await app.makeAll('companies', [
      { name: 'Acme', custom_fields: { note: '€2,500.50' } },
      { name: 'Bolt', custom_fields: { note: '€300' } },
    ]);
    const page = await app.as('ada');
    await page.goto(`${app.address}/o/companies`);
    await page.getByRole('button', { name: 'Import and export' }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    await page.getByRole('radio', { name: 'Excel' }).check();
    await page.getByRole('radio', { name: 'All fields' }).check();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const file = await download;
    const bytes = await bytesFrom(await file.createReadStream());
    await visit(page, `${app.address}/import/companies`);
    await choose(page, file.suggestedFilename(), bytes);
    await fieldOf(page, 'custom_fields.note').selectOption('revenue');
    await page.getByRole('button', { name: 'Check 2 rows' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.waitForURL(/\/jobs\//);
    await page.getByText('Done', { exact: true }).waitFor();
    const rows = await app.world.rows('select name, revenue from companies order by name');
    expect(rows).toEqual([
      { name: 'Acme', revenue: 2500.5 },
      { name: 'Bolt', revenue: 300 },
    ]);
  },
);

test('an administrator exports the workspace, and the file is that of its job', async () => {
  const page = await app.as('ada');
  await visit(page, `${app.address}/jobs`);
  await page.getByRole('button', { name: 'Export the workspace' }).waitFor();
  expect(await axeFindings(page, 'both')).toEqual([]);
  await page.getByRole('button', { name: 'Export the workspace' }).click();
  await page.getByRole('heading', { name: 'Export of the workspace' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^acme-\d{4}-\d{2}-\d{2}\.gz$/);
  const unpacked = (await file.createReadStream()).pipe(createGunzip());
  expect(await textFrom(unpacked)).toContain('"format":"workspace-records export"');
  const other = await app.as('mia');
  await visit(other, `${app.address}/jobs`);
  await other.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  expect(await other.getByRole('button', { name: 'Export the workspace' }).count()).toBe(0);
});

test('people who may not import are offered none', async () => {
  const page = await app.as('mia');
  await page.goto(`${app.address}/o/companies`);
  await page.getByRole('button', { name: 'Import and export' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Import…' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await visit(page, `${app.address}/import/companies`);
  await page.getByText('Only administrators can import').waitFor();
});
