// Checks every answer of the service (V10, V11): only statuses that the rules allow, errors in the envelope, no
// internal details, no data of another workspace.

/** In every text of the other workspace. */
export const CANARY = 'zq7canary';
/** In every address of the first one. */
export const OWN_MARK = '@acme.example';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Recorder {
  /** `forbidden`: text that must not be in it. */
  note(answer: Answer, forbidden: string): void;
  readonly counts: ReadonlyMap<number, number>;
  readonly problems: readonly string[];
}

const ALLOWED = new Set([
  ...[200, 201, 202, 304, 400, 401, 403, 404, 408, 409, 412, 422, 429, 500, 503],
]);
/** SQL, stacks, paths, the driver, and what systems call their errors. */
const LEAK =
  /\bselect .+ from\b|\binsert into\b|pg_|node_modules|\bat \w+ \(|\/src\/|\/dist\/|\bE(?:CONN|PIPE|TIMEDOUT)|SQLSTATE|_idempotency|ws_acme|postgres/i;
const MOST_PROBLEMS = 20;

export function openRecorder(): Recorder {
  const counts = new Map<number, number>();
  const problems: string[] = [];
  function complain(text: string): void {
    if (problems.length < MOST_PROBLEMS) problems.push(text);
  }
  return {
    counts,
    problems,
    note(answer, forbidden) {
      const { status, headers, body } = answer;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (!ALLOWED.has(status)) complain(`V10 status ${status}: ${body.slice(0, 200)}`);
      if (headers['x-request-id'] === undefined) complain(`V10 ${status} without X-Request-Id`);
      if (body.includes(forbidden)) complain(`V11 an answer holds text of another workspace`);
      if (status >= 400) for (const text of problemsOf(answer)) complain(`V10 ${text}`);
    },
  };
}

/** The problems of an error. */
function problemsOf({ status, headers, body }: Answer): readonly string[] {
  const found: string[] = [];
  const shown = `${status} ${body.slice(0, 200)}`;
  if (LEAK.test(body)) found.push(`leak: ${shown}`);
  try {
    const { error } = JSON.parse(body) as { error?: Record<string, unknown> };
    const { type, code, message, request_id } = error ?? {};
    const texts = [type, code, message, request_id];
    if (texts.some((text) => typeof text !== 'string')) found.push(`no envelope: ${shown}`);
    if (request_id !== headers['x-request-id']) found.push(`request ids differ: ${shown}`);
  } catch {
    found.push(`no JSON: ${shown}`);
  }
  if (status === 503 && headers['retry-after'] === undefined) {
    found.push(`503 without Retry-After: ${shown}`);
  }
  return found;
}
