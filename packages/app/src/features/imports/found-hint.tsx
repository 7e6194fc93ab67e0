// Whether the first texts of a column name records, so that a wrong choice is seen before the check.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import classes from './column-details.module.css';
import { textsWithoutRecord } from './find-names.ts';

/** Texts that are looked up. */
const TRIED = 20;
const NAMED = 3;

interface FoundHintProps {
  /** The type of the records. */
  readonly type: string;
  /** Their field that the file has. */
  readonly field: Field;
  readonly texts: readonly string[];
}

export function FoundHint({ type, field, texts }: FoundHintProps) {
  const t = useT();
  const { workspace, client } = useSession();
  const tried = texts.slice(0, TRIED);
  const { data: missing } = useQuery({
    queryKey: [workspace, type, 'import names', field.key, tried],
    queryFn: ({ signal }) => textsWithoutRecord(client, { type, field }, { texts: tried, signal }),
    enabled: tried.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (missing === undefined) return null;
  if (missing.length === 0) {
    return <p className={classes.hint}>{t('import.allFound', { count: tried.length })}</p>;
  }
  const names = missing.slice(0, NAMED).join(', ');
  return (
    <p className={classes.warning}>
      {t('import.someMissing', { count: missing.length, tried: tried.length, names })}
    </p>
  );
}
