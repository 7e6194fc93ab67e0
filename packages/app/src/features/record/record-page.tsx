// The page of a record: the way back to its list, the records before and after it there, and the record.

import { Box } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useEffect } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { noteRecord } from '../../lib/recent.ts';
import { recordQuery } from '../../lib/record-writes.ts';
import { useObjectOf } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useLiveRecord } from '../../live/use-live.ts';
import { GoneRecord } from '../../ui/gone-record.tsx';
import { useHeading } from '../../ui/page.tsx';
import { RecordMenu } from './record-menu.tsx';
import classes from './record-page.module.css';
import { RecordSteps, RecordTrail } from './record-trail.tsx';
import { type RecordParts, RecordView } from './record-view.tsx';

export function RecordPage(parts: RecordParts) {
  const { type, id } = useParams({ from: '/$workspace/shell/o/$type/$id' });
  const { isGone } = useLiveRecord(type, id);
  if (isGone) return <GoneRecord type={type} />;
  return <Loaded key={`${type} ${id}`} {...parts} type={type} id={id} />;
}

interface LoadedProps extends RecordParts {
  readonly type: string;
  readonly id: string;
}

function Loaded({ type, id, ...parts }: LoadedProps) {
  const { data: record } = useSuspenseQuery(recordQuery(useSession(), type, id));
  return <Details {...parts} object={useObjectOf(record)} record={record} />;
}

interface DetailsProps extends RecordParts {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
}

function Details({ object, record, ...parts }: DetailsProps) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type: type, id } = record;
  const display = record.display ?? t('records.unnamed');
  useEffect(() => noteRecord(workspace, { type, id, display }), [workspace, type, id, display]);
  const heading = useHeading(display);
  return (
    <div className={classes.page}>
      <div className={classes.bar}>
        <RecordTrail object={object} record={record} />
        <RecordSteps type={type} id={id} />
        <RecordMenu object={object} record={record} />
      </div>
      <Box mih={0} flex={1}>
        <RecordView {...{ object, record, heading }} {...parts} layout="page" />
      </Box>
    </div>
  );
}
