// The result of an import, or of its dry run, in numbers.

import { useFormats } from '../lib/format.ts';
import { type PlainKey, useT } from '../lib/messages/index.ts';
import classes from './import-counts.module.css';

interface ImportCountsProps {
  readonly counts: Readonly<Record<string, number>>;
  readonly isDryRun?: boolean;
}

interface Count {
  readonly name: string;
  readonly label: PlainKey;
  readonly dryLabel: PlainKey;
  /** Shown when it is zero too. */
  readonly isAlways?: boolean;
}

const COUNTS: readonly Count[] = [
  { name: 'created', label: 'import.created', dryLabel: 'import.wouldCreate', isAlways: true },
  { name: 'updated', label: 'import.updated', dryLabel: 'import.wouldUpdate', isAlways: true },
  { name: 'unchanged', label: 'import.unchanged', dryLabel: 'import.unchanged' },
  { name: 'skipped', label: 'import.skipped', dryLabel: 'import.skipped' },
  { name: 'rejected', label: 'import.rejected', dryLabel: 'import.wouldReject', isAlways: true },
  { name: 'blank', label: 'import.blank', dryLabel: 'import.blank' },
  { name: 'status_kept', label: 'import.statusKept', dryLabel: 'import.statusKept' },
];

export function ImportCounts({ counts, isDryRun = false }: ImportCountsProps) {
  const t = useT();
  const { number } = useFormats();
  const shown = COUNTS.filter(({ name, isAlways }) => isAlways === true || (counts[name] ?? 0) > 0);
  return (
    <dl className={classes.counts}>
      {shown.map(({ name, label, dryLabel }) => (
        <div key={name} data-bad={(name === 'rejected' && (counts[name] ?? 0) > 0) || undefined}>
          <dt>{t(isDryRun ? dryLabel : label)}</dt>
          <dd>{number(counts[name] ?? 0)}</dd>
        </div>
      ))}
    </dl>
  );
}
