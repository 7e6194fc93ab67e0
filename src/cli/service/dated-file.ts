// Files of the demo with dates that depend on the day on which it is made: {today+3} and {workday-2} are days,
// {workday-2 10:00} is a moment of one, {now-90} is so many minutes before now.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface DatedFile {
  readonly path: string;
  /** Removes it, if it is a copy. */
  readonly remove: () => void;
}

/** The file itself, or a copy with the dates of this moment. */
export function writeDated(path: string, now: Date): DatedFile {
  const text = readFileSync(path, 'utf8');
  const dated = datedText(text, now);
  if (dated === text) return { path, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'workspace-records-'));
  const copy = join(folder, basename(path));
  writeFileSync(copy, dated);
  return { path: copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const PLACE = /\{(today|workday|now)([+-]\d+)?(?: (\d\d:\d\d))?\}/g;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A workday is from Monday to Friday; before or after one, weekends do not count. */
export function datedText(text: string, now: Date): string {
  return text.replaceAll(PLACE, (_, base: string, offset = '0', time?: string) => {
    const by = Number(offset);
    if (base === 'now') return new Date(now.getTime() + by * MINUTE_MS).toISOString();
    const day = base === 'today' ? now.getTime() + by * DAY_MS : workday(now.getTime(), by);
    const date = new Date(day).toISOString().slice(0, 10);
    return time === undefined ? date : `${date}T${time}:00.000Z`;
  });
}

function workday(from: number, by: number): number {
  const step = by < 0 ? -DAY_MS : DAY_MS;
  let day = from;
  for (let left = Math.abs(by); left > 0; left -= 1) {
    do day += step;
    while (isWeekend(day));
  }
  while (isWeekend(day)) day += step;
  return day;
}

function isWeekend(time: number): boolean {
  return new Date(time).getUTCDay() % 6 === 0;
}
