// In comparisons of tests a message equals its text, and an object without `message_id` the same one with it: tests of
// messages name the ids (http/error-messages.test.ts), the others need not repeat them.

import { expect } from 'vitest';

type Entries = Readonly<Record<string, unknown>>;

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutIds({ message_id: _, params: _params, ...others }: Entries): Entries {
  return others;
}

expect.addEqualityTesters([
  function (a, b, testers) {
    if (!isEntries(a)) return undefined;
    if (typeof b === 'string' && 'id' in a && 'text' in a) return a.text === b;
    if (!isEntries(b)) return undefined;
    if ('message_id' in a && !('message_id' in b))
      return this.equals(withoutIds(a), b, testers) || undefined;
    const { details, ...others } = a;
    if ('details' in b || !isEntries(details) || !('message_id' in details)) return undefined;
    const isEqual =
      Object.keys(withoutIds(details)).length === 0 && this.equals(others, b, testers);
    return isEqual || undefined;
  },
]);
