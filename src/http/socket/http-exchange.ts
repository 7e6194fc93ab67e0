// A request and its answer on a connection: its call, its admission ticket, headers for its answer, and
// whether the connection stays open after it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalName } from '../../model/rights/access.ts';
import type { Call } from '../request/call.ts';
import { addressName } from '../request/clients.ts';
import type { SseConnection } from '../route/route.ts';
import type { Expectation } from './framing.ts';
import type { AdmissionTicket } from './load-shedder.ts';
import type { Unread } from './unread.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: Call;
  readonly expectation: Expectation | undefined;
  /** Headers of every answer to it, as names and values: for other origins and for browsers. */
  readonly headers: readonly string[];
  /** The account of unread answers of the client. */
  readonly unread: Unread;
  readonly clientAddress: () => string;
  /** Write an interim response; see connection.ts. */
  readonly probe: () => void;
  /** Undefined for requests that need none, such as those for the health of the process. */
  ticket: AdmissionTicket | undefined;
  /** True once its ticket is that of the person who sends it. */
  isKnown: boolean;
  /** The connection of an answer that stays open. */
  stream: SseConnection | undefined;
  /** True once the connection must not be used again. */
  close: boolean;
}

/** Do work without the admission ticket of the request: a wait, or a transfer at the speed of the client. */
export async function withoutTicket<Result>(
  { call, ticket }: Exchange,
  work: () => Promise<Result>,
): Promise<Result> {
  ticket?.release();
  const begun = performance.now();
  try {
    return await work();
  } finally {
    call.outsideMs += performance.now() - begun;
  }
}

/** The owner of the memory of the exchange: its principal, or its address before authentication. */
export function ownerOf(exchange: Exchange): string {
  const { authenticated } = exchange.call;
  return authenticated === undefined ? addressName(exchange) : principalName(authenticated.caller);
}
