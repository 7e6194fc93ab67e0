// A process that sends one webhook to a name that it resolves to 127.0.0.1, and prints the result:
// `node --import tsx send-child.mjs <url> [proxy]`. Which authorities are trusted is in its environment.

import { openAddressRules } from '../../src/webhooks/addresses.ts';
import { openWebhookSender } from '../../src/webhooks/send.ts';
import { makeWebhookSecret } from '../../src/webhooks/signature.ts';

const [, , url = '', proxy] = process.argv;
const sender = openWebhookSender({
  rules: openAddressRules({ allowNetworks: ['127.0.0.1'], proxied: proxy !== undefined }),
  proxy,
  userAgent: 'test',
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
});
const result = await sender.send({
  ...{ receiver: 'one', url, id: 'evt_1', attempt: 1, body: '{}', headers: {} },
  secrets: [makeWebhookSecret()],
});
await sender.close();
process.stdout.write(JSON.stringify(result));
