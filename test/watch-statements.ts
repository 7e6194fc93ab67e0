// The statements that requests send by themselves, outside of transactions: how many a read takes.

import { vi } from 'vitest';
import type { Database } from '../src/postgres/db.ts';
import type { OwnDatabase } from './own-database.ts';

export interface Watch {
  /** Texts that match the pattern, in the order they were sent. */
  readonly statements: string[];
  stop(): void;
}

export function watchStatements({ tenants }: OwnDatabase, pattern: RegExp): Watch {
  const statements: string[] = [];
  const { forTenant } = tenants;
  const spied = vi.spyOn(tenants, 'forTenant').mockImplementation((tenant, stats) => {
    const tenantDb = forTenant(tenant, stats);
    const query: Database['query'] = (statement, options) => {
      if (pattern.test(statement.text)) statements.push(statement.text);
      return tenantDb.query(statement, options);
    };
    return { ...tenantDb, query };
  });
  return { statements, stop: () => spied.mockRestore() };
}
