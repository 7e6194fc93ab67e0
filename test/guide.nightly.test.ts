// The guide: every command in it is run, in order, against the demo, and prints what the page shows.

import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendWebhooks } from '../src/cli/service/sending-webhooks.ts';
import { putListeningOrigin } from '../src/control/process/listening-origin.ts';
import { exporting } from '../src/export/export-job.ts';
import { exportingWorkspaces } from '../src/export/workspace-export-job.ts';
import { openFileStore } from '../src/files/file-store.ts';
import { openEventFeeds } from '../src/flow/events/event-feed.ts';
import { changingMany } from '../src/flow/jobs/bulk-job.ts';
import { erasing } from '../src/flow/jobs/erasure-job.ts';
import { type JobRunner, startJobs } from '../src/flow/jobs/job-runner.ts';
import type { WebhookRunner } from '../src/flow/webhooks/webhook-runner.ts';
import { importing } from '../src/import/import-job.ts';
import { COMMAND, TSX } from './cli/command-process.ts';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { blocksOf, isAsShown, outputOf, stepsOf, writeScript } from './guide-blocks.ts';
import { createOwnDatabase, type OwnDatabase } from './own-database.ts';

const ROOT = resolve(import.meta.dirname, '..');
const GUIDE = join(ROOT, 'docs', 'guide');
const PAGES = readdirSync(GUIDE).filter((name) => name.endsWith('.md'));
const textOf = (page: string) => readFileSync(join(GUIDE, page), 'utf8');

let world: DemoWorld;
let warehouse: OwnDatabase;
let folder: string;
let jobs: JobRunner;
let hooks: WebhookRunner;

/** The database of another system, as the guide writes it. */
const WAREHOUSE = 'postgres://user:password@warehouse.example.com/warehouse';

beforeAll(async () => {
  world = await openDemoWorld();
  warehouse = await createOwnDatabase();
  const { db, listeners } = world.own;
  // As `start` does, which listens there.
  await putListeningOrigin(db, 'http://127.0.0.1:3000');
  jobs = await startJobs({
    ...{ db, listeners, onError: console.error },
    kinds: [
      ...[importing(db), exporting(db), changingMany(db), erasing(db)],
      exportingWorkspaces(db, { store: openFileStore(world.config), release: '1.2.3' }),
    ],
  });
  hooks = await sendWebhooks({
    ...{ db, listeners, config: world.config, logger: pino({ level: 'silent' }) },
    feeds: openEventFeeds({ db, keptDays: 30, onError: console.error }),
    requestsInFlight: () => 0,
  });
  folder = mkdtempSync(join(tmpdir(), 'records-guide-'));
  // As after `npm ci`: what that builds, commands-for-tests.ts has built, the client too.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // As `npm init -y` makes it.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
});
afterAll(async () => {
  await hooks?.stop();
  await jobs?.stop();
  await warehouse?.drop();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** `npx` for the programs of this repository. */
const PRELUDE = `
npx() {
  local name=$1; shift
  case $name in
    workspace-records) node "$COMMAND" "$@" ;;
    tsx)
      # In the background, the process that the page ends.
      [ "$BASHPID" = "$$" ] || exec node --import "$TSX" "$@"
      node --import "$TSX" "$@" ;;
    *) return 127 ;;
  esac
}`;

function run(script: string): Promise<number | null> {
  const child = spawn('bash', [script], {
    cwd: dirname(script),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...world.own.environment,
      COMMAND,
      TSX,
      NO_COLOR: '1',
    },
  });
  return new Promise((done) => child.once('close', done));
}

/** The programs that the reader of a page needs besides Node. */
const isMissing = (name: string) => spawnSync(name, ['--version']).error !== undefined;
const neededBy = (page: string) =>
  ['bash', 'curl', 'jq', 'python3'].filter(
    (name) => name !== 'python3' || textOf(page).includes('python3 '),
  );

test.for(PAGES)('%s', async (page, { skip }) => {
  const missing = neededBy(page).filter(isMissing);
  // A machine without them can still run the other tests.
  skip(missing.length > 0, `${page} is not run: ${missing.join(', ')} is missing.`);
  const blocks = blocksOf(textOf(page));
  for (const { language, title, line } of blocks) {
    const isKnown = ['sh', 'json', 'text'].includes(language) || title !== undefined;
    expect(isKnown, `${page}:${line} is neither a command, nor printed, nor a file`).toBe(true);
  }
  const steps = stepsOf(blocks);
  const own = join(folder, 'pages', page.replace('.md', ''));
  const replacements = [
    ['http://127.0.0.1:3000', world.origin],
    ['wrs_p_…', world.admin.secret],
    [WAREHOUSE, warehouse.environment.DATABASE_URL],
  ] as const;
  const script = writeScript(blocks, { folder: own, replacements, prelude: PRELUDE });
  const status = await run(script);
  for (const [index, { command, shown }] of steps.entries()) {
    const place = `${page}:${command.line}`;
    const printed = outputOf(own, index);
    expect(printed, `${place} was not run`).toBeDefined();
    if (shown === undefined || isAsShown(shown.text, printed ?? '')) continue;
    expect(printed, `${place} prints something else`).toBe(shown.text);
  }
  expect([status, existsSync(join(own, 'done'))], outputOf(own, steps.length - 1)).toEqual([
    0,
    true,
  ]);
});

test('every link leads somewhere', () => {
  for (const page of PAGES) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\(([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? join(GUIDE, page) : join(GUIDE, file);
      expect(existsSync(path), `${page} links to ${target}`).toBe(true);
      if (anchor === undefined || !path.endsWith('.md')) continue;
      const anchors = [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        (title as string)
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .trim()
          .replaceAll(/\s/g, '-'),
      );
      expect(anchors, `${page} links to ${target}`).toContain(anchor);
    }
  }
});
