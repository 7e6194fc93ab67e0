// The statements that requests send by themselves, outside of transactions: how many a read takes.

import { vi } from 'vitest';
import { wrapDatabase } from '../src/postgres/db.ts';
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
    return wrapDatabase(forTenant(tenant, stats), (server) => ({
      query(statement, options) {
        if (pattern.test(statement.text)) statements.push(statement.text);
        return server.query(statement, options);
      },
    }));
  });
  return { statements, stop: () => spied.mockRestore() };
}
