// Options that may be repeated on the command line.

/** The values of an option, in their order. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
