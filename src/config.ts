// The settings of a process, read once from the environment. Every default is a working one; a value
// that cannot be meant is refused with one line that names the variable.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type BucketSettings, readBucketSettings } from './bucket-settings.ts';
import { operatorError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { type MailConfig, readMailConfig } from './mail-settings.ts';
import { isNetwork } from './model/rights/network.ts';
import { parseSecretKey } from './model/rights/sealed-secret.ts';
import { nearestName } from './model/text/nearest-name.ts';
import { type OidcProvider, readOidcProviders } from './oidc-settings.ts';

export interface Config extends MailConfig {
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
  /** The key that may create workspaces over HTTP; undefined: creating over HTTP is not possible. */
  readonly operatorKey: string | undefined;
  /** Networks that webhooks may reach besides public addresses. */
  readonly webhookAllowNetworks: readonly string[];
  /** Through which webhooks are sent; undefined: directly. */
  readonly webhookProxy: string | undefined;
  /** Keys that seal stored secrets, in base64; the first one seals, the others open. */
  readonly secretsKeys: readonly string[];
  /** The file of further keys. */
  readonly secretsKeyFile: string;
  /** Bytes of all files on records of a workspace. */
  readonly filesQuotaBytes: number;
  /** The store of files on records; undefined: in `dataDirectory`. */
  readonly filesBucket: BucketSettings | undefined;
  /** False: the interface only, without the application for browsers. */
  readonly application: boolean;
  /** True: programs of others get access by OAuth, to which a person agrees in the application. */
  readonly oauth: boolean;
  /** The header of this name on every answer; undefined: none. */
  readonly strictTransportSecurity: string | undefined;
  /**
   * The address for reports of vulnerabilities of this installation: `mailto:…` or `https://…`; undefined: none is
   * published.
   */
  readonly securityContact: string | undefined;
  /** Open streams of live events in a process. */
  readonly streamsPerKey: number;
  readonly streamsPerWorkspace: number;
  /** Days that readers may be behind in changes. */
  readonly changesKeptDays: number;
  /** Processes that answer requests on one port. */
  readonly workers: number;
  /** The port of the metrics; undefined: there are none. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  readonly poolSize: number;
  /** Seconds in which a process that will stop answers requests. */
  readonly drainSeconds: number;
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

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`);

type Environment = Readonly<Record<string, string | undefined>>;

/** 10 GiB; at most 100 TiB. */
const FILES_QUOTA = { fallback: 10 * 2 ** 30, minimum: 0, maximum: 100 * 2 ** 40 };

/** Processes of `WORKERS=auto`: each keeps a core busy, and PostgreSQL another one. */
const MOST_AUTOMATIC_WORKERS = 8;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Read the settings. Units: milliseconds and bytes. */
export function readConfig(environment: Environment = process.env): Config {
  const text = (name: string) => environment[name]?.trim() || undefined;
  const list = (name: string) => (text(name) ?? '').split(/[\s,]+/).filter((item) => item !== '');
  const integer = (name: string, fallback: number, minimum: number, maximum: number) =>
    readInteger(name, text(name), { fallback, minimum, maximum });
  const streams = (name: string, fallback: number) =>
    integer(name, fallback, 1, LIMITS.eventStreams);
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) {
    throw operatorError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${logLevel}".`);
  }
  const dataDirectory = text('DATA_DIRECTORY') ?? './data';
  const demo = oneOf('DEMO', text('DEMO'), ['on', 'off']);
  const pooler = oneOf('DATABASE_POOLER', text('DATABASE_POOLER'), ['none', 'transaction']);
  const insecure = oneOf('ALLOW_INSECURE_SESSIONS', text('ALLOW_INSECURE_SESSIONS'), ['off', 'on']);
  const unsafe = oneOf('UNSAFE_DATABASE', text('UNSAFE_DATABASE'), ['refuse', 'allow']);
  return Object.freeze({
    databaseUrl: text('DATABASE_URL'),
    dataDirectory,
    host: text('HOST') ?? '127.0.0.1',
    port: integer('PORT', 3000, 0, 65_535),
    baseDomain: readBaseDomain(text('BASE_DOMAIN')),
    trustedProxies: list('TRUSTED_PROXIES'),
    corsOrigins: list('CORS_ORIGINS').map(requireOrigin),
    allowInsecureSessions: insecure === 'on',
    oidcProviders: readOidcProviders(environment),
    operatorKey: readOperatorKey(text('OPERATOR_KEY')),
    ...readMailConfig(text),
    webhookAllowNetworks: list('WEBHOOK_ALLOW_NETWORKS').map(requireNetwork),
    webhookProxy: readProxy(text('WEBHOOK_PROXY')),
    secretsKeys: list('SECRETS_KEY').map(requireSecretKey),
    secretsKeyFile: text('SECRETS_KEY_FILE') ?? join(dataDirectory, 'secrets.key'),
    ...readFileSettings(environment),
    ...readOauth(text),
    strictTransportSecurity: readTransportSecurity(text('STRICT_TRANSPORT_SECURITY')),
    securityContact: readContact(text('SECURITY_CONTACT')),
    streamsPerKey: streams('STREAMS_PER_KEY', LIMITS.eventStreamsOfKey),
    streamsPerWorkspace: streams('STREAMS_PER_WORKSPACE', LIMITS.eventStreamsOfWorkspace),
    changesKeptDays: integer('CHANGES_KEPT_DAYS', 30, 1, 3650),
    workers:
      (text('WORKERS') ?? 'auto') === 'auto'
        ? automaticWorkers(availableParallelism())
        : integer('WORKERS', 1, 1, 64),
    metricsPort:
      text('METRICS_PORT') === undefined ? undefined : integer('METRICS_PORT', 0, 0, 65_535),
    metricsHost: text('METRICS_HOST') ?? '127.0.0.1',
    drainSeconds: integer('DRAIN_SECONDS', 5, 0, 600),
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

/** Variables without a meaning that are nearly the name of a setting, in sentences (D695). */
export function misspeltSettings(environment: Environment = process.env): readonly string[] {
  const names = new Set(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'FILES_S3_BUCKET']);
  const noting = new Proxy(environment, {
    get(target, name) {
      names.add(String(name));
      return target[String(name)];
    },
  });
  readConfig(noting);
  return Object.keys(environment).flatMap((name) => {
    if (names.has(name) || name.length < SHORTEST_MISSPELT || !/^[A-Z][A-Z0-9_]*$/i.test(name))
      return [];
    const near = nearestName(name.toUpperCase(), [...names]);
    // A name with another word, such as TEST_DATABASE_URL, belongs to something else.
    const isNear = near !== undefined && Math.abs(near.length - name.length) <= 3;
    return !isNear ? [] : [`${name} is not a setting and is ignored; did you mean ${near}?`];
  });
}

/** Shorter names, such as HOME, are near to too many others. */
const SHORTEST_MISSPELT = 6;

/** By default OAuth is on where the service has a public address, and people can agree in the application. */
function readOauth(text: (name: string) => string | undefined) {
  const application = oneOf('APPLICATION', text('APPLICATION'), ['on', 'off']) === 'on';
  const hasAddress = application && text('PUBLIC_URL') !== undefined;
  const words = hasAddress ? (['on', 'off'] as const) : (['off', 'on'] as const);
  const oauth = oneOf('OAUTH', text('OAUTH'), words) === 'on';
  if (oauth && !application) throw operatorError('OAUTH=on needs the application: APPLICATION=on.');
  return { application, oauth };
}

function readFileSettings(
  environment: Environment,
): Pick<Config, 'filesQuotaBytes' | 'filesBucket'> {
  const quota = environment.FILES_QUOTA_BYTES?.trim() || undefined;
  return {
    filesQuotaBytes: readInteger('FILES_QUOTA_BYTES', quota, FILES_QUOTA),
    filesBucket: readBucketSettings(environment),
  };
}

/** One process for every two cores, at most eight (docs/operations.md, Sizes). */
export function automaticWorkers(cores: number): number {
  return Math.min(MOST_AUTOMATIC_WORKERS, Math.max(1, Math.floor(cores / 2)));
}

/** A host name as RFC 1123 §2.1 has it, without scheme, port or path. */
function readBaseDomain(text: string | undefined): string | undefined {
  const domain = text?.toLowerCase();
  if (domain === undefined || DOMAIN.test(domain)) return domain;
  throw operatorError(`BASE_DOMAIN must be a host name such as "crm.example.com", not "${text}".`);
}

/** Too long to guess; visible characters, as a header needs them. */
function readOperatorKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]{32,200}$/.test(text)) return text;
  throw operatorError('OPERATOR_KEY must have 32 to 200 visible ASCII characters.');
}

