// Imports into a workspace: the written rows, their author, the effect of a second run, the rejected rows and the
// reasons.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FileImport } from '../../src/import/import-file.ts';
import { wrapDatabase } from '../../src/postgres/db.ts';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from './import-world.ts';

let world: ImportWorld;
let files: TestFiles;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  const { schema } = world.workspace;
  for (const table of ['deals', 'companies', 'prices', '_audit']) {
    await world.own.rows(`delete from "${schema}"."${table}"`);
  }
});

function put(name: string, ...lines: readonly (string | object)[]): string {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return files.put(name, `${text.join('\n')}\n`);
}

const mapping = (content: object) => files.put('m.yaml', JSON.stringify(content));

const counts = (report: object) => {
  const { read, created, updated, unchanged, rejected } = report as Record<string, number>;
  return { read, created, updated, unchanged, rejected };
};

const nothing = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };

/** Rejected rows as [line, field, reason], by line. */
const rejected = () =>
  world.rejections
    .flatMap(({ row, problems }) =>
      problems.map(({ field, reason }) => [row.line, field, reason] as const),
    )
    .sort(([a], [b]) => a - b);

const companies: Partial<FileImport> = { objectType: 'companies' };

describe('written rows', () => {
  test('columns become their namesakes, text the type of its field', async () => {
    const file = put(
      'c.csv',
      'name,size,note,labels,listed,extra',
      'Acme,12,hello,a;b,yes,"{""x"": [1]}"',
      'Blue,,,,,',
    );
    expect(counts(await world.run(file, companies))).toEqual({ ...nothing, read: 2, created: 2 });
    expect(await world.table('companies')).toMatchObject([
      {
        name: 'Acme',
        size: 12,
        labels: ['a', 'b'],
        listed: true,
        extra: { x: [1] },
        custom_fields: { note: 'hello' },
        version: 1,
      },
      { name: 'Blue', size: null, labels: null, listed: null, extra: null, custom_fields: {} },
    ]);
  });

  test('a row without any value makes no record and is counted', async () => {
    const file = put('blank.csv', 'name,size,', 'A,1,', ',,', ' ,,', 'B,2');
    const report = await world.run(file, companies);
    expect(report).toMatchObject({ read: 4, created: 2, rejected: 0, blank: 2 });
    const lines = put('blank.jsonl', '{"name":"C"}', '{}', '{"name":null}');
    expect(await world.run(lines, companies)).toMatchObject({ created: 1, blank: 2 });
    const constants = {
      object_type: 'companies',
      columns: { size: 'size' },
      fields: { name: { constant: 'D' } },
    };
    const made = await world.run(put('d.csv', 'size,x', '1,', ',', ',2'), {
      mapping: mapping(constants),
    });
    expect(made).toMatchObject({ created: 2, blank: 1 });
    expect(await world.table('companies')).toHaveLength(5);
  });

  test('a first line that names the separator', async () => {
    const file = put('sep.csv', 'sep=;', 'name;size', 'A;1');
    expect(await world.run(file, companies)).toMatchObject({ created: 1, rejected: 0 });
    expect(await world.table('companies')).toMatchObject([{ name: 'A', size: 1 }]);
  });

  test('JSON lines keep their types; custom fields may be nested or flat', async () => {
    const file = put(
      'c.jsonl',
      { name: 'Acme', size: 12, labels: ['a'], custom_fields: { note: 'n' } },
      { name: 'Blue', size: '13', note: 'flat', extra: [1, null] },
    );
    expect(counts(await world.run(file, companies))).toMatchObject({ created: 2, rejected: 0 });
    expect(await world.table('companies')).toMatchObject([
      { name: 'Acme', size: 12, labels: ['a'], custom_fields: { note: 'n' } },
      { name: 'Blue', size: 13, extra: [1, null], custom_fields: { note: 'flat' } },
    ]);
  });

  test('status, owner, author and time of creation; the audit row says it was an import', async () => {
    const people = await world.own.rows(`select * from "${world.workspace.schema}"._users`);
    const idOf = (name: string) => people.find((person) => person.name === name)?.id;
    const path = mapping({
      object_type: 'deals',
      columns: {
        name: 'name',
        owner: { field: 'owner_user_id', user: 'name' },
        author: { field: 'created_by_user_id', user: 'email' },
        stage: { field: 'status', values: { Won: 'won' } },
        made: 'created_at',
      },
    });
    const file = put(
      'd.csv',
      'name,owner,author,stage,made',
      'One,Ben,BEN@acme.test,Won,2020-01-02',
      'Two,Ben,,,',
      'Three,,,won,2020-01-02T10:00:00.5+0200',
    );
    const before = Date.now();
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 3, rejected: 0 });
    const [one, two, three] = await world.table('deals');
    const [ben, anna] = [idOf('Ben'), idOf('Anna')];
    expect(one).toMatchObject({
      status: 'won',
      owner_user_id: ben,
      created_by_user_id: ben,
      created_at: '2020-01-02T00:00:00.000Z',
    });
    expect(two).toMatchObject({ status: 'open', owner_user_id: ben, created_by_user_id: anna });
    expect(Date.parse(String(two?.created_at))).toBeGreaterThan(before - 5000);
    expect(three).toMatchObject({ owner_user_id: null, created_at: '2020-01-02T08:00:00.500Z' });
    expect(await world.table('_audit')).toMatchObject(
      [one, two, three].map((deal) => ({
        source: 'import',
        user_id: anna,
        api_key_id: null,
        object_type: 'deals',
        action: 'create',
        record_id: deal?.id,
      })),
    );
  });

  test('read-only fields and objects the API does not write are for imports', async () => {
    const deals = put('d.csv', 'name,code', 'One,X1');
    await world.run(deals, { objectType: 'deals', match: ['code'] });
    expect(await world.table('deals')).toMatchObject([{ name: 'One', code: 'X1' }]);
    const prices = put('p.csv', 'item,price', 'nut,1.5');
    for (const created of [1, 0]) {
      const report = await world.run(prices, { objectType: 'prices', match: ['item'] });
      expect(report).toMatchObject({ created, unchanged: 1 - created, rejected: 0 });
    }
  });
});

