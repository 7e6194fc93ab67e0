// Search over all object types (specification §4.6): parsing and presenting only. plan/search/search-plan.ts decides which
// records a caller can find, flow/records/read/read-flow.ts reads.

import Type from 'typebox';
import { ApiError } from '../../errors.ts';
import { type Hits, readHits } from '../../flow/records/read/read-flow.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { parseExpansions } from '../../plan/read/record-query.ts';
import type { Row } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { presentExpanded } from '../present.ts';
import { Expanded, ExpandQuery } from '../record-shapes.ts';
import { closed, limitQuery, listOf, nullable } from '../shapes.ts';

const SearchHit = Type.Object(
  {
    object_type: Type.String(),
    id: Type.String(),
    display: nullable(Type.String()),
    subtitle: nullable(Type.String({ description: 'The kind of record and one of its fields.' })),
    url: nullable(
      Type.String({
        description: 'The path of this host at which the application shows the record.',
      }),
    ),
    expanded: Expanded,
  },
  { $id: 'SearchHit' },
);

export const searchEverything = defineRoute({
  method: 'GET',
  path: '/search',
  operationId: 'search',
  tag: 'Search',
  summary: 'Search over all object types',
  description: [
    'Finds records the user may read by name, e-mail address and telephone number, work items by',
    'their `public_id` too, best first: the same name, then names that begin with `q`, then words',
    'that do, then near misses; among equals the newest first. Case, accents and punctuation do not',
    'count. A record is found by the very next request after it was written.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({}, closed),
  query: Type.Object(
    {
      q: Type.String({
        format: 'plain-text',
        minLength: LIMITS.searchTextMinimum,
        maxLength: LIMITS.textQueryLength,
        description: 'The text to search for. Leading and trailing white space is ignored.',
      }),
      limit: limitQuery(LIMITS.defaultPageSize.search, LIMITS.searchPageMaximum),
      expand: ExpandQuery,
    },
    closed,
  ),
  status: 200,
  result: listOf(SearchHit),
  errors: ['validation_failed', 'invalid_filter'],
  async handle({ caller, model, query, signal }, { db, config }) {
    const expand = parseExpansions(query.expand);
    const request = { text: requireText(query.q), expand, limit: query.limit };
    const hits = await readHits({ db, model, caller, signal }, request);
    const above = config.application ? `/app/${model.workspace.slug}/o` : '';
    const data = presentHits(hits, { caller, above, isExpanded: expand.length > 0 });
    return { body: { data } };
  },
});

interface HitOptions {
  readonly caller: Caller;
  /** The start of the paths of all records, where the application is served. */
  readonly above: string;
  readonly isExpanded: boolean;
}

function presentHits({ rows, expand, expanded }: Hits, { caller, above, isExpanded }: HitOptions) {
  return rows.map(({ object_type, id, display, subtitle, public_id, refers_to }) => {
    const url = `${above}/${object_type}/${encodeURIComponent(String(public_id ?? id))}`;
    const hit = { object_type, id, display, subtitle, url };
    if (!isExpanded) return hit;
    const references = (expand.get(String(object_type)) ?? []).map((one) => ({
      ...one,
      column: one.key,
    }));
    const shown = presentExpanded(references, (refers_to ?? {}) as Row, caller, expanded);
    return { ...hit, expanded: shown };
  });
}

function requireText(q: string): string {
  const text = q.trim();
  if ([...text].length >= LIMITS.searchTextMinimum) return text;
  const message = say('search_text_too_short', { least: LIMITS.searchTextMinimum });
  throw new ApiError('validation_failed', { param: 'q', message });
}
