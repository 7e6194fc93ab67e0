// The result of parsing a value.

import type { Message } from '../../messages/message.ts';

/** A canonical value or its problem. */
export type Parsed = { readonly value: unknown } | { readonly problem: Message };

export function problem(message: Message): Parsed {
  return { problem: message };
}
