// Questions of one moment are one request, and each is answered, refused and given up by itself.

import { createClient, type ObjectQuestion } from '@workspace-records/client';
import { expect, test } from 'vitest';
import { askTogether } from '../src/lib/ask-together.ts';

interface Asked {
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

/** A client whose requests are answered here: questions about `nope` are refused. */
function openClient() {
  const asked: Asked[] = [];
  const answer = (types: readonly string[]): Response => {
    if (types.includes('nope')) return refusal(404, 'object_not_available');
    const data = types.map((object_type) => ({ data: [{ object_type }], pagination: {} }));
    return Response.json({ data });
  };
  const client = createClient({
    baseUrl: 'http://127.0.0.1',
    apiKey: 'wrs_p_x',
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      asked.push({ path: pathname, signal: init?.signal ?? undefined });
      const type = /objects\/([^/]+)\//.exec(pathname)?.[1];
      if (type !== undefined) {
        const alone = answer([type]);
        return alone.ok ? Response.json((await alone.json()).data[0]) : alone;
      }
      const { queries } = JSON.parse(String(init?.body)) as {
        readonly queries: readonly ObjectQuestion[];
      };
      return answer(queries.map(({ object_type }) => object_type));
    },
  });
  return { client, paths: () => asked.map(({ path }) => path.replace('/v1', '')), asked };
}

function refusal(status: number, code: string): Response {
  return Response.json({ error: { type: 'invalid_request', code, message: code } }, { status });
}

const typeOf = ({ data }: { readonly data: readonly object[] }) =>
  (data[0] as { readonly object_type: string }).object_type;

test('one is sent to its own endpoint, several at once, ten at most', async () => {
  const { client, paths } = openClient();
  expect(typeOf(await askTogether(client, { object_type: 'a' }))).toBe('a');
  expect(paths()).toEqual(['/objects/a/records/query']);
  const types = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const pages = await Promise.all(types.map((object_type) => askTogether(client, { object_type })));
  expect(pages.map(typeOf)).toEqual(types);
  expect(paths().slice(1)).toEqual(['/query', '/query']);
});

test('later queries go out later', async () => {
  const { client, paths } = openClient();
  await Promise.all([
    askTogether(client, { object_type: 'a' }),
    askTogether(client, { object_type: 'b' }),
  ]);
  await askTogether(client, { object_type: 'c' });
  expect(paths()).toEqual(['/query', '/objects/c/records/query']);
});

test('one that is refused does not refuse the others', async () => {
  const { client, paths } = openClient();
  const [first, second] = await Promise.allSettled([
    askTogether(client, { object_type: 'nope' }),
    askTogether(client, { object_type: 'b' }),
  ]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'object_not_available' } });
  expect(second.status).toBe('fulfilled');
  expect(paths()).toEqual(['/query', '/objects/nope/records/query', '/objects/b/records/query']);
});

test('a cancelled query is not sent, and the others are', async () => {
  const { client, paths } = openClient();
  const signal = AbortSignal.abort(new Error('left'));
  const [left, stays] = await Promise.allSettled([
    askTogether(client, { object_type: 'a' }, signal),
    askTogether(client, { object_type: 'b' }),
  ]);
  expect(left).toMatchObject({ status: 'rejected', reason: { message: 'left' } });
  expect(stays.status).toBe('fulfilled');
  expect(paths()).toEqual(['/objects/b/records/query']);
});
