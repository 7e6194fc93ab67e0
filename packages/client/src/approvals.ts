// Calls for moves that need approval: asking for them is a call of records, deciding about them is here.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, StatusRequest } from './schema.ts';

type RequestQuery = Endpoints['listStatusRequests']['query'];

export interface StatusRequests {
  /** One page of requests, newest first. `approver: 'me'`: the requests that wait for your decision. */
  list(query?: RequestQuery, options?: CallOptions): Promise<Page<StatusRequest>>;
  all(query?: RequestQuery, options?: CallOptions): AsyncGenerator<StatusRequest, void, undefined>;
  get(id: string, options?: CallOptions): Promise<StatusRequest>;
  /**
   * Approves a move; needs the scope `approvals:write`. `expected_version`: the version of the record that you have
   * seen.
   */
  approve(
    id: string,
    approval?: Endpoints['approveStatusRequest']['body'],
    options?: CallOptions,
  ): Promise<StatusRequest>;
  reject(
    id: string,
    rejection?: Endpoints['rejectStatusRequest']['body'],
    options?: CallOptions,
  ): Promise<StatusRequest>;
  /** Only the person who asked can. */
  withdraw(id: string, options?: CallOptions): Promise<StatusRequest>;
}

export function statusRequestsOf(send: Send): StatusRequests {
  const list = (query: RequestQuery = {}, options?: CallOptions) =>
    send('listStatusRequests', { query }, options);
  const paramsOf = (request_id: string) => ({ params: { request_id } });
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    get: async (id, options) => (await send('getStatusRequest', paramsOf(id), options)).data,
    approve: async (id, body = {}, options) =>
      (await send('approveStatusRequest', { ...paramsOf(id), body }, options)).data,
    reject: async (id, body = {}, options) =>
      (await send('rejectStatusRequest', { ...paramsOf(id), body }, options)).data,
    withdraw: async (id, options) =>
      (await send('withdrawStatusRequest', paramsOf(id), options)).data,
  };
}
