// Requests for records in the short form in which tests write them.

import type { ConditionInput } from '../src/plan/read/filter.ts';
import type { ListRequest } from '../src/plan/read/read-plan.ts';
import { type RecordQuery, recordQuery, type SortInput } from '../src/plan/read/record-query.ts';

/** The parts of a query; all of `filters` must hold. */
export interface QueryParts {
  readonly filters?: readonly ConditionInput[];
  readonly text?: string | undefined;
  readonly textParam?: string;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: readonly SortInput[];
}

export interface ListParts extends QueryParts {
  readonly endpoint?: string;
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

export function queryOf(parts: QueryParts): RecordQuery {
  const { filters = [], text, textParam: param = 'q', fields = null, sort = [] } = parts;
  const searched = text === undefined ? null : { param, value: text };
  return recordQuery({ where: { all: filters }, text: searched, fields, sort });
}

/** A page of 25 by default. */
export function listOf({
  endpoint = 'list',
  limit = 25,
  cursor,
  ...parts
}: ListParts): ListRequest {
  return { endpoint, limit, cursor, query: queryOf(parts) };
}
