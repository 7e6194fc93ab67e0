// `npm run bench:mcp`: the latency of calls of tools against that of the requests they stand for, in turns on the demo.
// A call may take 1.5 times its request and 3 ms.
//   --seconds N  length of one measurement (3)
//   --rounds N   measurements of each side (5)

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareLatencies, type Load, type Request, warmUp } from './measure.ts';
import { startService } from './processes.ts';
import { printResult } from './report.ts';
import { openSite, type Visitor } from './site.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
  },
});
/** One request at a time: the cost of a call, not of a crowd. */
const load: Load = {
  seconds: Number(options.seconds),
  rounds: Number(options.rounds),
  connections: 1,
};

interface Compared {
  readonly task: string;
  readonly tool: string;
  readonly sent: object;
  readonly request: Request;
}

function comparedWith(id: string): readonly Compared[] {
  const records = '/v1/objects/deals/records';
  const where = { field: 'status', op: 'eq', value: 'engaging' };
  const question = { where, fields: ['close_value', 'close_date'], limit: 20 };
  const figures = {
    group_by: ['status'],
    metrics: [{ name: 'value', op: 'sum', field: 'close_value' }],
  };
  const post = (path: string, body: object): Request => {
    return { path, method: 'POST', body: JSON.stringify(body) };
  };
  return [
    {
      ...{ task: 'get', tool: 'get', sent: { object_type: 'deals', id } },
      request: { path: `${records}/${id}` },
    },
    {
      ...{ task: 'query', tool: 'query', sent: { object_type: 'deals', ...question } },
      request: post(`${records}/query`, question),
    },
    {
      ...{ task: 'aggregate', tool: 'aggregate', sent: { object_type: 'deals', ...figures } },
      request: post(`${records}/aggregate/query`, figures),
    },
    {
      ...{ task: 'search', tool: 'search', sent: { text: 'acme', limit: 10 } },
      request: { path: '/v1/search?q=acme&limit=10' },
    },
  ];
}

async function compare(visitor: Visitor, { task, tool, sent, request }: Compared): Promise<void> {
  const params = { name: tool, arguments: sent };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const called = visitor.asks([{ path: '/mcp', method: 'POST', body: JSON.stringify(message) }]);
  const requested = visitor.asks([request]);
  for (const side of [called, requested]) await warmUp(side, 300, 1);
  const { first, second } = await compareLatencies(called, requested, load);
  printResult({
    task: `MCP: ${task}`,
    service: `${first.toFixed(2)} ms`,
    floor: `${second.toFixed(2)} ms`,
    figure: first - 1.5 * second,
    target: { at: 'most', value: 3, unit: 'ms' },
  });
}

const folder = mkdtempSync(join(tmpdir(), 'records-bench-mcp-'));
try {
  // The demo is there before the site, which runs without one.
  await (await startService(folder)).stop();
  const site = await openSite(folder);
  try {
    const visitor = await site.visit('demo');
    const [row] = await site.db.query({
      text: 'select id from ws_demo.deals order by id limit 1',
      values: [],
    });
    for (const one of comparedWith(String(row?.id))) await compare(visitor, one);
  } finally {
    await site.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
