// A process with many open streams of live events: notes when each comment arrives on each of them.

import http from 'node:http';

export interface ListenTask {
  readonly url: string;
  /** One stream each. */
  readonly authorizations: readonly string[];
}

/** Milliseconds since 1970, with fractions: comparable between processes of one machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Arrivals by the number that a comment has as its text. */
const arrivals = new Map<number, number[]>();

function listen(url: string, authorization: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = http.get(`${url}/v1/events/stream`, { agent: false, headers: { authorization } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`a stream answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.once('data', () => resolve());
      response.on('data', (chunk: string) => {
        const lines = `${rest}${chunk}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) note(line);
      });
    });
  });
}

function note(line: string): void {
  const number = Number(/"body":"(\d+)"/.exec(line)?.[1]);
  if (Number.isNaN(number)) return;
  const times = arrivals.get(number) ?? [];
  times.push(now());
  arrivals.set(number, times);
}

process.on('message', async (message: ListenTask | 'report') => {
  if (message === 'report') {
    process.send?.([...arrivals]);
    return;
  }
  const waiting = [...message.authorizations];
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await listen(message.url, next);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  process.send?.('listening');
});
process.on('disconnect', () => process.exit(0));
