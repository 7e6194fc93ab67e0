// The files of merged records: they go over to the record, and back when the merge is undone (docs/design/merge.md).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FileWorld, filePath, openFileWorld } from '../file-world.ts';
import { merge, unmerge } from './merged.ts';

let files: FileWorld;

beforeAll(async () => {
  files = await openFileWorld();
});
afterAll(() => files?.world.close());

const upload = async (content: string, type = 'text/plain'): Promise<string> =>
  (await files.upload(files.ada, content, { type })).body.data.id;

/** The contents of the files of a record, by its fields; one that it does not send is its status. */
async function contentsOf(record: string) {
  const { fields } = (await files.ada.get(`/objects/deals/records/${record}`)).body.data;
  const sent = (field: string) =>
    (fields[field] ?? []).map(async ({ id }: { id: string }) => {
      const { status, bytes } = await files.download(files.ada, filePath(record, field, id));
      return status === 200 ? bytes.toString() : status;
    });
  return { papers: await Promise.all(sent('papers')), scan: await Promise.all(sent('scan')) };
}

test('files go over with a merge, and back with its undoing', async () => {
  const { ada } = files;
  const scan = await upload('picture', 'image/png');
  const [one, two] = [
    await files.deal({ papers: [await upload('first')] }),
    await files.deal({ papers: [await upload('second')], scan: [scan] }),
  ];
  const before = [await contentsOf(one), await contentsOf(two)];
  expect((await merge(ada, 'deals', [one, two])).status).toBe(200);
  expect(await contentsOf(one)).toEqual({ papers: ['first', 'second'], scan: ['picture'] });
  expect((await files.download(ada, filePath(two, 'scan', scan))).status).toBe(404);
  const undone = await unmerge(ada, 'deals', one);
  expect(undone.body.data.not_restored).toEqual({ links: 0, references: 0, fields: [] });
  expect([await contentsOf(one), await contentsOf(two)]).toEqual(before);
  expect((await files.download(ada, filePath(one, 'scan', scan))).status).toBe(404);
  expect(await files.world.rows('select from _files where released_at is not null')).toEqual([]);
});

test('a merged record that is restored alone has only the files that stayed its', async () => {
  const { ada } = files;
  const first = await upload('picture', 'image/png');
  const [one, two] = [
    await files.deal({ papers: [], scan: [first] }),
    await files.deal({
      papers: [await upload('over')],
      scan: [await upload('stays', 'image/png')],
    }),
  ];
  expect((await merge(ada, 'deals', [one, two])).status).toBe(200);
  const restored = await ada.request('POST', `/objects/deals/deleted/${two}/restore`, {});
  expect(restored.body.data.not_restored.fields).toEqual(['papers']);
  expect(await contentsOf(two)).toEqual({ papers: [], scan: ['stays'] });
  expect(await contentsOf(one)).toEqual({ papers: ['over'], scan: ['picture'] });
});
