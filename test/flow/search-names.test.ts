// Company names of the world, in many scripts: what people type finds the right one among the first
// three. The names are from the Research Organization Registry (ror.org), CC0.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import { readHits } from '../../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { callerOf, objectOf } from '../sample-definition.ts';

const NAMES = join(import.meta.dirname, '..', 'data', 'company-names.jsonl');

/** The typed text, and the intended company. */
const QUERIES: readonly (readonly [query: string, name: string])[] = [
  ['GUC', 'Global Unichip (Taiwan)'],
  ['kyowa hakko', 'Kyowa Kirin (Japan)'],
  ['KHNP', 'Korea Hydro and Nuclear Power (Korea)'],
  ['hpcl', 'Hindustan Petroleum Corporation Limited (India)'],
  ['Aramco', 'Saudi Aramco (United States)'],
  ['otis elevator', 'Otis (United States)'],
  ['Hitachi Chemical', 'Showa Denko Materials Co., Ltd. (Japan)'],
  ['chemical, industrial & pharmaceutical', 'Cipla (India)'],
  ['SWCC', 'Saudi Water Authority'],
  ['cherifien des phosphates', 'OCP Group (Morocco)'],
  ['メック', 'MEC Company Ltd. (Japan)'],
  ['天馬', 'Tenma Corporation (Japan)'],
  ['エマージング', 'Emerging Technologies Corporation (Japan)'],
  ['あすか', 'ASKA Pharmaceutical (Japan)'],
  ['フーズ', 'Hagoromofoods Corporation (Japan)'],
  ['タクマ', 'Takuma Co., Ltd. (Japan)'],
  ['ﾀｸﾏ', 'Takuma Co., Ltd. (Japan)'],
  ['图森', 'Tusimple (United States)'],
  ['百迈客', 'Biomarker Technologies (China)'],
  ['현대케', 'Hyundai Kefico (South Korea)'],
  ['유한', 'Yuhan (South Korea)'],
  ['국토정보', 'Land and Geospatial Informatix Corporation (South Korea)'],
  ['гельветика', 'Publishing House "Helvetica" (Ukraine)'],
  ['ХАРЦ', 'HARZ Labs LLC (Russia)'],
  ['қазмұнай', 'KazMunayGas (Kazakhstan)'],
  ['ερευνας κεντρο', 'Health Services Research Center (Cyprus)'],
  ['ελλαδα', 'MSD (Greece)'],
  ['डाबर', 'Dabur (India)'],
  ['सिप्ला', 'Cipla (India)'],
  ['سیناژن', 'CinnaGen (Iran)'],
  ['القطرية', 'Qatar Airways (Qatar)'],
  ['כרמל', 'Carmel (Israel)'],
  ['ปตท', 'PTT Public Company Limited (Thailand)'],
  ['ＴＯＴＯ', 'Toto (Japan)'],
  ['samsugn science', 'Samsung Science and Technology Foundation (South Korea)'],
  ['wacaol', 'Wacoal Corp. (Japan)'],
  ['geropharn', 'GEROPHARM (Russia)'],
  ['magnitogorks iron', 'Magnitogorsk Iron and Steel Works (Russia)'],
  ['Neurophett', 'Neurophet (South Korea)'],
  ['oracel portugal', 'Oracle (Portugal)'],
  ['hyundia kefico', 'Hyundai Kefico (South Korea)'],
  ['kuwiat oil', 'Kuwait Oil Company (Kuwait)'],
  ['grundfoss', 'Grundfos (Denmark)'],
  ['starmrak', 'Starmark (United States)'],
  ['quark ph', 'Quark Pharmaceuticals (United States)'],
  ['tyd', 'TYDEX, LLC (Russia)'],
  ['gemv', 'GemVax & KAEL (South Korea)'],
  ['kazmu', 'KazMunayGas (Kazakhstan)'],
  ['solutions gmv', 'GMV Innovating Solutions (Spain)'],
  ['n.e. chemcat', 'N. E. Chemcat Corp. (Japan)'],
  ['h.u. group', 'H.U. Group Holdings, Inc. (Japan)'],
  ['grnet', 'National Infrastructures for Research and Technology -  GRNET S.A'],
  ['メック株式会社', 'MEC Company Ltd. (Japan)'],
  ['ｅｃｉ', 'ECI, Inc. (Japan)'],
];

const DOCUMENT = {
  objects: { companies: { fields: { aliases: { type: 'long_text', searchable: true } } } },
  users: { 'ada@names.example': { name: 'Ada', roles: ['admin'] } },
};

let database: OwnDatabase;
let model: WorkspaceModel;
let caller: Caller;

beforeAll(async () => {
  database = await createOwnDatabase();
  const { db } = database;
  await migrate(db);
  const workspace = await createWorkspace(db, { slug: 'names', document: DOCUMENT });
  model = (await loadModel(db, workspace.id)) as WorkspaceModel;
  caller = callerOf(model, ['admin']);
  const operations = readFileSync(NAMES, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; aliases: readonly string[] })
    .map(({ name, aliases }) => {
      const fields = { name, aliases: aliases.join(';') };
      return { action: 'create', fields } as const;
    });
  const companies = objectOf(model, 'companies');
  const context = { db, model, caller, requestId: null };
  await writeRecords(context, companies, { operations, source: 'import', batch: true });
});

afterAll(() => database?.drop());

test.each(QUERIES)('%s finds %s', async (text, name) => {
  const { rows: hits } = await readHits({ db: database.db, model, caller }, { text, limit: 20 });
  expect(hits.slice(0, 3).map(({ display }) => display)).toContain(name);
});
