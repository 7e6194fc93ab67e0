// The search rows of a load (D340). They are kept aside in a temporary table and put into `_search` together, in the order
// of its largest indexes; from then on, rows that follow go there at once.

import type { SearchChange } from '../../../plan/search/search-rows.ts';
import type { Copying } from '../../../postgres/copy.ts';
import type { Row, Transaction } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { memorySql } from '../../../sql/read/memory-sql.ts';
import { sql } from '../../../sql/sql.ts';
import {
  addSearchWordsSql,
  placeStagedSearchSql,
  SEARCH_COLUMNS,
  STAGED_SEARCH,
  stageSearchSql,
} from '../../../sql/write/search-rows-sql.ts';
import { bufferOf, copyRows } from '../copy-rows.ts';

/** Search rows as COPY reads them, and their words. */
export interface PreparedSearch {
  readonly rows: Buffer;
  readonly words: readonly string[];
}

export interface SearchLoad {
  store(tx: Transaction & Copying, search: PreparedSearch): Promise<void>;
  /** These words were stored, and no savepoint takes them back. */
  remember(words: readonly string[]): void;
  /** Write the collected rows into `_search`: before any other write to it, and at the end. */
  place(tx: Transaction): Promise<void>;
}

/** Opens the load of the search index; call it where no savepoint is open. */
export async function openSearchLoad(tx: Transaction, schema: string): Promise<SearchLoad> {
  // Undefined: rows are placed at once, and others may delete words.
  let knownWords = (await mayStage(tx)) ? new Set<string>() : undefined;
  if (knownWords !== undefined) await runOnce(tx, stageSearchSql(schema));
  return {
    async store(inner, { rows, words }) {
      const table = knownWords === undefined ? { schema, name: '_search' } : STAGED_SEARCH;
      await copyRows(inner, { ...table, columns: SEARCH_COLUMNS }, rows);
      const added = words.filter((word) => knownWords?.has(word) !== true);
      if (added.length > 0) await runOnce(inner, addSearchWordsSql(schema, added));
    },
    remember(words) {
      for (const word of words) knownWords?.add(word);
      if (knownWords !== undefined && knownWords.size > MOST_WORDS) knownWords.clear();
    },
    async place(inner) {
      if (knownWords === undefined) return;
      knownWords = undefined;
      await runOnce(inner, memorySql('work_mem', SORT_MEMORY));
      await runOnce(inner, placeStagedSearchSql(schema));
    },
  };
}

/** Temporary tables are a right that a server may keep from a role. */
async function mayStage(tx: Transaction): Promise<boolean> {
  const [row] = await runOnce(
    tx,
    sql`select has_database_privilege(current_database(), 'temporary') as may_stage`,
  );
  return row?.may_stage === true;
}

const MOST_WORDS = 1_000_000;
/** Larger sorts use files. */
const SORT_MEMORY = '256MB';

/** `now`: when records without a time were created. */
export function prepareSearch(
  records: readonly Row[],
  { rows, words }: Pick<SearchChange, 'rows' | 'words'>,
  now: string,
): PreparedSearch {
  const times = new Map(records.map(({ id, created_at }) => [id, created_at ?? now]));
  const lines = rows.map(({ record_id, source, place, text, reach_user_id, words: own }) => {
    const reach = reach_user_id === null ? '\\N' : reach_user_id;
    const row = [record_id, source, place, text, reach, own ?? '\\N', times.get(record_id)];
    return row.join('\t');
  });
  return { rows: bufferOf(lines), words };
}
