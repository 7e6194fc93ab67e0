// One stream of live events for all tabs of a browser: the tab that holds a lock reads it and passes everything on; when it
// is closed, the next one continues where it was. A browser has six connections to a service over HTTP/1.1.

import { type Client, isRecordsError, type RecordsError } from '@workspace-records/client';
import { askToSignIn, nextSignIn } from '../lib/sign-in-again.ts';
import type { Message } from './message.ts';

export interface OneStream {
  /** Sends a message to all other tabs. */
  tell(message: Message): void;
  stop(): void;
}

interface Tab {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Undefined when it was refused: what came since is not known. */
  position: string | undefined;
  isLeader: boolean;
  /** Sends a message to this tab and all others. */
  share(message: Message): void;
}

interface StreamSource {
  readonly client: Client;
  /** The name of the stream: the workspace and its person, because other people have another stream. */
  readonly name: string;
  /** The position at which the stream begins: it is before everything that was read. */
  readonly position: string;
}

export function openOneStream(
  { client, name, position }: StreamSource,
  receive: (message: Message) => void,
): OneStream {
  const channel = new BroadcastChannel(name);
  const over = new AbortController();
  const tell = (message: Message) => {
    if (!over.signal.aborted) channel.postMessage(message);
  };
  const tab: Tab = {
    ...{ client, signal: over.signal, position, isLeader: false },
    share(message) {
      tell(message);
      receive(message);
    },
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'position') tab.position = data.id;
    if (data.kind === 'arrived' && tab.isLeader && tab.position !== undefined) {
      tell({ kind: 'position', id: tab.position });
    }
    receive(data);
  });
  tell({ kind: 'arrived' });
  void inTurn(name, tab);
  return {
    tell,
    stop() {
      over.abort();
      channel.close();
    },
  };
}

/** Pages over plain http of another machine have no locks: each of their tabs reads for itself. */
async function inTurn(name: string, tab: Tab): Promise<void> {
  const { signal } = tab;
  const alone = () => lead(tab);
  try {
    await (navigator.locks?.request(name, { signal }, alone) ?? alone());
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function lead(tab: Tab): Promise<void> {
  tab.isLeader = true;
  while (!tab.signal.aborted) {
    try {
      await read(tab);
    } catch (error) {
      if (!tab.signal.aborted) await recover(tab, error);
    }
  }
}

/** Until the stream fails for good, the tab stops, or the network comes back: then waiting longer would be in vain. */
async function read(tab: Tab): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  addEventListener('online', end);
  tab.signal.addEventListener('abort', end);
  try {
    const stream = tab.client.events.stream({
      lastEventId: tab.position,
      signal: stop.signal,
      onOpen() {
        tab.share({ kind: 'opened' });
        if (tab.position === undefined) tab.share({ kind: 'gap' });
      },
      onPosition(id) {
        tab.position = id;
        tab.share({ kind: 'position', id });
      },
    });
    for await (const event of stream) tab.share({ kind: 'event', event });
  } finally {
    removeEventListener('online', end);
    tab.signal.removeEventListener('abort', end);
  }
}

/** The client repeats requests where that helps; its final failures concern the session, or the position. */
async function recover(tab: Tab, error: unknown): Promise<void> {
  const isStopped = error instanceof DOMException && error.name === 'AbortError';
  if (isStopped) return;
  if (!isRecordsError(error)) throw error;
  if (error.status === 400) {
    tab.position = undefined;
    return;
  }
  await untilSignedIn(error);
}

async function untilSignedIn(error: RecordsError): Promise<void> {
  const isSignedIn = error.status === 401 && (await askToSignIn(error));
  if (!isSignedIn) await nextSignIn();
}
