// The number of connections that each process of the service uses for requests, given the room that the server has.
// Pure.

/** The connections for keys and rate windows and for notifications, in addition to the ones for requests. */
export const ACCESS_CONNECTIONS = 2;
const NOTIFICATION_CONNECTIONS = 2;
/** The connections of each process in addition to the ones for requests. */
export const OTHER_CONNECTIONS = ACCESS_CONNECTIONS + NOTIFICATION_CONNECTIONS;
/**
 * The connections of jobs: each of two jobs needs one for its turn, one to build by and one to watch the build; imports
 * have three writers and one that looks records up.
 */
export const JOB_CONNECTIONS = 8;
/** One to read changes and records by, one to store what became of them, one to look for changes of webhooks. */
export const WEBHOOK_CONNECTIONS = 3;
/** The connections of the first process when it sends mail: one finds mails, one makes and stores them. */
export const MAIL_CONNECTIONS = 2;
/** Further connections of the first process; one is for notifications about webhooks. */
const OF_FIRST = JOB_CONNECTIONS + WEBHOOK_CONNECTIONS + 1;
/** With fewer, one slow statement would keep a process from answering anything else. */
const LEAST_POOL = 2;

interface PoolSettings {
  readonly workers: number;
  /** The connections of each process for requests. */
  readonly poolSize: number;
  /** Undefined: the service sends no mail. */
  readonly mail?: object | undefined;
}

export interface ConnectionBudget {
  readonly poolSize: number;
  /** A sentence for the operator, when there is less room than the settings want. */
  readonly note?: string;
}

/** The pool of each process shrinks to the room there is, and never below two connections. */
export function fitPool({ workers, poolSize, mail }: PoolSettings, room: number): ConnectionBudget {
  const ofFirst = OF_FIRST + (mail === undefined ? 0 : MAIL_CONNECTIONS);
  const wanted = workers * (poolSize + OTHER_CONNECTIONS) + ofFirst;
  if (room >= wanted) return { poolSize };
  const each = Math.floor((room - ofFirst) / workers) - OTHER_CONNECTIONS;
  const fitting = Math.min(poolSize, Math.max(LEAST_POOL, each));
  const processes = workers === 1 ? 'the process' : `each of ${workers} processes`;
  return {
    poolSize: fitting,
    note:
      `The database accepts ${room} more connections, and the settings need ${wanted}: ${processes} uses ` +
      `${fitting} for requests instead of ${poolSize}. Raise max_connections, or lower POOL_SIZE or WORKERS.`,
  };
}
