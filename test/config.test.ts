// The settings of a process: defaults, and values that cannot be meant.

import { describe, expect, test } from 'vitest';
import { automaticWorkers, misspeltSettings, readConfig } from '../src/config.ts';

describe('processes', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [15, 7],
    [16, 8],
    [64, 8],
  ])('%i cores: %i', (cores, processes) => {
    expect(automaticWorkers(cores)).toBe(processes);
  });

  test('auto is the default', () => {
    const { workers } = readConfig({});
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(workers);
    expect(readConfig({ WORKERS: '3' }).workers).toBe(3);
    expect(() => readConfig({ WORKERS: 'many' })).toThrow(/^WORKERS must be a whole number/);
  });
});

test.each(['crm.example.com', 'localhost', 'CRM.example.com', 'a-1.b'])(
  'BASE_DOMAIN %s',
  (text) => {
    expect(readConfig({ BASE_DOMAIN: text }).baseDomain).toBe(text.toLowerCase());
  },
);

test.each([
  'https://x',
  'x:3000',
  'x/y',
  'x y',
  '-x.com',
  '.x.com',
  'x..com',
  '*.x.com',
  `${'a'.repeat(64)}.com`,
])('BASE_DOMAIN %s is refused', (text) => {
  expect(() => readConfig({ BASE_DOMAIN: text })).toThrow(/^BASE_DOMAIN must be a host name/);
});

test.each(['*', 'https://app.example.com', 'http://localhost:5173', 'capacitor://localhost'])(
  'CORS_ORIGINS %s',
  (text) => {
    expect(readConfig({ CORS_ORIGINS: text }).corsOrigins).toEqual([text]);
  },
);

test.each([
  'foo',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://app.example.com:443',
  'https://app.example.com/page',
  'null',
])('CORS_ORIGINS %s is refused', (text) => {
  expect(() => readConfig({ CORS_ORIGINS: `https://good.example, ${text}` })).toThrow(
    /^CORS_ORIGINS must be/,
  );
});

test('OPERATOR_KEY is long enough', () => {
  expect(readConfig({}).operatorKey).toBeUndefined();
  expect(readConfig({ OPERATOR_KEY: 'k'.repeat(32) }).operatorKey).toBe('k'.repeat(32));
  for (const text of ['k'.repeat(31), 'k'.repeat(201), `${'k'.repeat(40)}é`]) {
    expect(() => readConfig({ OPERATOR_KEY: text })).toThrow(/^OPERATOR_KEY must have 32/);
  }
});

const KEY = Buffer.alloc(32, 1).toString('base64');

test('SECRETS_KEY has keys of 32 bytes', () => {
  const other = Buffer.alloc(32, 0xff).toString('base64url');
  expect(readConfig({}).secretsKeys).toEqual([]);
  expect(readConfig({ SECRETS_KEY: KEY }).secretsKeys).toEqual([KEY]);
  expect(readConfig({ SECRETS_KEY: ` ${KEY}, ${other} ` }).secretsKeys).toEqual([KEY, other]);
  for (const bad of ['secret', KEY.slice(4), `${KEY}${KEY}`, 'f'.repeat(64), `${KEY},x`]) {
    const read = () => readConfig({ SECRETS_KEY: bad });
    expect(read, bad).toThrow(/^SECRETS_KEY must be keys of 32 bytes in base64[^f]*$/);
  }
});

test('SECRETS_KEY_FILE is in the data directory', () => {
  expect(readConfig({}).secretsKeyFile).toBe('data/secrets.key');
  expect(readConfig({ DATA_DIRECTORY: '/srv/data' }).secretsKeyFile).toBe('/srv/data/secrets.key');
  const named = { DATA_DIRECTORY: '/srv/data', SECRETS_KEY_FILE: '/run/secrets/key' };
  expect(readConfig(named).secretsKeyFile).toBe('/run/secrets/key');
});

test.each(['10.0.0.0/8', '10.1.2.3', '0.0.0.0/0', 'fd00::/8', '::1', '::/0', '64:ff9b::/96'])(
  'WEBHOOK_ALLOW_NETWORKS %s',
  (text) => {
    const { webhookAllowNetworks } = readConfig({ WEBHOOK_ALLOW_NETWORKS: `${text} 127.0.0.1` });
    expect(webhookAllowNetworks).toEqual([text, '127.0.0.1']);
  },
);

