// The notices on a file before its rows are imported: letters that may be wrong, lines, rows and sheets that are left out,
// and how values with two readings are read. The same wherever a file is read.

import '../lib/import-notice-texts.ts';
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { isOpen } from '../../../tables/src/guess.ts';
import type { Table } from '../../../tables/src/reading.ts';
import { type PlainKey, type Translate, useT } from '../lib/messages/index.ts';
import { placeText } from '../lib/row-words.ts';
import classes from './file-notices.module.css';
import { Icon } from './icon.tsx';

interface FileNoticesProps {
  readonly fileName: string;
  readonly table: Table;
  /** Also columns that a person will be asked about. */
  readonly hasColumns?: boolean;
  /** False: the page shows rows of another length by itself. */
  readonly hasUneven?: boolean;
}

export function FileNotices(props: FileNoticesProps) {
  const { hasColumns = false, hasUneven = true } = props;
  const t = useT();
  const notices = [
    ...noticesOf(props.table, t),
    ...(hasColumns ? columnNotices(props.table, t) : []),
  ];
  const isUneven = hasUneven && props.table.uneven.count > 0;
  if (notices.length === 0 && !isUneven) return null;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      <div className={classes.notices}>
        {notices.map((notice) => (
          <p key={notice}>{notice}</p>
        ))}
        {isUneven && <UnevenRows {...props} />}
      </div>
    </Alert>
  );
}

const PARTS: Readonly<Record<string, PlainKey>> = {
  comments: 'import.partComments',
  checklists: 'import.partChecklists',
  attachments: 'import.partAttachments',
  'custom fields': 'import.partFields',
};

function noticesOf(table: Table, t: Translate): readonly string[] {
  const { skipLines, sheets = [], sheet = '', leftOut } = table;
  const parts = leftOut.map(({ name, count }) => {
    const key = PARTS[name];
    return `${key === undefined ? name : t(key)} (${count})`;
  });
  return [
    ...(table.isEncodingSure ? [] : [t('import.unsureEncoding')]),
    ...(skipLines > 0 ? [t('import.linesSkipped', { count: skipLines })] : []),
    ...(sheets.length > 1 && parts.length === 0
      ? [t('import.oneSheet', { count: sheets.length, sheet })]
      : []),
    ...(parts.length > 0 ? [t('import.partsLeftOut', { parts: parts.join(', ') })] : []),
  ];
}

function columnNotices({ guesses, headings }: Table, t: Translate): readonly string[] {
  const open = headings.filter((_, index) => isOpen(guesses[index] ?? {}));
  const decided = headings.flatMap((column, index) => {
    const { by } = guesses[index] ?? {};
    return by === undefined ? [] : [t('import.readLike', { column, heading: by })];
  });
  return [
    ...decided,
    ...(open.length > 0 ? [t('import.undecidedNext', { names: open.join(', ') })] : []),
  ];
}

/** The most rows that are shown. */
const SHOWN = 5;

/** Rows that have another number of cells than the header: they are not imported. */
function UnevenRows({ fileName, table: { uneven } }: FileNoticesProps): ReactNode {
  const t = useT();
  return (
    <div>
      {t('import.unevenRows', { count: uneven.count })}
      <ul>
        {uneven.first.slice(0, SHOWN).map(({ line, text }) => (
          <li key={line}>
            {placeText(t, fileName, line)}: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
