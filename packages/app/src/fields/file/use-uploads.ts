import type { Field } from '@workspace-records/client';
import { useState } from 'react';
import { told, useT } from '../../lib/messages/index.ts';
import { whileUploading } from '../../lib/running-uploads.ts';
import { useSession } from '../../lib/session.ts';
import { useFilePlace } from '../field-place.ts';
import type { FileValue } from './file-values.ts';

/** A file that is being sent. */
export interface Upload {
  readonly name: string;
  /** Bytes. */
  readonly sent: number;
  readonly total: number;
}

/** Sends files one after the other; `onDone` gets all that arrived. */
export function useUploads(field: Field, onDone: (files: readonly FileValue[]) => void) {
  const t = useT();
  const { client } = useSession();
  const filePlace = useFilePlace();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [problem, setProblem] = useState<string>();
  const upload = async (file: File): Promise<FileValue> => {
    const onProgress = (sent: number, total: number) =>
      setUploads((all) =>
        all.map((one) => (one.name === file.name ? { ...one, sent, total } : one)),
      );
    const target =
      filePlace === undefined ? {} : { objectType: filePlace.object_type, field: field.key };
    const { id, name, type, size } = await client.files.upload(file, { ...target, onProgress });
    return { id, name, type, size };
  };
  const send = async (chosen: readonly File[]) => {
    if (chosen.length === 0 || uploads.length > 0) return;
    setProblem(undefined);
    setUploads(chosen.map(({ name, size }) => ({ name, sent: 0, total: size })));
    const arrived: FileValue[] = [];
    try {
      await whileUploading(async () => {
        for (const file of chosen) arrived.push(await upload(file));
      });
    } catch (error) {
      setProblem(error instanceof Error ? told(error.message) : t('file.failed'));
    }
    setUploads([]);
    if (arrived.length > 0) onDone(arrived);
  };
  return { uploads, problem, send: (files: readonly File[]) => void send(files) };
}
