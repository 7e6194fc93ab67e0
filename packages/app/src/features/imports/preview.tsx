// The first rows of the file, as they were read.

import type { Table } from '../../../../tables/src/reading.ts';
import { useT } from '../../lib/messages/index.ts';
import classes from './preview.module.css';

/** The most rows that are shown. */
const SHOWN = 8;

interface PreviewProps {
  readonly table: Table;
}

export function Preview({ table: { headings, sample } }: PreviewProps) {
  const t = useT();
  const rows = sample.slice(0, SHOWN).map((cells, index) => ({ id: index + 1, cells }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section className={classes.scroll} aria-label={t('import.preview')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id}>
              {headings.map((heading, index) => (
                <td key={heading}>{cells[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
