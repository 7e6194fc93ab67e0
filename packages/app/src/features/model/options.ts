// Options of a field, changed. Pure.

import type { OptionEntry } from '../../lib/definition/document.ts';
import { keyFor } from '../../lib/definition/rename.ts';

/** The options with a new one for each label that none of them has. */
export function withNewOptions(
  options: readonly OptionEntry[],
  labels: readonly string[],
): readonly OptionEntry[] {
  const all = [...options];
  for (const label of labels) {
    if (all.some(({ value, label: known = value }) => known === label)) continue;
    const taken = Object.fromEntries(all.map(({ value }) => [value, true]));
    all.push({ value: keyFor(label, taken, true), label });
  }
  return all;
}

/** Records have the value, so it stays. */
export function withLabel(option: OptionEntry, label: string): OptionEntry {
  const { label: _, ...unnamed } = option;
  return label === option.value ? unnamed : { ...option, label };
}

/** An option without a label is called by its value. */
export function withoutEmptyLabels(options: readonly OptionEntry[]): readonly OptionEntry[] {
  return options.map((option) => {
    const label = option.label?.trim();
    return label === '' ? withLabel(option, option.value) : option;
  });
}

export function movedOption(
  options: readonly OptionEntry[],
  at: number,
  by: -1 | 1,
): readonly OptionEntry[] {
  const [one, other] = [options[at], options[at + by]];
  if (one === undefined || other === undefined) return options;
  return options.with(at, other).with(at + by, one);
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split(/[\r\n\t]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
