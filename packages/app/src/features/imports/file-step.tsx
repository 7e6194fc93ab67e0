// The file: dropped or chosen, read by a worker, and described: encoding, delimiter, rows. Either can be changed when it
// was found wrongly.

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { TableChoices } from '../../../../tables/src/reading.ts';
import { faultOf } from '../../../../tables/src/table-fault.ts';
import { useFormats } from '../../lib/format.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { FAULT_TEXTS, FILE_TYPES } from '../../lib/table-file.ts';
import { FileForm } from '../../ui/file-form.tsx';
import { FileNotices } from '../../ui/file-notices.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import classes from './imports.module.css';
import { Preview } from './preview.tsx';
import { readInWorker } from './read-file.ts';
import type { Chosen, ImportState } from './use-import.ts';

interface FileStepProps {
  readonly state: ImportState;
  readonly object: ObjectDefinition;
  readonly onNext: () => void;
}

export function FileStep({ state, object, onNext }: FileStepProps) {
  const t = useT();
  const { chosen } = state;
  const reading = useReading(state);
  return (
    <Stack gap="lg">
      <DropZone
        isSmall={chosen !== undefined}
        onFile={(file) => {
          void reading.read(file, file.name, {}).then((isRead) => {
            if (isRead) onNext();
          });
        }}
      />
      {reading.rows !== undefined && <Reading rows={reading.rows} />}
      {reading.problem !== undefined && (
        <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
          {t(reading.problem)}
        </Alert>
      )}
      {chosen !== undefined && reading.rows === undefined && (
        <>
          <FileFacts
            chosen={chosen}
            onChange={(options) => void reading.read(chosen.original, chosen.fileName, options)}
          />
          {chosen.table.format === undefined && <Text c="dimmed">{t('import.readText')}</Text>}
          <Preview table={chosen.table} />
          <div className={classes.buttons}>
            <Button variant="subtle" color="gray" onClick={state.forget}>
              {t('import.discard')}
            </Button>
            <Button onClick={onNext}>{t('import.next')}</Button>
          </div>
        </>
      )}
      {chosen === undefined && (
        <Text c="dimmed">{t('import.hint', { name: object.name ?? object.object_type })}</Text>
      )}
    </Stack>
  );
}

/** Leaving the page stops the reading. */
function useReading({ choose }: ImportState) {
  const [rows, setRows] = useState<number>();
  const [problem, setProblem] = useState<PlainKey>();
  const before = useRef(new AbortController());
  useEffect(() => () => before.current.abort(), []);
  const read = async (original: Blob, fileName: string, options: TableChoices) => {
    before.current.abort();
    const stop = new AbortController();
    before.current = stop;
    setProblem(undefined);
    setRows(0);
    try {
      const table = await readInWorker(original, {
        choices: options,
        signal: stop.signal,
        onRows: setRows,
      });
      choose({ fileName, table, original });
      setRows(undefined);
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      const fault = faultOf(error);
      setProblem(fault === undefined ? 'import.faultUnknown' : FAULT_TEXTS[fault.fault]);
      setRows(undefined);
      return false;
    }
  };
  return { rows, problem, read };
}

interface DropZoneProps {
  readonly isSmall: boolean;
  readonly onFile: (file: File) => void;
}

function DropZone({ isSmall, onFile }: DropZoneProps) {
  const t = useT();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      className={classes.drop}
      data-over={isOver || undefined}
      data-small={isSmall || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={20} />
      <Text span fw={500}>
        {isSmall ? t('import.chooseOther') : t('import.choose')}
      </Text>
      {!isSmall && (
        <Text span c="dimmed">
          {t('import.kinds')}
        </Text>
      )}
      <input
        type="file"
        className={classes.fileInput}
        accept={FILE_TYPES}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          // The same file, chosen again, is read again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

function Reading({ rows }: { readonly rows: number }) {
  const t = useT();
  return (
    <Stack gap="sm" role="status">
      <span>{t('import.reading', { count: rows })}</span>
      <ProgressBar label={t('import.readingLabel')} share={undefined} />
    </Stack>
  );
}

interface FileFactsProps {
  readonly chosen: Chosen;
  readonly onChange: (choices: TableChoices) => void;
}

function FileFacts({ chosen: { fileName, table }, onChange }: FileFactsProps) {
  const t = useT();
  const { number } = useFormats();
  return (
    <>
      <Group align="flex-end" justify="space-between">
        <div>
          <div className={classes.fileName}>{fileName}</div>
          <Text component="div" c="dimmed">
            {t('import.size', { count: table.rows, columns: number(table.headings.length) })}
          </Text>
        </div>
        <FileForm {...{ table, onChange }} />
      </Group>
      <FileNotices {...{ fileName, table }} />
    </>
  );
}