test.each([
  ...[
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '010.0.0.1',
  ],
  ...['::/129', 'fe80::1%eth0', '::ffff:10.0.0.0/104', '::ffff:a00:1', 'localhost', '*', '10.*'],
])('WEBHOOK_ALLOW_NETWORKS %s is refused', (text) => {
  expect(() => readConfig({ WEBHOOK_ALLOW_NETWORKS: `10.0.0.0/8,${text}` })).toThrow(
    /^WEBHOOK_ALLOW_NETWORKS must be networks/,
  );
});

test.each(['http://proxy:3128', 'https://user:p%40ss@proxy.example.com', 'http://[::1]:8080/'])(
  'WEBHOOK_PROXY %s',
  (text) => {
    expect(readConfig({ WEBHOOK_PROXY: text }).webhookProxy).toBe(text);
  },
);

test.each([
  ...[
    'proxy:3128',
    'socks5://proxy:1080',
    'http://',
    'http://proxy/path',
    'http://proxy/?a=hidden',
  ],
  ...['http://proxy/#a', 'user:hidden@proxy'],
])('WEBHOOK_PROXY %s is refused', (text) => {
  const read = () => readConfig({ WEBHOOK_PROXY: text });
  expect(read).toThrow(/^WEBHOOK_PROXY must be an address/);
  expect(read).not.toThrow(/hidden/);
});

describe('a bucket for files', () => {
  const BUCKET = {
    FILES_S3_ENDPOINT: 'https://s3.example.com/',
    FILES_S3_BUCKET: 'papers',
    FILES_S3_ACCESS_KEY_ID: 'id',
    FILES_S3_SECRET_ACCESS_KEY: 'secret',
  };

  test('is none without an endpoint', () => {
    expect(readConfig({ FILES_S3_BUCKET: 'papers' }).filesBucket).toBeUndefined();
    expect(readConfig(BUCKET).filesBucket).toEqual({
      ...{ endpoint: 'https://s3.example.com', bucket: 'papers', prefix: '', region: 'us-east-1' },
      ...{ accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  test.each([
    [{ FILES_S3_ENDPOINT: 'ftp://x' }, /^FILES_S3_ENDPOINT must be/],
    [{ FILES_S3_BUCKET: 'a/b' }, /^FILES_S3_BUCKET must be/],
    [{ FILES_S3_PREFIX: '../x/' }, /^FILES_S3_PREFIX must be/],
    [{ FILES_S3_PREFIX: 'x' }, /^FILES_S3_PREFIX must be/],
    [{ FILES_S3_SECRET_ACCESS_KEY: '' }, /needs FILES_S3_SECRET_ACCESS_KEY as well/],
    [{ FILES_QUOTA_BYTES: '-1' }, /^FILES_QUOTA_BYTES must be/],
  ])('%j is refused', (settings, message) => {
    expect(() => readConfig({ ...BUCKET, ...settings })).toThrow(message);
  });
});

test('a misspelt setting is named with the setting that was meant', () => {
  const environment = {
    ...{ HOME: '/home/ada', HOSTNAME: 'h', LOGNAME: 'ada', TEST_DATABASE_URL: 'x', PATH: '/bin' },
    ...{ POOL_SIZE: '5', OIDC_SALES_ISSUER: '', REQUEST_PER_MINUTE: '9', TRUSTED_PROXY: '::1' },
    ...{ DATABASE_URI: 'x', SECURITY_CONTACTS: 'x', OIDC_ISSUR: 'x', log_level: 'info' },
  };
  expect(misspeltSettings(environment)).toEqual([
    'REQUEST_PER_MINUTE is not a setting and is ignored; did you mean REQUESTS_PER_MINUTE?',
    'TRUSTED_PROXY is not a setting and is ignored; did you mean TRUSTED_PROXIES?',
    'DATABASE_URI is not a setting and is ignored; did you mean DATABASE_URL?',
    'SECURITY_CONTACTS is not a setting and is ignored; did you mean SECURITY_CONTACT?',
    'OIDC_ISSUR is not a setting and is ignored; did you mean OIDC_ISSUER?',
    'log_level is not a setting and is ignored; did you mean LOG_LEVEL?',
  ]);
});
