// Lists of records. A query is sent as a query string, or, when that would be too long for what lies
// between here and the service, as the body of the search endpoint, which means the same, or of the query
// endpoint, which expands references as well.

import { queryText } from './connection.ts';
import type { FieldKey, Filters, ObjectFields, PhysicalKey } from './fields.ts';
import { filterText } from './filters.ts';
import { itemsFrom, pagesFrom } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints } from './schema.ts';

type ListParameters = Endpoints['listRecords']['query'];
type SearchBody = Endpoints['searchRecords']['body'];

export interface ListQuery<Fields extends ObjectFields, Key extends string = FieldKey<Fields>>
  extends Omit<ListParameters, 'fields' | 'sort'> {
  readonly filters?: Filters<Fields> | undefined;
  /** Field keys, at most 20. */
  readonly fields?: readonly Key[] | undefined;
  /** Field keys, at most 3; `-` before one sorts descending. */
  readonly sort?: readonly (PhysicalKey<Fields> | `-${PhysicalKey<Fields>}`)[] | undefined;
}

export interface SearchQuery<Fields extends ObjectFields, Key extends string = FieldKey<Fields>>
  extends Omit<SearchBody, 'filters' | 'fields' | 'sort'> {
  readonly filters?: Filters<Fields> | undefined;
  readonly fields?: readonly Key[] | undefined;
  readonly sort?:
    | readonly {
        readonly field: PhysicalKey<Fields>;
        readonly direction?: 'asc' | 'desc' | undefined;
      }[]
    | undefined;
}

/**
 * Characters of a query string. Proxies commonly refuse a request line of more than 8,192; sixteen lists
 * of a hundred ids would be 60,000.
 */
const LONGEST_QUERY = 6000;

/** A list as it comes in, whatever the object. */
interface AnyQuery extends Omit<ListParameters, 'fields' | 'sort'> {
  readonly filters?: { readonly [key: string]: unknown } | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
}

/** The calls that list records. */
export function searches(send: Send, object_type: string) {
  const params = { object_type };
  const search = (body: SearchBody = {}, options?: CallOptions) =>
    send('searchRecords', { params, body }, options);
  function list({ filters: given = {}, ...rest }: AnyQuery = {}, options?: CallOptions) {
    const { limit, cursor, ...shape } = { ...rest, fields: joined(rest.fields) };
    const query = { ...shape, sort: joined(rest.sort) };
    const filters = filterText(given);
    // By the part that is the same on all pages: a cursor belongs to one of the two endpoints.
    const isLong = filters.length + queryText(query).length > LONGEST_QUERY;
    if (isLong) {
      const { expand, ...body } = { ...rest, filters: given };
      if (expand === undefined) return search(bodyOf(body), options);
      const question = { ...bodyOf(body), expand: expand.split(',') };
      return send('queryRecords', { params, body: question }, options);
    }
    return send('listRecords', { params, query: { ...query, limit, cursor }, filters }, options);
  }
  return {
    list,
    search,
    all: (query: AnyQuery = {}, options?: CallOptions) =>
      itemsFrom(query, (page) => list(page, options)),
    pages: (query: AnyQuery = {}, options?: CallOptions) =>
      pagesFrom(query, (page) => list(page, options)),
    searchAll: (body: SearchBody = {}, options?: CallOptions) =>
      itemsFrom(body, (page) => search(page, options)),
  };
}

/** An empty list counts as none. */
function joined(keys: readonly string[] | undefined): string | undefined {
  return keys === undefined || keys.length === 0 ? undefined : keys.join(',');
}

function bodyOf({ q, fields, sort, ...rest }: AnyQuery): SearchBody {
  return {
    ...rest,
    query: q,
    fields: fields?.length === 0 ? undefined : fields,
    sort: sort?.map((key) => {
      if (key.startsWith('-')) return { field: key.slice(1), direction: 'desc' } as const;
      return { field: key, direction: 'asc' } as const;
    }),
  };
}
