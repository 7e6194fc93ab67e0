// Times on the command line: a moment, or a length of time from now.

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };

/**
 * `2027-01-31`, `2027-01-31T12:00:00Z` as text; `45m`, `12h`, `30d` as seconds, so that the clock of the
 * database counts; undefined when it is neither.
 */
export function parseMoment(text: string): string | number | undefined {
  const duration = /^([1-9][0-9]{0,5})([mhd])$/.exec(text);
  if (duration !== null) return Number(duration[1]) * (SECONDS[duration[2] ?? ''] ?? 0);
  const isMoment = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
  return isMoment && !Number.isNaN(Date.parse(text)) ? new Date(text).toISOString() : undefined;
}
