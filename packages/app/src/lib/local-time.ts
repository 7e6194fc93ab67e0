// Moments as the control of the browser for date and time has them: `2026-11-25T10:00`, in the time of its place.

/** The local time of a moment of the API. */
export function localTimeOf(value: string): string {
  const date = new Date(value);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Undefined: none was entered. */
export function momentOf(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
