// A page of 25 records with two rollups over 1,000,000 records, in turns with the same page without them: how many times as
// long it takes. Takes minutes, so only `npm run test:long` runs it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { IS_LONG } from '../until.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const RECORDS = Number(process.env.RECORDS ?? 1_000_000);
const MINUTES = 60_000;
/** Records that refer to one. */
const EACH = 20;
const ROUNDS = 20;
const PAGES = 25;
/** The usual ratio is below 2; a busy machine may show more. */
const MOST = 4;

const reference = { object_type: 'deals', field: 'company_id' };
const DOCUMENT = mergePatch(ACME, {
  objects: {
    companies: {
      fields: {
        deals: { type: 'rollup', rollup: { reference, op: 'count' } },
        newest: { type: 'rollup', rollup: { reference, op: 'last', field: 'amount' } },
      },
    },
  },
}) as object;

let world: World;
let ada: Client;

beforeAll(async () => {
  if (!IS_LONG) return;
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  const { rows } = world.database;
  await rows(`insert into ws_acme.companies (id, created_by_user_id, owner_user_id, name)
    select gen_random_uuid(), 1, 1, 'Name ' || n from generate_series(1, ${RECORDS / EACH}) n`);
  await rows(`insert into ws_acme.deals (id, created_by_user_id, owner_user_id, status, name, amount, company_id)
    select gen_random_uuid(), 1, 1, 'open', 'Name ' || n, n, c.id
    from ws_acme.companies c cross join generate_series(1, ${EACH}) n order by random()`);
  await rows('vacuum analyze ws_acme.companies');
  await rows('vacuum analyze ws_acme.deals');
}, 20 * MINUTES);
afterAll(() => world?.close(), MINUTES);

test.skipIf(!IS_LONG)(
  `a page of 25 with two rollups over ${RECORDS} records`,
  async () => {
    const times = { plain: [] as number[], asked: [] as number[] };
    const walk = async (kind: keyof typeof times, fields: string) => {
      let cursor = '';
      for (let page = 0; page < PAGES; page += 1) {
        const path = `/objects/companies/records?limit=25&fields=${fields}${cursor}`;
        const start = performance.now();
        const { status, body } = await ada.get(path);
        times[kind].push(performance.now() - start);
        expect(status).toBe(200);
        cursor = `&cursor=${body.pagination.next_cursor}`;
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await walk('plain', 'name');
      await walk('asked', 'name,deals,newest');
    }
    const median = (some: readonly number[]) =>
      some.toSorted((one, other) => one - other)[Math.floor(some.length / 2)] ?? 0;
    const [plain, asked] = [median(times.plain), median(times.asked)];
    console.info(
      `${plain.toFixed(2)} ms without rollups, ${asked.toFixed(2)} ms with two: ${(asked / plain).toFixed(2)} times`,
    );
    expect(asked / plain).toBeLessThan(MOST);
  },
  10 * MINUTES,
);