/** `*`, or an origin spelled as browsers send it (RFC 6454 §6.2). */
function requireOrigin(text: string): string {
  const isWeb = /^https?:\/\//.test(text);
  const isOrigin = isWeb
    ? URL.canParse(text) && new URL(text).origin === text
    : /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+$/.test(text);
  if (text === '*' || isOrigin) return text;
  throw operatorError(
    `CORS_ORIGINS must be "*" or origins such as "https://app.example.com", not "${text}".`,
  );
}

function requireNetwork(text: string): string {
  if (isNetwork(text)) return text;
  throw operatorError(
    `WEBHOOK_ALLOW_NETWORKS must be networks such as "10.0.0.0/8" or "fd00::/8", not "${text}".`,
  );
}

/** The message does not repeat the text, which may contain a password. */
function readProxy(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && isProxy(new URL(text)))) return text;
  throw operatorError(
    'WEBHOOK_PROXY must be an address such as "http://user:password@proxy.example.com:3128".',
  );
}

function isProxy({ protocol, pathname, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

function requireSecretKey(text: string): string {
  if (parseSecretKey(text) !== undefined) return text;
  throw operatorError(
    'SECRETS_KEY must be keys of 32 bytes in base64, as "openssl rand -base64 32" makes them.',
  );
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

/** An address, or a URI as RFC 9116 §2.5.3 has it. */
function readContact(given: string | undefined): string | undefined {
  const isAddress = given !== undefined && /^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(given);
  const text = isAddress ? `mailto:${given}` : given;
  if (text === undefined || /^(?:mailto:[^\s@]+@|https:\/\/)[\x21-\x7e]{1,500}$/.test(text))
    return text;
  throw operatorError(
    `SECURITY_CONTACT must be such as "security@example.com" or "https://…", not "${text}".`,
  );
}

/** One of two words; the first is the default. */
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
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= bounds.minimum && value <= bounds.maximum) return value;
  throw operatorError(
    `${name} must be a whole number from ${bounds.minimum} to ${bounds.maximum}, not "${text}".`,
  );
}