describe('match keys', () => {
  const matched = { objectType: 'companies', match: ['name'] };

  test('a second run makes no change and leaves no trace', async () => {
    const file = put(
      'c.csv',
      'name,size,note,labels,extra',
      'Acme,1,x,a,"{""b"":1,""a"":2}"',
      'Blue,,,,',
    );
    await world.run(file, matched);
    const first = await world.table('companies');
    const audit = await world.table('_audit');
    const report = await world.run(file, matched);
    expect(counts(report)).toEqual({ ...nothing, read: 2, unchanged: 2 });
    expect(await world.table('companies')).toEqual(first);
    expect(await world.table('_audit')).toEqual(audit);
  });

  test('found records change, empty cells clear, other fields stay', async () => {
    await world.run(put('c.csv', 'name,size,note,listed', 'Acme,1,x,yes', 'Blue,2,y,no'), matched);
    const report = await world.run(put('c.csv', 'name,size,note', 'Acme,5,', 'Cyan,3,z'), matched);
    expect(counts(report)).toEqual({ ...nothing, read: 2, created: 1, updated: 1 });
    expect(await world.table('companies')).toMatchObject([
      { name: 'Acme', size: 5, custom_fields: {}, listed: true, version: 2 },
      { name: 'Blue', size: 2, custom_fields: { note: 'y' }, version: 1 },
      { name: 'Cyan', size: 3 },
    ]);
  });

  test('rows for one record are applied one after the other', async () => {
    const lines = Array.from({ length: 350 }, (_, index) => `Name ${index % 7},${index + 1}`);
    const report = await world.run(put('c.csv', 'name,size', ...lines), matched);
    expect(counts(report)).toEqual({ ...nothing, read: 350, created: 7, updated: 343 });
    const sizes = (await world.table('companies')).map(({ name, size }) => [name, size]);
    expect(new Map(sizes as [string, number][])).toEqual(
      new Map(Array.from({ length: 7 }, (_, index) => [`Name ${index}`, 344 + index])),
    );
  });

  test('a match without a value or with two records is a problem of its row', async () => {
    await world.run(put('c.csv', 'name', 'Twin', 'Twin'), companies);
    const report = await world.run(put('c.csv', 'name,size', ',1', 'Twin,2', 'One,3'), matched);
    expect(counts(report)).toEqual({ ...nothing, read: 3, created: 1, rejected: 2 });
    expect(rejected()).toEqual([
      [2, 'name', 'The value must not be empty, because records are matched by it.'],
      [3, 'match', 'More than one record matches.'],
    ]);
  });

  test('several keys', async () => {
    const two = { objectType: 'companies', match: ['name', 'size'] };
    await world.run(put('c.csv', 'name,size,code', 'Acme,1,a', 'Acme,2,b'), two);
    const report = await world.run(put('c.csv', 'name,size,code', 'Acme,2,c', 'Acme,3,d'), two);
    expect(report).toMatchObject({ created: 1, updated: 1 });
  });
});

