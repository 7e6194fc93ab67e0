// A reader of live events: keeps its events, and the last id.

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedEvent {
  readonly name: string;
  /** Of the record it is about. */
  readonly record_id: string | undefined;
}

export interface EventReader {
  events(): readonly ReceivedEvent[];
  lastId(): string;
  close(): void;
}

const OPEN_WITHIN = 30_000;

/** Open a stream, again until the service answers; it has its first id then. */
export async function openEventReader(
  url: string,
  secret: string,
  lastEventId?: string,
): Promise<EventReader> {
  const giveUp = performance.now() + OPEN_WITHIN;
  while (performance.now() < giveUp) {
    const reader = await tryToOpen(url, secret, lastEventId).catch(() => undefined);
    if (reader !== undefined) return reader;
    await sleep(50);
  }
  throw new Error('no stream of events could be opened');
}

function tryToOpen(url: string, secret: string, lastEventId?: string): Promise<EventReader> {
  const headers = {
    authorization: `Bearer ${secret}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  return new Promise((resolve, reject) => {
    const events: ReceivedEvent[] = [];
    let [rest, lastId] = ['', ''];
    const request = http.get(`${url}/v1/events/stream`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) {
        request.destroy(new Error(`status ${response.statusCode}`));
        return;
      }
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (chunk: string) => {
        const blocks = `${rest}${chunk}`.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
          const event = eventOf(block);
          if (event !== undefined) events.push(event);
        }
        if (lastId !== '') resolve(reader);
      });
    });
    request.on('error', reject);
    const reader = {
      events: () => events,
      lastId: () => lastId,
      close: () => void request.destroy(),
    };
  });
}

function eventOf(block: string): ReceivedEvent | undefined {
  const name = /^event: (.*)$/m.exec(block)?.[1];
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (name === undefined || data === undefined) return undefined;
  const { record_id } = JSON.parse(data) as { readonly record_id?: string };
  return { name, record_id };
}
