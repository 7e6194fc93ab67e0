// No connection is opened to addresses that are not public: literal ones, those of names, and those of names that
// change. A server on every loopback address counts.

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAddressRules } from '../../src/webhooks/addresses.ts';
import { openHostResolver } from '../../src/webhooks/resolve-host.ts';
import { openWebhookSender, type SenderOptions } from '../../src/webhooks/send.ts';
import { type Answers, openNameServer } from './name-server.ts';
import { PRIVATE_HOSTS } from './private-hosts.ts';
import { listen, type Receiver, webhookTo } from './receiver.ts';

/** On all addresses of this machine, of both families. */
let receiver: Receiver;
beforeAll(async () => {
  receiver = await listen(
    createServer((_, response) => response.end('reached')),
    '::',
  );
});
afterAll(() => receiver.close());

async function withSender<Result>(
  options: Partial<SenderOptions> & { readonly allow?: readonly string[] },
  work: (send: (url: string) => Promise<string | number>) => Promise<Result>,
): Promise<Result> {
  const rules = openAddressRules({ allowNetworks: options.allow ?? [], proxied: false });
  const sender = openWebhookSender({ rules, proxy: undefined, userAgent: 'test', ...options });
  try {
    return await work(async (url) => {
      const result = await sender.send(webhookTo(url));
      return result.kind === 'answered' ? result.status : result.reason;
    });
  } finally {
    await sender.close();
  }
}

async function withNames<Result>(
  answers: Answers,
  work: (resolve: ReturnType<typeof openHostResolver>, asked: readonly string[]) => Promise<Result>,
) {
  const { server, asked, close } = await openNameServer(answers);
  try {
    return await work(openHostResolver([server]), asked);
  } finally {
    await close();
  }
}

/** The connections that an action has opened. */
async function connectionsOf(action: () => Promise<unknown>): Promise<number> {
  const before = receiver.connections();
  await action();
  return receiver.connections() - before;
}

test('a literal address in any spelling is refused before a connection', async () => {
  const opened = await connectionsOf(() =>
    withSender({}, async (send) => {
      for (const host of PRIVATE_HOSTS) {
        for (const scheme of ['http', 'https']) {
          expect(await send(`${scheme}://${host}:${receiver.port}/`), host).toBe('address_refused');
        }
      }
    }),
  );
  expect(opened).toBe(0);
});

test('the same spellings of loopback are reached when they are allowed', async () => {
  const spellings = PRIVATE_HOSTS.map((host) => new URL(`http://${host}:${receiver.port}/`)).filter(
    ({ hostname }) => hostname.startsWith('127.') || hostname === '[::1]',
  );
  expect(spellings.length).toBeGreaterThan(20);
  await withSender({ allow: ['127.0.0.0/8', '::1'] }, async (send) => {
    for (const { href } of spellings) expect(await send(href), href).toBe(200);
  });
});

describe('a name', () => {
  const port = () => receiver.port;

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['0.0.0.0']],
    [['::']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['64:ff9b::7f00:1']],
    [['fe80::1']],
    // One private address among public ones is enough, wherever it is.
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '::1']],
    [['2606:4700::1111', '127.0.0.1']],
  ])('with %j is not connected to', async (addresses) => {
    const opened = await connectionsOf(() =>
      withNames(
        () => addresses,
        (resolve) =>
          withSender({ resolve }, async (send) => {
            expect(await send(`https://hooks.example:${port()}/`)).toBe('address_refused');
          }),
      ),
    );
    expect(opened).toBe(0);
  });

  test('is connected to by the address that was checked', async () => {
    let answers = 0;
    const opened = await connectionsOf(() =>
      withNames(
        () => [++answers <= 2 ? '127.0.0.2' : '127.0.0.1'],
        (resolve, asked) =>
          withSender({ resolve, allow: ['127.0.0.2'] }, async (send) => {
            expect(await send(`http://hooks.example:${port()}/`)).toBe(200);
            // Both types of address, once each: nothing resolves the name again.
            expect(asked).toEqual(['hooks.example', 'hooks.example']);
          }),
      ),
    );
    expect(opened).toBe(1);
  });

  test('that changes to a private address is refused from then on', async () => {
    let address = '127.0.0.2';
    await withNames(
      () => [address],
      async (resolve) => {
        const options = { resolve, allow: ['127.0.0.2'] };
        const url = `http://rebinding.example:${port()}/`;
        await withSender(options, async (send) => expect(await send(url)).toBe(200));
        address = '127.0.0.1';
        const opened = await connectionsOf(() =>
          withSender(options, async (send) => {
            for (let index = 0; index < 20; index += 1) {
              expect(await send(url)).toBe('address_refused');
            }
          }),
        );
        expect(opened).toBe(0);
      },
    );
  });

  test('that changes with each query is connected to only when it was checked', async () => {
    let queries = 0;
    // Two queries for each resolution: both of one resolution get the same address.
    const answers = () => [Math.floor(queries++ / 2) % 2 === 0 ? '127.0.0.2' : '127.0.0.1'];
    const opened = await connectionsOf(() =>
      withNames(answers, async (resolve) => {
        for (let index = 0; index < 20; index += 1) {
          await withSender({ resolve, allow: ['127.0.0.2'] }, async (send) => {
            const wanted = index % 2 === 0 ? 200 : 'address_refused';
            expect(await send(`http://rebinding.example:${port()}/`)).toBe(wanted);
          });
        }
      }),
    );
    expect(opened).toBe(10);
  });

  test('that does not exist, or whose server is silent, is a failure', async () => {
    const answers: Answers = (name) => (name === 'silent.example' ? 'silent' : undefined);
    await withNames(answers, (resolve) =>
      withSender({ resolve, timeLimit: 500 }, async (send) => {
        expect(await send('https://missing.invalid/')).toBe('name_not_found');
        expect(await send('https://silent.example/')).toBe('timeout');
      }),
    );
  });

  test('that only the system knows is resolved by it', async () => {
    await withNames(
      () => undefined,
      async (resolve) => {
        const addresses = (await resolve('localhost')).map(({ address }) => address);
        expect(addresses.length).toBeGreaterThan(0);
        for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
      },
    );
  });
});