describe('rejected rows', () => {
  test('only the bad rows of a batch are left out, each with line, field and reason', async () => {
    const good = Array.from({ length: 250 }, (_, index) => `Good ${index},${index + 1},c${index}`);
    good.splice(10, 0, 'Bad size,many,x1');
    // Not in the batch of the row it repeats: batches run at the same time, and either could be the first.
    good.splice(50, 0, 'Same code,1,c3');
    good.splice(120, 0, ',5,x2');
    good.splice(121, 0, 'Small,0,x3');
    good.push('Short,1');
    const reject = files.path('rejects.csv');
    const report = await world.run(put('c.csv', 'name,size,code', ...good), {
      ...companies,
      rejectFile: reject,
    });
    expect(counts(report)).toEqual({ ...nothing, read: 255, created: 250, rejected: 5 });
    expect(rejected()).toEqual([
      [12, 'size', 'The value must be a number.'],
      [52, 'code', 'Another record has this value already.'],
      [122, 'name', 'The field is required.'],
      [123, 'size', 'The value must be at least 1.'],
      [256, '', 'The row has 2 columns, the header has 3.'],
    ]);
    const [header, ...lines] = files.read('rejects.csv').trimEnd().split('\n');
    expect(header).toBe('_line,_field,_reason,name,size,code');
    expect(lines.sort()).toEqual([
      '12,size,The value must be a number.,Bad size,many,x1',
      '122,name,The field is required.,,5,x2',
      '123,size,The value must be at least 1.,Small,0,x3',
      '256,,"The row has 2 columns, the header has 3.",Short,1',
      '52,code,Another record has this value already.,Same code,1,c3',
    ]);
  });

  test('all problems of a row are reported; the reject file is emptied first', async () => {
    const reject = files.put('rejects.csv', 'from before');
    const file = put('c.jsonl', { name: 'A', size: 'x', labels: ['z'] }, { nam: 'B' }, '{', {
      name: 'D',
      custom_fields: 'note',
    });
    await world.run(file, { ...companies, rejectFile: reject });
    expect(rejected()).toEqual([
      [1, 'size', 'The value must be a number.'],
      [1, 'labels', 'The value must contain only options of the field.'],
      [2, 'nam', 'There is no field of companies "nam"; did you mean "name"?'],
      [3, '', 'The line is not valid JSON.'],
      [4, 'custom_fields', 'The value must be an object.'],
    ]);
    // Its name says another format than that of the rows.
    expect(files.read('rejects.csv')).toMatch(/^line,field,reason,row\n2,/);
    await world.run(put('c.csv', 'name', 'A'), { ...companies, rejectFile: reject });
    expect(files.read('rejects.csv')).toBe('_line,_field,_reason,name\n');
  });

  test('text the database cannot store, values out of range', async () => {
    const file = put('c.jsonl', { name: 'a\u0000b' }, { name: 'A', size: 1e12 }, { name: 'B' });
    expect(await world.run(file, companies)).toMatchObject({ created: 1, rejected: 2 });
  });

  test('people who are not there, have left, or are two', async () => {
    const path = mapping({
      object_type: 'deals',
      columns: {
        name: 'name',
        who: { field: 'contact', user: 'name' },
        mail: { field: 'owner_user_id', user: 'email' },
      },
    });
    const file = put(
      'd.csv',
      'name,who,mail',
      'A,Nobody,ben@acme.test',
      'B,Twin,',
      'C,,gone@acme.test',
      'D, Ben ,',
    );
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 2, rejected: 2 });
    expect(rejected()).toEqual([
      [2, 'contact', 'No person has the name "Nobody".'],
      [3, 'contact', 'More than one person has the name "Twin".'],
    ]);
  });
});

