// Rows of a file that were refused: wrong cells are marked, with the reason in words below them; where they can be changed,
// every cell is a field.

import { useId } from 'react';
import { told, useT } from '../lib/messages/index.ts';
import type { RejectedRow, Rejects } from '../lib/reject-rows.ts';
import classes from './problem-rows.module.css';

interface ProblemRowsProps {
  readonly rejects: Rejects;
  /** Undefined: the rows are only shown. */
  readonly onEdit?: ((line: number, index: number, text: string) => void) | undefined;
}

export function ProblemRows({ rejects: { headings, rows }, onEdit }: ProblemRowsProps) {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section className={classes.scroll} aria-label={t('import.problemRows')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.line}>
              {t('import.line')}
            </th>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.line} {...{ row, headings, onEdit }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps extends Pick<ProblemRowsProps, 'onEdit'> {
  readonly row: RejectedRow;
  readonly headings: readonly string[];
}

function Row({ row, headings, onEdit }: RowProps) {
  const ofRow = row.problems.filter(({ heading }) => heading === undefined);
  return (
    <tr>
      <th scope="row" className={classes.line}>
        {row.line}
        {ofRow.map(({ reason }) => (
          <Reason key={reason} text={reason} />
        ))}
      </th>
      {headings.map((heading, index) => (
        <Cell key={heading} {...{ row, heading, index, onEdit }} />
      ))}
    </tr>
  );
}

interface CellProps extends Omit<RowProps, 'headings'> {
  readonly heading: string;
  readonly index: number;
}

function Cell({ row, heading, index, onEdit }: CellProps) {
  const t = useT();
  const id = useId();
  const text = row.cells[index] ?? '';
  const problems = row.problems.filter((one) => one.heading === heading);
  const isWrong = problems.length > 0;
  return (
    <td data-wrong={isWrong || undefined}>
      {onEdit === undefined ? (
        <span className={classes.text}>{text === '' && isWrong ? t('field.empty') : text}</span>
      ) : (
        <input
          className={classes.input}
          value={text}
          aria-label={t('import.cell', { heading, line: String(row.line) })}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? id : undefined}
          onChange={({ currentTarget }) => onEdit(row.line, index, currentTarget.value)}
        />
      )}
      <span id={id}>
        {problems.map(({ reason }) => (
          <Reason key={reason} text={reason} />
        ))}
      </span>
    </td>
  );
}

function Reason({ text }: { readonly text: string }) {
  return <span className={classes.reason}>{told(text)}</span>;
}
