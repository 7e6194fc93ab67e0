// Statements whose text seldom comes again, such as DDL and commands of operators: sent without being
// prepared, so that they take no place among the statements of requests.

import { type Sql, toStatement } from '../sql/sql.ts';
import type { Queryable, Row } from './db.ts';

export function runOnce(db: Queryable, statement: Sql): Promise<readonly Row[]> {
  return db.query(toStatement(statement), { prepare: false });
}
