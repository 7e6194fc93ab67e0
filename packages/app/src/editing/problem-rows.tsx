// Rows of a file that were refused: wrong cells are marked, with the reason in words below them; where they can be changed,
// every cell is a field.

import { useId } from 'react';
import { rowPlace } from '../../../tables/src/formats/row-places.ts';
import { told, useT } from '../lib/messages/index.ts';
import type { RejectedRow, Rejects, RowProblem } from '../lib/reject-rows.ts';
import { placeText, ROW_NAMES } from '../lib/row-words.ts';
import classes from './problem-rows.module.css';

interface ProblemRowsProps {
  readonly rejects: Rejects;
  /** The name of the file, which says what its rows are. */
  readonly fileName: string;
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
  /** Undefined: the rows are only shown. */
  readonly onEdit?: ((line: number, index: number, text: string) => void) | undefined;
}

export function ProblemRows({ rejects, fileName, nameOf, onEdit }: ProblemRowsProps) {
  const { headings, rows } = rejects;
  const t = useT();
  const hasReasons = rows.some(({ problems }) => problems.some(isOfRow));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section className={classes.scroll} aria-label={t('import.problemRows')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.line}>
              {t(ROW_NAMES[rowPlace(fileName, 0).word])}
            </th>
            {hasReasons && <th scope="col">{t('import.problem')}</th>}
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.line} {...{ row, fileName, headings, hasReasons, nameOf, onEdit }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function isOfRow({ heading }: RowProblem): boolean {
  return heading === undefined;
}

interface RowProps extends Omit<ProblemRowsProps, 'rejects'> {
  readonly row: RejectedRow;
  /** Some row has a problem that is not of a cell. */
  readonly hasReasons: boolean;
  readonly headings: readonly string[];
}

function Row({ row, fileName, headings, hasReasons, nameOf, onEdit }: RowProps) {
  return (
    <tr>
      <th scope="row" className={classes.line}>
        {rowPlace(fileName, row.line).number}
      </th>
      {hasReasons && (
        <td>
          {row.problems.filter(isOfRow).map(({ field, reason }) => (
            <Reason key={reason} text={reason} field={field === '' ? undefined : nameOf(field)} />
          ))}
        </td>
      )}
      {headings.map((heading, index) => (
        <Cell key={heading} {...{ row, fileName, heading, index, onEdit }} />
      ))}
    </tr>
  );
}

interface CellProps extends Pick<RowProps, 'row' | 'fileName' | 'onEdit'> {
  readonly heading: string;
  readonly index: number;
}

function Cell({ row, fileName, heading, index, onEdit }: CellProps) {
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
          aria-label={t('import.cell', { heading, place: placeText(t, fileName, row.line) })}
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

interface ReasonProps {
  readonly text: string;
  /** The name of the field, where the place does not show it. */
  readonly field?: string | undefined;
}

function Reason({ text, field }: ReasonProps) {
  return (
    <span className={classes.reason}>
      {field !== undefined && `${field}: `}
      {told(text)}
    </span>
  );
}
