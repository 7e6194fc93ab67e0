// The result of parsing a value.

/** A canonical value or the sentence that says what is wrong with it. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

export function problem(text: string): Parsed {
  return { problem: text };
}
