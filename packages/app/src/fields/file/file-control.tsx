import { Button, CloseButton } from '@mantine/core';
import type { Field } from '@workspace-records/client';
import { type DragEvent, useRef, useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useSteadyActs } from '../../lib/steady-acts.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import classes from './file.module.css';
import { FileLine } from './file-line.tsx';
import { acceptOf, type FileValue, mostFiles } from './file-values.ts';
import { type Upload, useUploads } from './use-uploads.ts';

interface FileControlProps {
  readonly files: readonly FileValue[];
  /** The files that can be downloaded; the others are being saved. All by default. */
  readonly savedFiles?: readonly FileValue[];
  readonly field: Field;
  readonly id: string;
  readonly describedBy?: string | undefined;
  readonly onChange: (files: readonly FileValue[]) => void;
}

/** The files of a field: each can be removed; others are chosen, or dropped on it. */
export function FileControl(props: FileControlProps) {
  const { files, savedFiles = files, field, id, describedBy, onChange } = props;
  const t = useT();
  const most = mostFiles(field);
  // Files can be removed during an upload: the new ones join those that are left.
  const { onDone } = useSteadyActs({
    onDone: (added: readonly FileValue[]) =>
      onChange(most === 1 ? added.slice(-1) : [...files, ...added]),
  });
  const { uploads, problem, send } = useUploads(field, onDone);
  const isBusy = uploads.length > 0;
  const { isOver, ...dropping } = useDrop(send, isBusy);
  const isFull = most > 1 && files.length >= most;
  return (
    <fieldset
      className={classes.control}
      data-over={isOver || undefined}
      aria-label={field.name ?? field.key}
      aria-describedby={describedBy}
      // The upload ends with the editor: until then the focus may go elsewhere.
      onBlur={(event) => isBusy && event.stopPropagation()}
      {...dropping}
    >
      {files.length > 0 && (
        <ul className={classes.list}>
          {files.map((file) => (
            <li key={file.id}>
              {savedFiles.some((saved) => saved.id === file.id) ? (
                <FileLine file={file} field={field.key} />
              ) : (
                <span className={classes.name}>{file.name}</span>
              )}
              <CloseButton
                size="sm"
                aria-label={t('file.remove', { name: file.name })}
                onClick={() => onChange(files.filter((one) => one !== file))}
              />
            </li>
          ))}
        </ul>
      )}
      {uploads.map((upload) => (
        <Progress key={upload.name} {...upload} />
      ))}
      {!isFull && <Chooser {...{ id, field, send, isBusy }} isMany={most > 1} />}
      {problem !== undefined && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface ChooserProps {
  readonly id: string;
  readonly field: Field;
  readonly isMany: boolean;
  /** During an upload no other files are chosen. */
  readonly isBusy: boolean;
  readonly send: (files: readonly File[]) => void;
}

function Chooser({ id, field, isMany, isBusy, send }: ChooserProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.chooser}>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMany}
        accept={acceptOf(field)}
        onChange={({ currentTarget }) => {
          send([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <Button
        id={id}
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="upload" size={12} />}
        // Not `disabled`, which takes the focus from it.
        data-disabled={isBusy}
        aria-disabled={isBusy || undefined}
        onClick={() => !isBusy && input.current?.click()}
      >
        {t('file.choose')}
        <Hidden>{` ${field.name ?? field.key}`}</Hidden>
      </Button>
      <span className={classes.hint}>{t('file.drop')}</span>
    </div>
  );
}

function Progress({ name, sent, total }: Upload) {
  const t = useT();
  const label = t('file.sending', { name });
  return (
    <div className={classes.progress}>
      <span className={classes.name}>{name}</span>
      <progress aria-label={label} value={sent} max={Math.max(1, total)} />
    </div>
  );
}

function useDrop(send: (files: readonly File[]) => void, isBusy: boolean) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return {
    isOver,
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (isBusy) event.dataTransfer.dropEffect = 'none';
      else setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      send([...event.dataTransfer.files]);
    },
  };
}
