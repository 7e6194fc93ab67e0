// The data of `npm run bench:query`: deals that refer to companies twice, written as rows of their tables. Made once; see
// cached-data.ts.

import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { type CachedData, requireCachedData } from './cached-data.ts';

/** Deals for each company. */
export const COMPANIES_OF = 100;

const company = { type: 'reference', reference_object_type: 'companies' };

const DEFINITION = {
  name: 'Asked',
  objects: {
    companies: {
      searchable: false,
      fields: {
        code: { type: 'text', indexed: true },
        tier: { type: 'select', options: ['gold', 'silver', 'none'].map((value) => ({ value })) },
      },
    },
    deals: {
      searchable: false,
      fields: {
        code: { type: 'text', indexed: true },
        amount: { type: 'integer', indexed: true },
        company_id: company,
        partner_id: company,
      },
    },
  },
  users: { 'admin@bench.example': { name: 'Admin', roles: ['admin'] } },
};

/** Numbers that look random and are the same in every run. */
const MIXED = (seed: number, of: string) => `(hashint4(i * 7 + ${seed}) & 2147483647) % (${of})`;

const id = (kind: string, number: string) =>
  `('0190${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

export function requireQuestionData(records: number): Promise<CachedData> {
  const companies = Math.ceil(records / COMPANIES_OF);
  const statements = [
    `insert into ws_asked.companies (id, created_by_user_id, owner_user_id, name, code, tier)
      select ${id('0001', 'i')}, 1, 1, 'Company ' || ${MIXED(1, '100000')}, 'C-' || i,
        (array['gold', 'silver', 'none'])[1 + ${MIXED(2, '3')}]
      from generate_series(0, ${companies - 1}) i`,
    `insert into ws_asked.deals
        (id, created_by_user_id, owner_user_id, created_at, name, code, amount, company_id, partner_id)
      select ${id('0002', 'i')}, 1, 1, '2026-11-01T00:00:00Z'::timestamptz - i * interval '90 seconds',
        'Deal ' || ${MIXED(3, '1000000')}, 'D-' || i, ${MIXED(4, '1000000')},
        case when i % 10 > 0 then ${id('0001', MIXED(5, String(companies)))} end,
        ${id('0001', MIXED(6, String(companies)))}
      from generate_series(0, ${records - 1}) i`,
    'vacuum (analyze)',
    'checkpoint',
  ];
  const recipe = [statements, DEFINITION];
  return requireCachedData(`questions-${records}`, recipe, async (db) => {
    await createWorkspace(db, { slug: 'asked', document: DEFINITION });
    for (const text of statements) await db.query({ text, values: [] }, { prepare: false });
    return '';
  });
}
