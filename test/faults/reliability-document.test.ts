// The tables of docs/reliability.md: with any layout, a row that is run again replaces the one before, and only rows
// are read as rows.

import { expect, test } from 'vitest';
import { renderDocument } from '../../faults/reliability-document.ts';

const NONE = { faults: [], soak: [] } as const;

function fault(name: string, times: string, notes = 'none'): readonly string[] {
  return [name, 'what', times, '1', '2', '3', '4', '0', '–', '2026-01-01 (abc)', notes];
}

function namesIn(document: string): readonly (readonly string[])[] {
  const tables = document.split('## Soak');
  return tables.map((text) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => line.split('|')[1]?.trim() ?? ''),
  );
}

/** As formatters do: columns of one width, longer separators. */
function padded(document: string): string {
  return document
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|')) return line;
      const cells = line.split('|').slice(1, -1);
      const wide = cells.map((cell) => {
        const text = cell.trim();
        return /^-+$/.test(text) ? ` :${'-'.repeat(30)} ` : ` ${text.padEnd(40)} `;
      });
      return `|${wide.join('|')}|`;
    })
    .join('\n');
}

test('a row that is run again replaces the one before, others stay in the order of their names', () => {
  const first = renderDocument('', { ...NONE, faults: [fault('X10', '1'), fault('X2', '2')] }, 'm');
  const second = renderDocument(first, { ...NONE, faults: [fault('X2', '77')] }, 'm');
  expect(namesIn(second)[0]).toEqual(['X2', 'X10']);
  expect(second).toContain('| X2 | what | 77 |');
  expect(second).not.toContain('| X2 | what | 2 |');
});

test('a document that a formatter has padded is merged like any other', () => {
  const soak = [['steady: failures', '3', '0', '**no**', '2026-01-01 (abc)', 'a | b\nc']];
  const before = renderDocument('', { faults: [fault('X1', '1'), fault('X3b', '2')], soak }, 'm');
  const again = {
    faults: [fault('X1', '500')],
    soak: [['steady: failures', '0', '0', 'yes', 'n', '']],
  };
  const after = renderDocument(padded(before), again, 'm');
  expect(after).toBe(renderDocument(before, again, 'm'));
  expect(namesIn(after)).toEqual([['X1', 'X3b'], ['steady: failures']]);
  expect(after).not.toMatch(/\| -{4,}|\| :-/);
});

test('rendered again without new rows, the text stays', () => {
  const soak = [['idle', '6.7 KB', '≤ 12 KB', 'yes', '2026-01-01 (abc)', 'a | b\nc']];
  const once = renderDocument('', { faults: [fault('X1', '1')], soak }, 'm');
  expect(once).toContain('| a / b c |');
  expect(renderDocument(padded(once), NONE, 'm')).toBe(once);
});

test('of rows with one name the last one is kept', () => {
  const once = renderDocument('', { ...NONE, faults: [fault('X1', '1')] }, 'm');
  const row = '| X1 | what | 1 |';
  const twice = once.replace(row, `| X1    | what | 100 | 1 | 2 | 3 | 4 | 0 | – | r | n |\n${row}`);
  expect(renderDocument(twice, NONE, 'm')).toBe(once);
});

test('a fault that could not be tried here never replaces a measured row', () => {
  const once = renderDocument('', { ...NONE, faults: [fault('X7', '50')] }, 'm');
  const skipped = ['X7', 'what', ...Array<string>(8).fill('–'), 'skipped: strace is not installed'];
  expect(renderDocument(once, { ...NONE, faults: [skipped] }, 'm')).toBe(once);
  const named = renderDocument('', { ...NONE, faults: [skipped] }, 'm');
  expect(renderDocument(named, { ...NONE, faults: [fault('X7', '50')] }, 'm')).toBe(once);
});
