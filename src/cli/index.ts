#!/usr/bin/env node
// Refuses a Node.js that is too old, before it loads code that needs a newer one.

import { refuseNode } from './service/node-release.ts';

const refusal = refuseNode(process.versions.node);
if (refusal === undefined) {
  await import('./command-entry.ts');
} else {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
}
