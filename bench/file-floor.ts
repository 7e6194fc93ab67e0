// The floor of downloads: a bare `node:http` server that streams one file from the disk. A process of its own, started by
// files.ts.

import { createReadStream, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

process.once('message', (path: string) => {
  const { size } = statSync(path);
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': size, Connection: 'close' });
    createReadStream(path).pipe(response);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());
