// A request and its answer on a connection: the call it is, and what is known of it beside: its admission
// ticket, what was said on the connection, whether that goes on after the answer.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalName } from '../model/access.ts';
import type { Call } from './call.ts';
import type { Expectation } from './framing.ts';
import type { AdmissionTicket } from './load-shedder.ts';
import type { SseConnection } from './route.ts';
import type { Unread } from './unread.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly call: Call;
  readonly expectation: Expectation | undefined;
  /** Headers of every answer to it, as names and values: for other origins and for browsers. */
  readonly headers: readonly string[];
  /** Where what the client has not read yet is counted. */
  readonly unread: Unread;
  readonly clientAddress: () => string;
  /** Write something that is no answer yet; see connection.ts. */
  readonly probe: () => void;
  /** Undefined for requests that need none, such as those for the health of the process. */
  ticket: AdmissionTicket | undefined;
  /** Of an answer that stays open. */
  stream: SseConnection | undefined;
  /** True once the connection must not be used again. */
  close: boolean;
}

/** Whose share of memory the exchange takes: a principal's, before it is known an address's. */
export function ownerOf({ call, clientAddress }: Exchange): string {
  const { authenticated } = call;
  if (authenticated !== undefined) return principalName(authenticated.caller);
  return `address ${clientAddress()}`;
}
