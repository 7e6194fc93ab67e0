// The settings of a process, read once from the environment. Every default is a working one; a value
// that cannot be meant is refused with one line that names the variable.

import { operatorError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { type OidcProvider, readOidcProviders } from './oidc-settings.ts';

export interface Config {
  /** PostgreSQL to use; undefined means the embedded one in `dataDirectory`. */
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** `{slug}.{baseDomain}` is a workspace's host; undefined accepts every host. */
  readonly baseDomain: string | undefined;
  /** Addresses whose X-Forwarded-* headers count. */
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** True: sessions over plain http that is not of this machine. */
  readonly allowInsecureSessions: boolean;
  readonly oidcProviders: readonly OidcProvider[];
  /** False: the interface only, without the application for browsers. */
  readonly application: boolean;
  /** The header of this name on every answer; undefined: none. */
  readonly strictTransportSecurity: string | undefined;
  /** Open streams of live events in a process. */
  readonly streamsPerKey: number;
  readonly streamsPerWorkspace: number;
  /** Processes that answer requests on one port. */
  readonly workers: number;
  /** Where the metrics are; undefined: nowhere. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  readonly poolSize: number;
  readonly statementTimeout: number;
  readonly requestsPerMinute: number;
  readonly bodyBytes: number;
  readonly batchBodyBytes: number;
  readonly logLevel: string;
  /** False: an empty database stays empty. */
  readonly demo: boolean;
  /** True: a database that may lose acknowledged writes is good enough. */
  readonly allowUnsafeDatabase: boolean;
  /** False: a database that is behind this release is refused, not migrated. */
  readonly migrate: boolean;
  /** True: connections come from a pooler and last for a transaction. */
  readonly databasePooled: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Read the settings. Units: milliseconds and bytes. */
export function readConfig(environment: Environment = process.env): Config {
  const text = (name: string) => environment[name]?.trim() || undefined;
  const list = (name: string) => (text(name) ?? '').split(/[\s,]+/).filter((item) => item !== '');
  const integer = (name: string, fallback: number, minimum: number, maximum: number) =>
    readInteger(name, text(name), { fallback, minimum, maximum });
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw operatorError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  const demo = oneOf('DEMO', text('DEMO'), ['on', 'off']);
  const pooler = oneOf('DATABASE_POOLER', text('DATABASE_POOLER'), ['none', 'transaction']);
  const insecure = oneOf('ALLOW_INSECURE_SESSIONS', text('ALLOW_INSECURE_SESSIONS'), ['off', 'on']);
  const unsafe = oneOf('UNSAFE_DATABASE', text('UNSAFE_DATABASE'), ['refuse', 'allow']);
  return Object.freeze({
    databaseUrl: text('DATABASE_URL'),
    dataDirectory: text('DATA_DIRECTORY') ?? './data',
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65_535),
    baseDomain: text('BASE_DOMAIN')?.toLowerCase(),
    trustedProxies: list('TRUSTED_PROXIES'),
    corsOrigins: list('CORS_ORIGINS'),
    allowInsecureSessions: insecure === 'on',
    oidcProviders: readOidcProviders(environment),
    application: oneOf('APPLICATION', text('APPLICATION'), ['on', 'off']) === 'on',
    strictTransportSecurity: readTransportSecurity(text('STRICT_TRANSPORT_SECURITY')),
    streamsPerKey: integer('STREAMS_PER_KEY', LIMITS.eventStreamsOfKey, 1, LIMITS.eventStreams),
    streamsPerWorkspace: integer(
      'STREAMS_PER_WORKSPACE',
      LIMITS.eventStreamsOfWorkspace,
      1,
      LIMITS.eventStreams,
    ),
    workers: integer('WORKERS', 1, 1, 64),
    metricsPort:
      text('METRICS_PORT') === undefined ? undefined : integer('METRICS_PORT', 0, 0, 65_535),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    poolSize: integer('POOL_SIZE', 10, 1, 1000),
    statementTimeout: integer('STATEMENT_TIMEOUT_MS', 5000, 1, 600_000),
    requestsPerMinute: integer('REQUESTS_PER_MINUTE', LIMITS.requestsPerMinute, 1, 1_000_000_000),
    bodyBytes: integer('BODY_LIMIT_BYTES', LIMITS.bodyBytes, 1024, 1_000_000_000),
    batchBodyBytes: integer('BATCH_BODY_LIMIT_BYTES', LIMITS.batchBodyBytes, 1024, 1_000_000_000),
    logLevel,
    demo: demo === 'on',
    migrate: oneOf('MIGRATIONS', text('MIGRATIONS'), ['apply', 'check']) === 'apply',
    allowUnsafeDatabase: unsafe === 'allow',
    databasePooled: pooler === 'transaction',
  });
}

/** RFC 6797 §6.1. */
function readTransportSecurity(text: string | undefined): string | undefined {
  if (
    text === undefined ||
    /^max-age=\d{1,10}(?: *; *(?:includeSubDomains|preload))*$/i.test(text)
  ) {
    return text;
  }
  throw operatorError(
    `STRICT_TRANSPORT_SECURITY must be such as "max-age=31536000; includeSubDomains", not "${text}".`,
  );
}

/** One of two words, the first of them when nothing is said. */
function oneOf(
  name: string,
  value: string | undefined,
  words: readonly [fallback: string, other: string],
): string {
  const word = value ?? words[0];
  if (words.includes(word)) return word;
  throw operatorError(`${name} must be ${words.join(' or ')}, not "${word}".`);
}

function readInteger(
  name: string,
  text: string | undefined,
  bounds: { readonly fallback: number; readonly minimum: number; readonly maximum: number },
): number {
  if (text === undefined) return bounds.fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.minimum && value <= bounds.maximum) return value;
  throw operatorError(
    `${name} must be a whole number from ${bounds.minimum} to ${bounds.maximum}, not "${text}".`,
  );
}
