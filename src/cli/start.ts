// `start`: opens the database, builds the server and listens until it is told to stop. Requests are
// logged to standard output, one JSON line each; what a person at the terminal needs goes to stderr.

import closeWithGrace from 'close-with-grace';
import type { Command } from 'commander';
import { destination, type Logger, pino } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { operatorError } from '../errors.ts';
import { startSweeping } from '../flow/sweeper.ts';
import type { RunningServer } from '../http/server.ts';
import { loadTrigrams } from '../store/index-builds.ts';
import { assembleService } from './assemble.ts';
import { type Connected, connect } from './connect.ts';
import type { AnnounceDemo } from './demo.ts';

interface StartArguments {
  readonly host?: string;
  readonly port?: string;
}

/** Puts first data into an empty database before the service listens. */
export type LoadDemo = (connected: Connected) => Promise<AnnounceDemo>;

const NO_TRIGRAMS =
  'Note: the extension pg_trgm is missing; text in lists of large tables is searched without an index.\n';
/** Bytes of log that are written together; what is left is written every second. */
const LOG_BLOCK = 12_288;
/** Milliseconds from the signal to the forced end. */
const GRACE = 10_000;

export function addStartCommand(
  program: Command,
  loadDemo: LoadDemo = async () => () => undefined,
): void {
  program
    .command('start')
    .description('Start the service.')
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option('--port <number>', 'port to listen on (default: PORT or 3000)')
    .action((options: StartArguments) => start(options, loadDemo));
}

interface Running {
  closing: boolean;
  server: RunningServer | undefined;
  sweeper: ReturnType<typeof startSweeping> | undefined;
}

async function start({ host, port }: StartArguments, loadDemo: LoadDemo): Promise<void> {
  const config = readConfig({
    ...process.env,
    ...(host === undefined ? {} : { HOST: host }),
    ...(port === undefined ? {} : { PORT: port }),
  });
  const log = openLog(config);
  // Never the error itself: its properties hold statements and settings.
  const onIdleError = ({ message }: Error) =>
    log.logger.warn({ reason: message }, 'idle database connection failed');
  const connected = await connect({ purpose: 'service', config, onIdleError });
  const running: Running = { closing: false, server: undefined, sweeper: undefined };
  const grace = closeWithGrace({ delay: GRACE, logger: false }, async ({ err }) => {
    running.closing = true;
    running.sweeper?.stop();
    if (err !== undefined) log.logger.fatal({ stack: err.stack }, 'stopping after a failure');
    await running.server?.close();
    await connected.close();
    log.flush();
  });
  try {
    if ((await loadTrigrams(connected.db)) === undefined) process.stderr.write(NO_TRIGRAMS);
    const announceDemo = await loadDemo(connected);
    running.server = await assembleService({ ...connected, logger: log.logger });
    running.sweeper = startSweeping(connected.db, (error) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.logger.warn({ reason }, 'old answers could not be deleted');
    });
    announceDemo(await listen(running.server, config));
  } catch (error) {
    // A signal during the start: what failed, failed because the database is being closed.
    if (running.closing) return;
    grace.uninstall();
    await connected.close();
    throw explainListen(error, config);
  }
}

/** Answers the address it listens on. */
async function listen(server: RunningServer, { host, port }: Config): Promise<string> {
  const bound = await server.listen({ host, port });
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  process.stderr.write(`Listening on ${address}/v1 (reference: ${address}/reference)\n`);
  return address;
}

interface Log {
  readonly logger: Logger;
  readonly flush: () => void;
}

/** Written in blocks unless a person reads along: a write for each line costs more than the line. */
function openLog({ logLevel }: Config): Log {
  const live = process.stdout.isTTY === true;
  const stream = destination({ dest: 1, sync: live, minLength: live ? 0 : LOG_BLOCK });
  // A log that cannot be written, a full disk or a closed pipe, must not stop the service.
  stream.on('error', () => undefined);
  const flush = () => {
    try {
      stream.flushSync();
    } catch {
      // Nothing was opened or nothing can be written.
    }
  };
  if (!live) setInterval(() => stream.flush(), 1000).unref();
  return { logger: pino({ level: logLevel, base: null }, stream), flush };
}

function explainListen(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'the port is in use; choose another with --port or PORT',
    EACCES: 'this user may not listen on the port; choose one above 1023',
    EADDRNOTAVAIL: 'the address is not one of this machine; choose another with --host or HOST',
    ENOTFOUND: 'the host name is not known; choose another with --host or HOST',
  };
  const reason = reasons[String(code)];
  return reason === undefined
    ? error
    : operatorError(`Cannot listen on ${host}:${port}: ${reason}.`, error);
}
