// Calls for dashboards: reports that people put on one page, keep and share.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Dashboard, Endpoints, FilledDashboard } from './schema.ts';
import type { ViewWriteOptions } from './views.ts';

type DashboardQuery = Endpoints['listDashboards']['query'];

export interface Dashboards {
  /** One page of the dashboards that you own or that are shared with you, newest first. */
  list(query?: DashboardQuery, options?: CallOptions): Promise<Page<Dashboard>>;
  all(query?: DashboardQuery, options?: CallOptions): AsyncGenerator<Dashboard, void, undefined>;
  /** Reads a dashboard with the reports that you see. */
  get(id: string, options?: CallOptions): Promise<FilledDashboard>;
  create(
    dashboard: Endpoints['createDashboard']['body'],
    options?: CallOptions,
  ): Promise<FilledDashboard>;
  update(
    id: string,
    changes: Endpoints['updateDashboard']['body'],
    options?: ViewWriteOptions,
  ): Promise<FilledDashboard>;
  /** Deletes the dashboard, not its reports. */
  delete(id: string, options?: CallOptions): Promise<void>;
}

export function dashboardsOf(send: Send): Dashboards {
  const list = (query: DashboardQuery = {}, options?: CallOptions) =>
    send('listDashboards', { query }, options);
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    get: async (dashboard_id, options) =>
      (await send('getDashboard', { params: { dashboard_id } }, options)).data,
    create: async (body, options) =>
      (await send('createDashboard', { body, once: true }, options)).data,
    update: async (dashboard_id, body, { version, ...options } = {}) =>
      (await send('updateDashboard', { params: { dashboard_id }, body, version }, options)).data,
    delete: async (dashboard_id, options) => {
      await send('deleteDashboard', { params: { dashboard_id }, once: true }, options);
    },
  };
}
