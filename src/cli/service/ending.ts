// The external causes that end a service: signals, and the end of the npm that has started it.

/** Signals of a person, of a closed terminal, or of a supervisor of processes. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals of a crash of the process itself. A process that handles one of these never ends: the handler returns
 * to where it came from, and it comes again. Node crashes at its exit when its terminal is gone.
 */
export const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'] as const;

/**
 * Milliseconds in which signals count as one. A terminal sends Ctrl-C to every process, npm passes it
 * on as well; a terminal that is closed and its shell both send SIGHUP.
 */
const ONCE_WITHIN = 500;
const LOOK_EVERY = 250;
/** Read before anything is loaded: the parent may go at any time. */
const PARENT = process.ppid;

/**
 * Call `stop` at a signal; a later one ends the process at once. SIGTERM, the signal of supervisors, waits for `drain`
 * before; another signal meanwhile calls `stop` at once.
 */
export function stopOnSignals(
  stop: () => void,
  drain: () => Promise<void> = async () => undefined,
): () => void {
  let latest = Number.NEGATIVE_INFINITY;
  let state: 'running' | 'draining' | 'stopping' = 'running';
  const stopNow = () => {
    if (state === 'stopping') return;
    state = 'stopping';
    stop();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const isRepeated = performance.now() - latest <= ONCE_WITHIN;
    latest = performance.now();
    if (isRepeated) return;
    if (state === 'stopping') process.exit(1);
    if (signal !== 'SIGTERM' || state === 'draining') return stopNow();
    state = 'draining';
    void drain().then(stopNow);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of ENDING_SIGNALS) process.removeListener(signal, onSignal);
  };
}

/**
 * Call `stop` when the npm that runs this process has ended: it passes SIGINT and SIGTERM on, but not the signal of a
 * closed terminal, and no signal when it is killed.
 */
export function stopWithNpm(stop: () => void): void {
  const { npm_lifecycle_event: script } = process.env;
  // Scripts of other names may start a service and leave it running.
  if (script !== 'start' && script !== 'npx') return;
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY).unref();
}
