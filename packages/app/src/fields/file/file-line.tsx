import { UnstyledButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { bytesText, useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFilePlace } from '../field-place.ts';
import classes from './file.module.css';
import { type FileValue, isPicture } from './file-values.ts';

interface FileLineProps {
  readonly file: FileValue;
  /** The key of its field. */
  readonly field: string;
}

/** The name, which downloads the file where its record is known; a picture is shown small. */
export function FileLine({ file, field }: FileLineProps) {
  const t = useT();
  const { number } = useFormats();
  const { fetchFile, canFetch } = useFetch(field);
  const [isFailed, setFailed] = useState(false);
  const size = file.size < 0 ? undefined : bytesText(file.size, number);
  if (!canFetch) return <span className={classes.name}>{file.name}</span>;
  const download = () => {
    setFailed(false);
    fetchFile(file).then(
      (content) => saveFile(file.name, content),
      () => setFailed(true),
    );
  };
  return (
    <span className={classes.line}>
      {isPicture(file) && <Picture file={file} field={field} />}
      <UnstyledButton
        className={classes.download}
        title={t('file.download', { name: file.name })}
        onClick={download}
      >
        {!isPicture(file) && <Icon name="download" size={12} />}
        <span className={classes.name}>{file.name}</span>
      </UnstyledButton>
      {size !== undefined && <span className={classes.size}>{size}</span>}
      {isFailed && (
        <span role="alert" className={classes.problem}>
          {t('file.failed')}
        </span>
      )}
    </span>
  );
}

/** Fetched with the rights of this moment; the browser makes it small. */
function Picture({ file, field }: FileLineProps) {
  const { fetchFile } = useFetch(field);
  const [address, setAddress] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bytes of a file never change.
  useEffect(() => {
    let objectUrl: string | undefined;
    let isGone = false;
    fetchFile(file).then(
      (content) => {
        if (isGone) return;
        objectUrl = URL.createObjectURL(content);
        setAddress(objectUrl);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [file.id]);
  return address === undefined ? null : <img className={classes.picture} src={address} alt="" />;
}

function useFetch(field: string) {
  const { client } = useSession();
  const filePlace = useFilePlace();
  return {
    canFetch: filePlace !== undefined,
    async fetchFile({ id: fileId }: FileValue): Promise<Blob> {
      if (filePlace === undefined) throw new Error('the record of the file is unknown');
      const { object_type: objectType, id: recordId } = filePlace;
      const response = await client.files.download({ objectType, recordId, field, fileId });
      return response.blob();
    },
  };
}
