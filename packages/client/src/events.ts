// Live events, over one connection after another: events during a gap are sent after the next connection, and none is
// delivered twice.

import {
  type Connection,
  connectionFailed,
  outgoing,
  PLAIN,
  requireVisible,
} from './connection.ts';
import { errorOfAnswer, isRecordsError, recordsError } from './errors.ts';
import { isLasting, sleep, waitBefore } from './retry.ts';
import type { Endpoints } from './schema.ts';
import { openSeenIds, type SeenIds } from './seen-ids.ts';

export type LiveEvent = Endpoints['streamEvents']['result'];

export interface StreamOptions {
  /** The `id` of the last event that was handled: the events after it come first. */
  readonly lastEventId?: string | undefined;
  /** Called for each connection; from the second one on there was a gap before. */
  readonly onOpen?: (() => void) | undefined;
  /** Called with each `id`, after its event was handled, also on a quiet stream: the position for a later start. */
  readonly onPosition?: ((lastEventId: string) => void) | undefined;
  /** Ends the stream; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds without a byte after which a connection is dead: the service writes every 15 seconds. */
const SILENCE = 45_000;

interface Place {
  lastEventId: string | undefined;
  /** Milliseconds to wait before connecting again, as the service says. */
  wait: number;
  failures: number;
  readonly seen: SeenIds;
}

/**
 * Every event once, until the caller stops or the key may no longer read. A client that starts again later with the
 * `id` of an event may get some of the events before it a second time.
 */
export async function* streamEvents(
  connection: Connection,
  options: StreamOptions = {},
): AsyncGenerator<LiveEvent, void, undefined> {
  const { lastEventId, signal } = options;
  if (lastEventId !== undefined) requireVisible('lastEventId', lastEventId);
  const position: Place = { lastEventId, wait: 1000, failures: 0, seen: openSeenIds() };
  for (;;) {
    let wait: number;
    try {
      yield* eventsOfConnection(connection, position, options);
      // When a process of the service ends, all of its readers come at once.
      wait = position.wait * (0.5 + Math.random());
    } catch (error) {
      if (!isRecordsError(error) || isLasting(error)) throw error;
      wait = waitBefore(position.failures, error.retryAfter);
      position.failures += 1;
    }
    await sleep(wait, signal);
  }
}

async function* eventsOfConnection(
  connection: Connection,
  place: Place,
  { signal, onOpen, onPosition }: StreamOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let isFirst = true;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const forward = () => stop.abort();
  signal?.addEventListener('abort', forward, { once: true });
  try {
    for await (const block of blocksOf(connection, place.lastEventId, stop)) {
      place.failures = 0;
      if (isFirst) onOpen?.();
      isFirst = false;
      const before = place.lastEventId;
      const event = takeBlock(block, place);
      if (event !== undefined) yield event;
      const { lastEventId: id } = place;
      if (id !== undefined && id !== before) onPosition?.(id);
    }
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    throw isRecordsError(cause) ? cause : connectionFailed(cause);
  } finally {
    signal?.removeEventListener('abort', forward);
    stop.abort();
  }
}

/** The text between empty lines. It ends with the connection. */
async function* blocksOf(
  connection: Connection,
  lastEventId: string | undefined,
  stop: AbortController,
): AsyncGenerator<string, void, undefined> {
  const { url, ...request } = outgoing(connection, 'streamEvents', {
    headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
  });
  const withinTime = <Result>(wait: Promise<Result>): Promise<Result> => {
    const timer = setTimeout(() => stop.abort(), SILENCE);
    return wait.finally(() => clearTimeout(timer));
  };
  const response = await withinTime(
    connection.fetch(url, {
      ...{ ...request, ...PLAIN, credentials: connection.credentials },
      signal: stop.signal,
    }),
  );
  if (!response.ok) throw errorOfAnswer(response, await withinTime(response.text()));
  requireStream(response);
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const piece = await (reader && withinTime(reader.read()));
    if (piece === undefined || piece.done) return;
    const blocks = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function requireStream({ status, headers }: Response): void {
  if (headers.get('content-type')?.startsWith('text/event-stream')) return;
  const message = 'The answer is not a stream of events.';
  throw recordsError({ code: 'unexpected_answer', message, status });
}

/** Note the stream's own settings in a block; returns the event in it, if it is a new one. */
function takeBlock(block: string, place: Place): LiveEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      if (colon < 0) return [line, ''];
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
  place.lastEventId = fields.get('id') ?? place.lastEventId;
  const wait = Number(fields.get('retry'));
  if (wait > 0) place.wait = wait;
  const [event, text] = [fields.get('event'), fields.get('data')];
  if (event === undefined || text === undefined) return undefined;
  const data = JSON.parse(text);
  if (!place.seen.isNew(data)) return undefined;
  const { lastEventId: id } = place;
  return { event, data, ...(id === undefined ? {} : { id }) } as LiveEvent;
}
