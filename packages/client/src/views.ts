// Calls for views: questions that people keep, share and put in an order of their own.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, View } from './schema.ts';

type ViewQuery = Omit<Endpoints['listViews']['query'], 'favorite'> & {
  /** Only your favorites. */
  readonly favorite?: boolean | undefined;
};
type ViewOrder = Endpoints['orderViews']['body'];
type KeptOrder = Required<Omit<ViewOrder, 'favorite_view_ids'>>;

export interface ViewWriteOptions extends CallOptions {
  /** The version the view must still have, else the call fails with `stale_record`. */
  readonly version?: string | undefined;
}

export interface Views {
  /** One page of your own and those shared with you, in your own order. */
  list(query?: ViewQuery, options?: CallOptions): Promise<Page<View>>;
  all(query?: ViewQuery, options?: CallOptions): AsyncGenerator<View, void, undefined>;
  get(id: string, options?: CallOptions): Promise<View>;
  create(view: Endpoints['createView']['body'], options?: CallOptions): Promise<View>;
  /** The part of a view that you may see, as a private one of your own. */
  copy(id: string, copy?: Endpoints['copyView']['body'], options?: CallOptions): Promise<View>;
  /** An address of a calendar view for programs of calendars; it is not shown again. */
  feed(
    id: string,
    feed?: Endpoints['createCalendarFeed']['body'],
    options?: CallOptions,
  ): Promise<Endpoints['createCalendarFeed']['result']['data']>;
  update(
    id: string,
    changes: Endpoints['updateView']['body'],
    options?: ViewWriteOptions,
  ): Promise<View>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Your own order of the views of an object; the others come after those it names. */
  order(order: ViewOrder, options?: CallOptions): Promise<KeptOrder>;
}

export function viewsOf(send: Send): Views {
  const list = ({ favorite, ...query }: ViewQuery = {}, options?: CallOptions) => {
    const only = favorite === true ? ({ favorite: 'true' } as const) : {};
    return send('listViews', { query: { ...query, ...only } }, options);
  };
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    get: async (view_id, options) => (await send('getView', { params: { view_id } }, options)).data,
    create: async (body, options) => (await send('createView', { body, once: true }, options)).data,
    copy: async (view_id, body = {}, options) =>
      (await send('copyView', { params: { view_id }, body, once: true }, options)).data,
    feed: async (view_id, body = {}, options) =>
      (await send('createCalendarFeed', { params: { view_id }, body, once: true }, options)).data,
    update: async (view_id, body, { version, ...options } = {}) =>
      (await send('updateView', { params: { view_id }, body, version }, options)).data,
    delete: async (view_id, options) => {
      await send('deleteView', { params: { view_id }, once: true }, options);
    },
    order: async (body, options) => (await send('orderViews', { body }, options)).data,
  };
}
