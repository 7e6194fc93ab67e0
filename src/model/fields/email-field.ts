// `email`: an e-mail address in lower case.

import { defineTextType } from './text-values.ts';

const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]+$/u;

export const emailField = defineTextType({
  name: 'email',
  defaultMaxLength: 320,
  // Letters beyond ASCII are taken, which the format "email" does not allow.
  schema: { type: 'string', format: 'idn-email' },
  search: { kind: 'email', byDefault: true, subtitleRank: 1 },
  normalise: (text) => text.toLowerCase(),
  check: (text) => (EMAIL.test(text) ? undefined : 'must be an e-mail address'),
});
