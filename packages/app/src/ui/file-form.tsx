// How a file is written: sheet, encoding, delimiter and header line, as they were found, and choices for each.

import { NativeSelect } from '@mantine/core';
import { ENCODINGS, type Encoding } from '../../../tables/src/encoding-names.ts';
import type { Table, TableChoices } from '../../../tables/src/reading.ts';
import { DELIMITERS } from '../../../tables/src/table-layout.ts';
import { useT } from '../lib/messages/index.ts';
import classes from './file-form.module.css';

interface FileFormProps {
  readonly table: Table;
  /** The file is read again. */
  readonly onChange: (choices: TableChoices) => void;
}

const DELIMITER_NAMES = {
  ',': 'import.comma',
  ';': 'import.semicolon',
  '\t': 'import.tab',
  '|': 'import.bar',
} as const;

export function FileForm({ table, onChange }: FileFormProps) {
  const t = useT();
  const { encoding, delimiter, format, sheets = [], sheet } = table;
  const put = (choices: TableChoices) => onChange({ encoding, delimiter, sheet, ...choices });
  return (
    <div className={classes.form}>
      {sheets.length > 1 && (
        <NativeSelect
          size="sm"
          label={t(format === 'workbook' ? 'import.sheet' : 'import.list')}
          value={sheet}
          data={[...sheets]}
          onChange={({ currentTarget }) => onChange({ encoding, sheet: currentTarget.value })}
        />
      )}
      {format !== 'workbook' && (
        <EncodingChoice table={table} onChange={(chosen) => put({ encoding: chosen })} />
      )}
      {format === undefined && (
        <NativeSelect
          size="sm"
          label={t('import.delimiter')}
          value={delimiter}
          data={DELIMITERS.map((value) => ({ value, label: t(DELIMITER_NAMES[value]) }))}
          onChange={({ currentTarget }) => put({ delimiter: currentTarget.value })}
        />
      )}
      {(format === undefined || format === 'workbook') && (
        <NativeSelect
          size="sm"
          label={t('import.headerLine')}
          value={String(headerLine(table))}
          data={table.firstLines.map(([line, text]) => ({
            value: String(line),
            label: t('import.lineText', { line: String(line), text }),
          }))}
          onChange={({ currentTarget }) => put({ skipLines: Number(currentTarget.value) - 1 })}
        />
      )}
    </div>
  );
}

interface EncodingChoiceProps extends Pick<FileFormProps, 'table'> {
  readonly onChange: (encoding: Encoding) => void;
}

function EncodingChoice({ table, onChange }: EncodingChoiceProps) {
  const t = useT();
  const likely = [...new Set([table.encoding, ...table.likelyEncodings])];
  const named = (encodings: readonly Encoding[]) =>
    encodings.map((value) => ({ value, label: value.toUpperCase() }));
  return (
    <NativeSelect
      size="sm"
      label={t('import.encoding')}
      value={table.encoding}
      data={[
        { group: t('import.likely'), items: named(likely) },
        {
          group: t('import.otherEncodings'),
          items: named(ENCODINGS.filter((one) => !likely.includes(one))),
        },
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Encoding)}
    />
  );
}

function headerLine({ firstLines, skipLines }: Table): number | undefined {
  return firstLines.find(([line]) => line > skipLines)?.[0];
}
