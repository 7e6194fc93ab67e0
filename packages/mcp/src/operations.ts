// The operations of the service as tools call them: typed by the OpenAPI document, one call each, refusals thrown.
// Tools know nothing else of the service.

import type { Endpoints } from '../../client/src/schema.ts';
import { type Refusal, refusalError } from './refusals.ts';

export type Operation = keyof Endpoints;

/** A request of an operation; names of headers in lower case. */
export interface OperationRequest {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface OperationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Send a request as the caller of the tool. Never rejects for a refusal of the service. */
export type Invoke = (operation: Operation, request: OperationRequest) => Promise<OperationAnswer>;

/** Count a call that no operation was counted for; the refusal of the service when the key has no requests left. */
export type Count = () => Promise<OperationAnswer | undefined>;

interface Sent<Name extends Operation> {
  readonly params?: Endpoints[Name]['params'];
  readonly query?: Endpoints[Name]['query'];
  readonly body?: Endpoints[Name]['body'];
  readonly headers?: Readonly<Record<string, string>>;
}

export type Result<Name extends Operation> = Endpoints[Name]['result'];

/** The body of the answer. Errors: refusals of the service (`refusals.ts`). */
export type Call = <Name extends Operation>(
  operation: Name,
  sent?: Sent<Name>,
) => Promise<Result<Name>>;

export function callThrough(invoke: Invoke): Call {
  return async <Name extends Operation>(operation: Name, sent: Sent<Name> = {}) => {
    const answer = await invoke(operation, { ...sent, ...namedValues(sent) });
    if (answer.status >= 400) throw refusalError(refusalOf(answer));
    return answer.body as Result<Name>;
  };
}

/** Values of path and query string that are there. */
function namedValues({ params, query }: { readonly params?: unknown; readonly query?: unknown }) {
  const present = (values: unknown) =>
    Object.fromEntries(
      Object.entries((values ?? {}) as object).filter(([, value]) => value !== undefined),
    ) as Record<string, string | number>;
  return { params: present(params), query: present(query) };
}

interface Envelope {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly details?: { readonly errors?: Refusal['problems']; readonly more_errors?: number };
    readonly request_id: string;
  };
}

/** The refusal of an answer. */
export function refusalOf({ status, headers, body }: OperationAnswer): Refusal {
  const { code = 'internal_error', message = '', param, details } = (body as Envelope).error ?? {};
  const alone = { message, ...(param === undefined ? {} : { param }) };
  const { errors, more_errors: more = 0, ...others } = details ?? {};
  const seconds = Number(headers['retry-after'] ?? 0);
  return { status, code, problems: errors ?? [{ ...others, ...alone }], more, seconds };
}