describe('look-ups', () => {
  const deals = {
    object_type: 'deals',
    columns: {
      name: 'name',
      company: { field: 'company_id', lookup: { object_type: 'companies', field: 'name' } },
    },
  };

  test('records are found by value, in few statements', async () => {
    await world.run(put('c.csv', 'name', 'Acme', 'Twin', 'Twin'), companies);
    const rows = Array.from({ length: 300 }, (_, index) => `Deal ${index},Acme`);
    const file = put('d.csv', 'name,company', ...rows, 'E,acme', 'F,Twin', 'G,');
    const path = mapping(deals);
    const before = world.own.stats.statements;
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 301, rejected: 2 });
    expect(world.own.stats.statements - before).toBeLessThan(40);
    expect(rejected()).toEqual([
      [302, 'company_id', 'No Company has the name "acme".'],
      [303, 'company_id', 'More than one Company has the name "Twin".'],
    ]);
    const [acme] = await world.table('companies');
    const found = (await world.table('deals')).filter((deal) => deal.company_id === acme?.id);
    expect(found).toHaveLength(300);
  });

  const tree = {
    object_type: 'companies',
    columns: {
      name: 'name',
      parent: { field: 'parent_id', lookup: { object_type: 'companies', field: 'name' } },
    },
  };
  const parents = async () => {
    const rows = await world.table('companies');
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return Object.fromEntries(
      rows.map(({ name, parent_id }) => [name, names.get(parent_id) ?? null]),
    );
  };

  test.each([['created'], ['matched']])(
    'parents further down in the same file (%s)',
    async (how) => {
      const path = mapping({ ...tree, ...(how === 'matched' ? { match: ['name'] } : {}) });
      const lines = Array.from(
        { length: 250 },
        (_, index) => `N${index},${index === 249 ? '' : `N${index + 1}`}`,
      );
      const report = await world.run(put('t.csv', 'name,parent', ...lines), { mapping: path });
      expect(counts(report)).toEqual({ ...nothing, read: 250, created: 250 });
      expect(await parents()).toEqual(
        Object.fromEntries(
          Array.from({ length: 250 }, (_, index) => [
            `N${index}`,
            index === 249 ? null : `N${index + 1}`,
          ]),
        ),
      );
    },
  );

  test('circles, records that are their own parent, and parents that are nowhere', async () => {
    const path = mapping({ ...tree, match: ['name'] });
    const file = put(
      't.csv',
      'name,parent',
      'A,B',
      'B,A',
      'Self,Self',
      'Lost,Nowhere',
      'Child,Lost',
    );
    const report = await world.run(file, { mapping: path });
    expect(report).toMatchObject({ read: 5, created: 4 });
    expect(await parents()).toEqual({ A: 'B', B: 'A', Self: null, Child: null });
    expect(rejected()).toEqual([
      [4, 'parent_id', 'A record cannot refer to itself.'],
      [5, 'parent_id', 'No Company has the name "Nowhere".'],
      [6, 'parent_id', 'No Company has the name "Lost". The record was written without it.'],
    ]);
    const again = await world.run(put('t.csv', 'name,parent', 'A,B', 'B,A', 'Self,Self'), {
      mapping: path,
    });
    expect(counts(again)).toEqual({ ...nothing, read: 3, unchanged: 2, rejected: 1 });
  });

  test('a later row for a record that waits for its parent comes after it', async () => {
    const path = mapping({
      ...tree,
      match: ['name'],
      columns: { ...tree.columns, size: 'size' },
    });
    const file = put('t.csv', 'name,parent,size', 'A,B,1', 'A,,2', 'B,,3');
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 2, updated: 1 });
    expect(await world.table('companies')).toMatchObject([
      { name: 'B', size: 3 },
      { name: 'A', size: 2, parent_id: null },
    ]);
  });
});

