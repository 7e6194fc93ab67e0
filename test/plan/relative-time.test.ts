// Names of time zones: those of the IANA database, and abbreviations and other names that runtimes take for zones.

import { expect, test } from 'vitest';
import { isTimeZone } from '../../src/plan/read/relative-time.ts';

test.each([
  ...['Europe/Berlin', 'europe/berlin', 'America/Indiana/Knox', 'Etc/GMT+12', 'US/Pacific'],
  ...['UTC', 'GMT', 'gb', 'NZ', 'ROK', 'PRC', 'CET', 'EST', 'EST5EDT', 'Japan', 'W-SU', 'Zulu'],
])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

test.each([
  ...['ACT', 'AET', 'AGT', 'ART', 'AST', 'BET', 'BST', 'CAT', 'CNT', 'CST', 'CTT', 'EAT', 'ECT'],
  ...['IET', 'IST', 'JST', 'MIT', 'NET', 'NST', 'PLT', 'PNT', 'PRT', 'PST', 'SST', 'VST', 'bst'],
  ...['SystemV/PST8', 'SystemV/PST8PDT', 'posix/Europe/Berlin', 'right/UTC', 'posixrules'],
  ...['localtime', 'Factory', '+02:00', 'UTC+3', 'Europe', 'Europe/', '/Berlin', '', null, 1],
])('%j is none', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
