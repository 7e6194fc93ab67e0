// Values that a mapping leaves out (`unfit_values: leave_out`): all that would reject their row, whenever the import finds
// out, and those alone are listed without which a row was written.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import {
  IMPORT_DOCUMENT,
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
  const { deals } = IMPORT_DOCUMENT.objects;
  const more = {
    serial: { type: 'text', unique: true },
    many: { type: 'integer' },
    kinds: { type: 'multi_select', options: [{ value: 'a' }, { value: 'b' }] },
    after: { type: 'reference', reference_object_type: 'deals' },
  };
  await applyDefinition(world.own.db, 'acme', {
    ...IMPORT_DOCUMENT,
    objects: {
      ...IMPORT_DOCUMENT.objects,
      deals: { ...deals, fields: { ...deals.fields, ...more } },
    },
  });
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  const { schema } = world.workspace;
  await world.own.rows(`truncate "${schema}"."deals", "${schema}"."work_items" cascade`);
});

const MAPPING = { object_type: 'deals', match: ['code'], unfit_values: 'leave_out' };

/** The same of a dry run and of the import: the counts and the values that were left out. */
async function importBoth(mapping: object, ...lines: readonly string[]) {
  const path = files.put('m.yaml', JSON.stringify({ ...MAPPING, ...mapping }));
  const file = files.put('f.csv', `${lines.join('\n')}\n`);
  const [rehearsed, imported] = [
    await world.run(file, { mapping: path, dryRun: true }),
    await world.run(file, { mapping: path }),
  ].map(({ created, updated, rejected, emptied_values }) => ({
    ...{ created, updated, rejected },
    emptied_values: emptied_values.toSorted((a, b) => a.field.localeCompare(b.field)),
  }));
  expect(rehearsed).toEqual(imported);
  return imported;
}

describe('values that do not fit are left out', () => {
  test('when only the writing of their row finds out', async () => {
    const columns = {
      ...{ code: 'code', name: 'name', who: 'contact', serial: 'serial', company: 'company_id' },
    };
    const nowhere = '01890a5d-ac96-774b-bcce-b302099a8057';
    const imported = await importBoth(
      { columns },
      'code,name,who,serial,company',
      '1,A,,S1,',
      `2,B,99999,S1,${nowhere}`,
      '3,C,99999,S3,',
    );
    expect(imported).toEqual({
      ...{ created: 3, updated: 0, rejected: 0 },
      emptied_values: [
        { field: 'company_id', values: 1, names: [nowhere] },
        { field: 'contact', values: 2, names: ['99999'] },
        { field: 'serial', values: 1, names: ['S1'] },
      ],
    });
    const rows = (await world.table('deals')).map(({ code, serial, contact }) => [
      ...[code, serial, contact],
    ]);
    expect(rows.sort()).toEqual([
      ['1', 'S1', null],
      ['2', null, null],
      ['3', 'S3', null],
    ]);
  });

  test('when only the whole file tells that no row is the one that a reference names', async () => {
    const after = { field: 'after', lookup: { object_type: 'deals', field: 'code' } };
    const imported = await importBoth(
      { columns: { code: 'code', name: 'name', after } },
      'code,name,after',
      '1,A,9',
      '2,B,3',
      '3,C,',
    );
    expect(imported).toEqual({
      ...{ created: 3, updated: 0, rejected: 0 },
      emptied_values: [{ field: 'after', values: 1, names: ['9'] }],
    });
  });

  test('and are listed as the file or the mapping has them, whatever they are made of', async () => {
    const mapping = {
      columns: { code: 'code', name: 'name', one: 'kinds', two: 'kinds' },
      fields: { many: { constant: 'few' }, contact: { template: '{one} of {name}' } },
    };
    const imported = await importBoth(mapping, 'code,name,one,two', '1,A,a,zz');
    expect(imported).toEqual({
      ...{ created: 1, updated: 0, rejected: 0 },
      emptied_values: [
        { field: 'contact', values: 1, names: ['a of A'] },
        { field: 'kinds', values: 1, names: ['a; zz'] },
        { field: 'many', values: 1, names: ['few'] },
      ],
    });
  });

  test('of an author, who is then the person who imports, also where nobody is found', async () => {
    const lines = ['code,name,by,author', '1,A,soon,no@acme.test', '2,B,,no@acme.test'];
    const left = { field: 'created_by_user_id', values: 2, names: ['no@acme.test'] };
    for (const author of ['created_by_user_id', { field: left.field, fallback: null }]) {
      const columns = { code: 'code', name: 'name', by: 'created_at', author };
      const imported = await importBoth({ columns }, ...lines);
      expect(imported).toMatchObject({
        rejected: 0,
        emptied_values: [{ field: 'created_at', values: 1, names: ['soon'] }, left],
      });
    }
  });

  test('and are not listed of a row that is not written', async () => {
    const columns = { code: 'code', name: 'name', many: 'many' };
    const imported = await importBoth({ columns }, 'code,name,many', '1,,few', ',B,few');
    expect(imported).toEqual({ created: 0, updated: 0, rejected: 2, emptied_values: [] });
  });

  test('of a work item also when the workflow of its type has no such status', async () => {
    const imported = await importBoth(
      {
        ...{ object_type: 'work_items', match: ['public_id'] },
        columns: { key: 'public_id', title: 'title', status: 'status' },
        fields: { work_item_type_id: { constant: 'bug' } },
      },
      'key,title,status',
      'BUG-1,A,won',
    );
    expect(imported).toEqual({
      ...{ created: 1, updated: 0, rejected: 0 },
      emptied_values: [{ field: 'status', values: 1, names: ['won'] }],
    });
  });
});
