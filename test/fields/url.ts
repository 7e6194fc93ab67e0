// The values that fields of type `url` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isText, ORDERED } from '../field-samples.ts';
import { NOT_TEXTS } from './free-text.ts';

export const samples: FieldSamples = {
  accepted: [
    ['https://example.com', 'https://example.com'],
    ['HTTPS://WWW.Example.COM/Path?Q=A#F', 'https://www.example.com/Path?Q=A#F'],
    ['http://User:PassWord@Example.com:8080/X', 'http://User:PassWord@example.com:8080/X'],
    ['http://[2001:DB8::1]/A', 'http://[2001:db8::1]/A'],
    ['https://example.com?A=B', 'https://example.com?A=B'],
    ['', null],
  ],
  refused: [
    ...NOT_TEXTS,
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https:///path',
    'https://a b.com',
    'https://example.com/a b',
    ' https://example.com',
    'https://example.com\n',
    `https://example.com/${'x'.repeat(481)}`,
  ],
  pool: ['https://a.example/X', 'https://a.example/x', `https://a.example/${'x'.repeat(300)}`],
  arbitrary: fc.webUrl({ size: 'small', withQueryParameters: true }),
  cells: [['HTTP://A.example/X', 'http://a.example/X']],
  operators: ORDERED,
  aggregates: ['min', 'max'],
  isOrdered: true,
  isRefusedAsWell: isText,
  page: {
    about: 'An address of the web; scheme and host are stored in lower case.',
    takes: ['HTTPS://Example.com/A'],
    refuses: ['example.com', 'ftp://example.com'],
  },
};
