// Why something failed, in the words of what failed.

/** The innermost cause; refused connections to several addresses come without a message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

/** The message alone, for the log: other properties of an error hold statements and settings. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
