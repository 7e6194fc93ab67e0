// The text of docs/reliability.md: fresh rows together with the existing ones, however they are formatted. A row
// stays until the same fault is run again, so that the long runs need not be one run.

/** A row of a table; the first cell names what was run. */
export type Cells = readonly string[];

interface Rows {
  readonly faults: readonly Cells[];
  readonly soak: readonly Cells[];
}

/** In the last cell of what could not be tried: it never replaces what another machine measured. */
export const SKIPPED = 'skipped: ';

/** The document `old` with `fresh` rows in place of those of the same names. */
export function renderDocument(old: string, fresh: Rows, machine: string): string {
  const [oldFaults = '', oldSoak = ''] = old.split(/^## Soak$/m);
  return [
    '# Reliability',
    '',
    '<!-- Written by `npm run test:faults` and `npm run soak`; its text is in faults/. -->',
    '',
    machine,
    '',
    '## Faults',
    '',
    ...FAULTS_TEXT,
    '',
    ...tableOf(FAULT_COLUMNS, mergeRows(rowsIn(oldFaults, FAULT_COLUMNS), fresh.faults)),
    '',
    ...LIMITS_TEXT,
    '',
    '## Soak',
    '',
    ...SOAK_TEXT,
    '',
    ...tableOf(SOAK_COLUMNS, mergeRows(rowsIn(oldSoak, SOAK_COLUMNS), fresh.soak)),
    '',
  ].join('\n');
}

const FAULT_COLUMNS: Cells = [
  ...['Fault', 'What', 'Times', 'Acknowledged', 'Refused', 'Unknown at first', 'Made all the same'],
  ...['Violations', 'Recovery p50 / most', 'Run', 'Notes'],
];
const SOAK_COLUMNS: Cells = ['Figure', 'Measured', 'Target', 'Reached', 'Run', 'Notes'];

/** The rows of a table, without its head and the line below it. */
function rowsIn(text: string, [head]: Cells): readonly Cells[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const rows = lines.map((line) => line.split('|').slice(1, -1).map(trimmed));
  return rows.filter(([name]) => name !== undefined && name !== head && !/^:?-+:?$/.test(name));
}

function trimmed(cell: string): string {
  return cell.trim();
}

/** Of rows with the same name the last one counts; in the order of their names. */
function mergeRows(old: readonly Cells[], fresh: readonly Cells[]): readonly Cells[] {
  const rows = new Map(old.map((row) => [row[0] ?? '', row]));
  for (const row of fresh) {
    const [name = ''] = row;
    if (row.at(-1)?.startsWith(SKIPPED) && rows.has(name)) continue;
    rows.set(name, row);
  }
  const natural = { numeric: true } as const;
  return [...rows].sort(([a], [b]) => a.localeCompare(b, 'en', natural)).map(([, row]) => row);
}

function tableOf(columns: Cells, rows: readonly Cells[]): readonly string[] {
  const line = (cells: Cells) => `| ${cells.map(cellOf).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

function cellOf(text: string): string {
  return text.replaceAll('|', '/').replaceAll('\n', ' ').trim();
}

const FAULTS_TEXT = [
  'Eight clients write all the time while a fault is injected: creates, patches, status moves,',
  'comments with mentions, links, deletes, work items and batches of a hundred, nearly all under',
  'an Idempotency-Key, and keep a ledger. Requests without an answer are repeated under the same',
  'key. Readers check pages that must never show half a batch; another workspace is used at the',
  'same time. Afterwards the ledger is compared with the database: every acknowledged write is',
  'there once and unchanged, refused ones are not, audit, stored answers, versions, references,',
  'workflow, notifications, indexes and checksums agree, no session holds a lock, no process',
  'ended by itself, and every answer was a success or an honest error.',
  '',
  '**Unknown at first** are writes with an attempt without a result: no answer, 500 or 503.',
  '**Made all the same** are those of which a later attempt got the stored answer. **Recovery**',
  'is the time from the end of the fault (X1: the start of the process) to the first good answer;',
  'the target is two seconds on a quiet machine.',
];

const LIMITS_TEXT = [
  'Targets: 500 kills of the service (X1), 100 of PostgreSQL (X2 and X3), 100 lost answers of',
  'COMMIT (X8). A row with fewer times missed them for lack of time. Rows come from separate',
  'runs, and a repeated row replaces the one before, also one with violations. Most of them ran',
  'with other work on both processors, so recovery took longer.',
  '',
  'Afterwards PostgreSQL is restarted and every page of the database is read again, so that every',
  'checksum is verified; then amcheck compares indexes and tables. pg_checksums and pg_amcheck',
  'run as well where the same release of them exists. The history of statuses is compared with',
  'the ledger, as the audit has no values.',
  '',
  'Some figures depend on the machine more than on the service. Reads must be answered within',
  'twice the p99 of before (20 ms at least) in one of the windows of half a minute; where none is',
  'that good, a fresh process is measured at the same time, and only twice its time is a',
  'violation. Memory is a violation when it has grown by more than a tenth and by more than 100',
  'MB: a process grows while it warms up. So is a session that is idle in a transaction for more',
  'than 5 s, unless the fault blocks it (X4, X8) or moves the clock that measures it (X12b).',
  'Reads during many connections (X10) must stay within twice their p99, and no request may fail',
  'while processes are restarted in turn (X11), unless other processes take more than a quarter',
  'of the machine; X11 tries its rate without any restart first, too. The delay of the event loop',
  '(X4) and the time of refusals (X5) are noted, not checked.',
  '',
  'A start (X1) until the first answer takes 0.7 s of the processor with Node 24, 1.0 with Node 20 on a',
  'busy machine: Node itself 0.12, a third for reading the code, the rest for connecting, looking for',
  'migrations and the routes. The rest of its time is waiting for a processor.',
];

const SOAK_TEXT = [
  'Requests at a constant rate; the time of an answer counts from the moment its request was planned for.',
  'Clients keep their connections open, as a proxy does: 64 for the steady load, 2,000 for the overload.',
  'Node 20 accepts one connection in each turn of its event loop, so clients that open connections while the',
  'service is overloaded wait for that as well. Refused under overload means 503 with `Retry-After`.',
];
