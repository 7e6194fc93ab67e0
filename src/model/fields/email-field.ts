// `email`: an e-mail address in lower case.

import { isEmailAddress } from '../../../packages/tables/src/text-shapes.ts';
import { say } from '../../messages/message.ts';
import { sqlText } from '../values/sql-text.ts';
import { defineTextType } from './text-values.ts';

export const emailField = defineTextType({
  name: 'email',
  takes: ['email'],
  card: { property: 'EMAIL', reaches: true },
  defaultMaxLength: 320,
  // Letters beyond ASCII are taken, which the format "email" does not allow.
  schema: { type: 'string', format: 'idn-email' },
  search: { kind: 'email', byDefault: true, subtitleRank: 1 },
  normalise: (text) => text.toLowerCase(),
  readCell: (text) => ({ value: text.trim() }),
  // Lower case has two small sigmas; the place of the capital decides which one.
  equalityKey: {
    name: 'mail',
    column: sqlText`case when octet_length({column}) = length({column}) then {column} else replace(normalize({column}, nfc), 'ς', 'σ') end`,
    of: (email) => email.normalize('NFC').replaceAll('ς', 'σ'),
    ordered: true,
  },
  check: (text) => (isEmailAddress(text) ? undefined : say('must_be_email')),
});
