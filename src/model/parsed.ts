// The result of parsing a value.

/** A canonical value or the sentence that describes its problem. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

export function problem(text: string): Parsed {
  return { problem: text };
}
