// The key of one intent: it is sent with each attempt, and the service does it once.

/** `randomUUID` is missing in pages that did not come over HTTPS. */
export function makeKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
