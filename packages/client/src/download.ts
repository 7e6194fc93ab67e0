// An answer that is a file, handed on as it comes.

import { type Connection, connectionFailed, outgoing, type Parts, PLAIN } from './connection.ts';
import { errorOfAnswer } from './errors.ts';
import type { CallOptions } from './request.ts';

/** Once, and without a limit of time: files may be large. Errors: those of a call. */
export async function download(
  connection: Connection,
  name: 'getRejects' | 'getExportFile' | 'getRecordFile',
  parts: Parts,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<Response> {
  const { url, ...request } = outgoing(connection, name, parts);
  const { credentials, fetch: send } = connection;
  const init = { ...request, ...PLAIN, credentials, signal: signal ?? null };
  const response = await send(url, init).catch((cause: unknown) => {
    throw signal?.aborted === true ? signal.reason : connectionFailed(cause);
  });
  if (!response.ok) throw errorOfAnswer(response, await response.text());
  return response;
}
