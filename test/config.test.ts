// The settings of a process: defaults, and values that cannot be meant.

import { describe, expect, test } from 'vitest';
import { automaticWorkers, readConfig } from '../src/config.ts';

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