describe('a dry run', () => {
  const dry = { objectType: 'companies', match: ['name'], dryRun: true };

  test('reports the result of the import, and writes no row', async () => {
    await world.run(put('c.csv', 'name,size', 'Acme,1', 'Blue,2'), companies);
    const before = [await world.table('companies'), await world.table('_audit')];
    const rows = Array.from({ length: 150 }, (_, index) => `New ${index},${index + 1},n${index}`);
    const file = put(
      'c.csv',
      'name,size,code',
      'Acme,5,a',
      'Blue,2,',
      ...rows,
      'New 3,7,n3',
      'Taken,1,n5',
      'Bad,x,',
    );
    const rehearsed = await world.run(file, dry);
    const dryRejections = rejected();
    expect([await world.table('companies'), await world.table('_audit')]).toEqual(before);
    const real = await world.run(file, { ...dry, dryRun: false });
    expect(counts(real)).toEqual({
      read: 155,
      created: 150,
      updated: 2,
      unchanged: 1,
      rejected: 2,
    });
    expect(counts(rehearsed)).toEqual(counts(real));
    expect(dryRejections).toEqual(rejected());
  });

  test('has the parents of its own file', async () => {
    const path = mapping({
      object_type: 'companies',
      match: ['name'],
      columns: {
        name: 'name',
        parent: { field: 'parent_id', lookup: { object_type: 'companies', field: 'name' } },
      },
    });
    const file = put('t.csv', 'name,parent', 'A,B', 'B,', 'C,B', 'Lost,Nowhere');
    const report = await world.run(file, { mapping: path, dryRun: true });
    expect(counts(report)).toEqual({ ...nothing, read: 4, created: 3, rejected: 1 });
    expect(await world.table('companies')).toEqual([]);
  });
});

describe('the author of an import', () => {
  const file = () => put('c.csv', 'name', 'Acme');

  test('the first active administrator, or the one who is named', async () => {
    await world.run(file(), { ...companies, user: 'ANNA@acme.test' });
    const [{ created_by_user_id: author } = {}] = await world.table('companies');
    expect(author).toBe(
      (
        await world.own.rows(
          `select id from "${world.workspace.schema}"._users where name = 'Anna'`,
        )
      )[0]?.id,
    );
  });

  test.each([
    ['ben@acme.test', 'ben@acme.test has no administrator role; only administrators import.'],
    ['gone@acme.test', 'gone@acme.test is not active; only administrators import.'],
    ['x@acme.test', 'There is no user "x@acme.test" in the workspace "acme".'],
  ])('not %s', async (user, message) => {
    await expect(world.run(file(), { ...companies, user })).rejects.toThrow(message);
    expect(await world.table('companies')).toEqual([]);
  });
});

test('a broken file is refused before anything is written', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => `Name ${index}`);
  const file = put('c.csv', 'name', ...lines, '"open');
  await expect(world.run(file, companies)).rejects.toThrow('quotation mark that is never closed');
  expect(await world.table('companies')).toEqual([]);
});

test('an import that is repeated by two processes at once makes no record twice', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `Name ${index},${index + 1}`);
  const file = put('c.csv', 'name,size', ...lines);
  const matched = { objectType: 'companies', match: ['name'] };
  const reports = await Promise.all([world.run(file, matched), world.run(file, matched)]);
  expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(400);
  expect(await world.table('companies')).toHaveLength(400);
});

test('a failure that no row is to blame for stops the import and says where', async () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `Name ${index}`);
  const file = put('c.csv', 'name', ...lines);
  const { db } = world.own;
  let calls = 0;
  const failing = wrapDatabase(db, (server) => ({
    transaction(work) {
      calls += 1;
      return calls < 6 ? server.transaction(work) : Promise.reject(new Error('out of order'));
    },
  }));
  const run = world.run(file, { objectType: 'companies', match: ['name'] }, failing);
  await expect(run).rejects.toThrow(
    /stopped after [345]00 rows: Error: out of order\. Run it again: rows that are there already/,
  );
  const rest = await world.run(file, { objectType: 'companies', match: ['name'] });
  expect(rest).toMatchObject({ created: 500, unchanged: 500 });
});
