// Files of records with the client: uploads of blobs and texts, downloads whole and in parts, refusals.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../packages/client/src/index.ts';
import { type FileWorld, openFileWorld } from '../file-world.ts';
import { clientInPage, clientOf } from './client-world.ts';

let files: FileWorld;
let ada: Client;

beforeAll(async () => {
  files = await openFileWorld();
  ({ client: ada } = await clientOf(files.world, 'ada'));
});
afterAll(() => files?.world.close());

const fileOf = (recordId: string, field: string, fileId: string) => ({
  ...{ objectType: 'deals', recordId, field, fileId },
});

test('a file is uploaded, attached and downloaded, whole and in part', async () => {
  const sent = new File(['Hello'], 'Ünï.txt', { type: 'text/plain' });
  const file = await ada.files.upload(sent, { objectType: 'deals', field: 'papers' });
  expect(file).toMatchObject({ name: 'Ünï.txt', type: 'text/plain', size: 5 });
  const text = await ada.files.upload('more', { name: 'more.txt' });
  const untyped = await ada.files.upload(new Blob([new Uint8Array([0, 1])]));
  expect([text.type, untyped.type]).toEqual(['text/plain', 'application/octet-stream']);
  const deal = await ada.records('deals').create({ name: 'Filed', papers: [file.id, text.id] });
  const place = fileOf(deal.id, 'papers', file.id);
  expect(await (await ada.files.download(place)).text()).toBe('Hello');
  const part = await ada.files.download(place, { range: 'bytes=1-3' });
  expect([part.status, await part.text()]).toEqual([206, 'ell']);
});

test('a page of the service does the same in a session', async () => {
  const { client } = await clientInPage(files.world, 'ada');
  const file = await client.files.upload(new Blob(['x'], { type: 'image/png' }), { name: 'x.png' });
  const deal = await client.records('deals').create({ name: 'In a page', scan: [file.id] });
  const place = fileOf(deal.id, 'scan', file.id);
  expect(await (await client.files.download(place)).text()).toBe('x');
});

test('refusals are errors with their codes', async () => {
  const scan = { objectType: 'deals', field: 'scan' };
  await expect(ada.files.upload('x', scan)).rejects.toMatchObject({
    ...{ code: 'unsupported_media_type', status: 415 },
  });
  const large = new Blob(['x'.repeat(1025)], { type: 'image/png' });
  await expect(ada.files.upload(large, scan)).rejects.toMatchObject({ code: 'payload_too_large' });
  const nothing = fileOf('01990000-0000-7000-8000-000000000000', 'papers', 'x');
  await expect(ada.files.download(nothing)).rejects.toMatchObject({ code: 'record_not_found' });
});
