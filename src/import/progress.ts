// Shows the progress of an import: a bar on a terminal, a line now and then elsewhere.

export interface Progress {
  update(done: number): void;
  /** Show the end, or leave the place where it stopped. */
  finish(): void;
}

export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR_EVERY_MS = 100;
const LINE_EVERY_MS = 2000;
const BAR_WIDTH = 30;

/** `now` counts milliseconds. */
export function openProgress(
  output: ProgressOutput,
  label: string,
  total: number,
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now();
  const isTerminal = output.isTTY === true;
  let shownAt = isTerminal ? -Infinity : startedAt;
  let current = 0;
  let shown = -1;
  const show = () => {
    shownAt = now();
    shown = current;
    const seconds = (shownAt - startedAt) / 1000;
    const text = progressText({ label, done: current, total, seconds });
    if (!isTerminal) output.write(`${text}\n`);
    else
      output.write(`\r${cutToWidth(`${bar(current, total)} ${text}`, output.columns || 80)}\x1b[K`);
  };
  return {
    update(done) {
      current = done;
      if (now() - shownAt >= (isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS)) show();
    },
    finish() {
      if (shown !== current) show();
      if (isTerminal) output.write('\n');
    },
  };
}

interface Standing {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly seconds: number;
}

function progressText({ label, done, total, seconds }: Standing): string {
  const rate = seconds > 0.2 ? ` (${count(done / seconds)}/s)` : '';
  return `${label}: ${count(done)} of ${count(total)} rows${rate}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR_WIDTH : Math.round((BAR_WIDTH * Math.min(done, total)) / total);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}

/** A line that wraps would not be overwritten by the next one. */
function cutToWidth(text: string, columns: number): string {
  return text.length < columns ? text : text.slice(0, Math.max(0, columns - 1));
}
