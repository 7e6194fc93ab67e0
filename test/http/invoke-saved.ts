// Values that requests take from earlier answers: their names in requests, and the places of the values in answers.

import { codeNow } from '../factor-world.ts';
import type { Step } from './invoke-steps.ts';

/** Put known values in the place of `$name`; of `#name` where it is a number; the code of a secret for `~name`. */
export function filledCall(call: Step['call'], known: (name: string) => string): Step['call'] {
  const text = JSON.stringify(call)
    .replaceAll(/"#(\w+)"/g, (_, name: string) => known(name))
    .replaceAll(/~(\w+)/g, (_, name: string) => codeNow(known(name)))
    .replaceAll(/\$(?!op\b)(\w+)/g, (_, name: string) => known(name));
  const parsed = JSON.parse(text) as Step['call'];
  const headers = Object.entries(parsed.headers ?? {}).filter(([, value]) => value !== '');
  const filled = { ...parsed, headers: Object.fromEntries(headers) };
  return Buffer.isBuffer(call.body) ? { ...filled, body: call.body } : filled;
}

/** Names with the answer's values at their paths, as text. */
export function savedFrom(
  names: Step['save'] = {},
  answered: unknown,
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(names).map(([name, path]) => {
    // biome-ignore lint/suspicious/noExplicitAny: a path into bodies of every form
    const found = path.split('.').reduce<any>((value, key) => value?.[key], answered);
    return [name, String(found).replaceAll('"', '')] as const;
  });
}
