// The entries of the filter as a file: the format, then how many have been read, then the download.

import { Button, Group, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useSession } from '../../lib/session.ts';
import { Choice } from '../../ui/choice.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { MOST_EXPORTED, readEntries } from './api.ts';
import { FORMATS, type Format } from './audit-file.ts';
import type { AuditFilter } from './audit-search.ts';

interface ExportDialogProps {
  readonly filter: AuditFilter;
  readonly onClose: () => void;
}

export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const t = useT();
  const { number } = useFormats();
  const [format, setFormat] = useState<Format>('csv');
  const { mutate, isPending, error, read, done } = useExport(filter);
  const most = number(MOST_EXPORTED);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('audit.exportTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={table.lead}>{t('audit.exportText', { most })}</p>
      <Choice
        label={t('audit.format')}
        options={{ csv: 'CSV', json: 'JSON' }}
        value={format}
        onChange={setFormat}
      />
      <p role="status" className={table.dim}>
        {isPending && t('audit.reading', { count: read })}
        {done !== undefined &&
          (done < MOST_EXPORTED
            ? t('audit.exportedAll', { count: done })
            : t('audit.exportedFirst', { most }))}
      </p>
      {error !== null && <Problem error={error} />}
      <Group justify="flex-end" gap="sm" mt={20}>
        <Button variant="default" onClick={onClose}>
          {t(done === undefined ? 'record.cancel' : 'secret.done')}
        </Button>
        <Button data-autofocus loading={isPending} onClick={() => mutate(format)}>
          {t('audit.exportNow')}
        </Button>
      </Group>
    </Modal>
  );
}

/** Closing the dialog stops the reading. */
function useExport(filter: AuditFilter) {
  const session = useSession();
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const mutation = useMutation({
    async mutationFn(format: Format) {
      setRead(0);
      stop.current = new AbortController();
      const { signal } = stop.current;
      const entries = await readEntries(session, filter, { signal, onProgress: setRead });
      const { type, print } = FORMATS[format];
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`audit-${session.workspace}-${day}.${format}`, new Blob([print(entries)], { type }));
      return entries.length;
    },
  });
  const { mutate, isPending, error, data: done } = mutation;
  return { mutate, isPending, error, read, done };
}
