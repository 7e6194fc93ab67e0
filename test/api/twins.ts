// Two databases that differ only in records that a person may not see, and the first request that they answer
// differently. The tests give the requests and the differences.

import http from 'node:http';
import { expect } from 'vitest';
import { call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export interface Comparison {
  /** A database to copy (`World.freeze`). */
  readonly frozen: string;
  /** Of a key, or the token of a session. */
  readonly secret: string;
  /** Statements that change all rows that the person may not see, and only those. */
  readonly hidden: readonly string[];
  readonly requests: readonly Sent[];
  /** Removes values from an answer that are new each time, such as ids of new records. */
  readonly normalise?: (text: string) => string;
}

/** Connections of which none is used twice at the same time; they end with the worlds. */
const AGENT = new http.Agent({ keepAlive: true });

/** The first request that two copies answer differently, if there is one. */
export async function findDifference({
  frozen,
  secret,
  hidden,
  requests,
  normalise = (text) => text,
}: Comparison): Promise<unknown> {
  const plain = await openWorld({}, frozen);
  const changed = await openWorld({}, frozen);
  try {
    for (const text of hidden) await changed.database.rows(text);
    for (const request of requests) {
      const [one, two] = await Promise.all([
        answerOf(plain, secret, request),
        answerOf(changed, secret, request),
      ]);
      expect(one.status, JSON.stringify(request)).toBeLessThan(500);
      const [text, other] = [one, two].map((answer) => normalise(JSON.stringify(answer)));
      if (text !== other) return { request, one, two };
    }
    return undefined;
  } finally {
    await Promise.all([plain.close(), changed.close()]);
  }
}

function credentialOf(secret: string): Record<string, string> {
  if (secret.startsWith('wrs_')) return { authorization: `Bearer ${secret}` };
  return { cookie: `wrs-1=${secret}`, 'sec-fetch-site': 'same-origin' };
}

/** Everything a caller gets but the request id, the date and the counters. */
async function answerOf(world: World, secret: string, { method, path, body }: Sent) {
  const headers = credentialOf(secret);
  const answer = await call(world.port, `/v1${path}`, { method, body, headers, agent: AGENT });
  return {
    status: answer.status,
    text: answer.text.replaceAll(/"request_id":"[^"]*"/g, ''),
    etag: answer.headers.etag?.split('.')[0],
    type: answer.headers['content-type'],
  };
}
