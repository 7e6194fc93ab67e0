// One change of all matching records: how many they are, what cannot be undone, and the progress of the job. Nothing
// happens before the person has confirmed the number; closing the dialog leaves the job running.

import { Button, Group, Modal, Progress, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { BulkRehearsal, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../../lib/messages/index.ts';
import { recordName } from '../../../lib/record-name.ts';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Problem } from '../../../ui/problem.tsx';
import classes from '../bulk-dialog.module.css';
import type { MatchingWish } from './bulk-job.ts';
import { JobProblems } from './job-problems.tsx';
import { useBulkRun, useRehearsal } from './use-bulk-run.ts';

export interface MatchingDialogProps {
  readonly object: ObjectDefinition;
  readonly wish: MatchingWish;
  /** The number of matching records, also of those that the person cannot change. */
  readonly total: number | undefined;
  /** The heading for a number of records. */
  readonly title: (count: number) => string;
  /** The label of the button for a number of records. */
  readonly submit: (count: number) => string;
  /** Further sentences, such as that the change cannot be undone. */
  readonly texts: readonly string[];
  /** True: the person must type the number of records. */
  readonly isTyped?: boolean;
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

export function MatchingDialog(props: MatchingDialogProps) {
  const t = useT();
  const { wish, title, onClose, object } = props;
  const rehearsal = useRehearsal(wish);
  const run = useBulkRun(wish, { onEnded: props.onEnded, onOther: rehearsal.again });
  const { data } = rehearsal;
  return (
    <Modal
      opened
      onClose={onClose}
      title={data === undefined ? t('matching.counting') : title(data.count)}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {rehearsal.error !== null && <Problem error={rehearsal.error} />}
      {run.error !== undefined && <Problem error={run.error} />}
      {data !== undefined && run.job === undefined && (
        <Confirmation {...props} rehearsal={data} isBusy={run.isBusy} onConfirm={run.start} />
      )}
      {run.job !== undefined && <Running {...{ run, object }} onClose={onClose} />}
    </Modal>
  );
}

/** The most names that are listed. */
const NAMED = 5;

interface ConfirmationProps extends MatchingDialogProps {
  readonly rehearsal: BulkRehearsal;
  readonly isBusy: boolean;
  readonly onConfirm: (count: number) => void;
}

function Confirmation({ rehearsal, isBusy, onConfirm, ...props }: ConfirmationProps) {
  const t = useT();
  const { total, texts, isTyped = false, submit, onClose } = props;
  const [typed, setTyped] = useState('');
  const { count, records } = rehearsal;
  const skipped = total === undefined ? 0 : total - count;
  const isReady = count > 0 && (!isTyped || typed.replaceAll(/\D/g, '') === String(count));
  const listedRecords = records.slice(0, NAMED);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isBusy) onConfirm(count);
      }}
    >
      {count === 0 && (
        <Text c="dimmed" mb="md">
          {t('matching.nothing')}
        </Text>
      )}
      {count > 0 && texts.map((text) => <Sentence key={text} text={text} />)}
      {skipped > 0 && <Sentence text={t('grid.someOnly', { count: skipped })} />}
      <ul className={classes.list}>
        {listedRecords.map((record) => (
          <li key={record.id}>{recordName(record)}</li>
        ))}
        {count > listedRecords.length && (
          <li>{t('grid.others', { count: count - listedRecords.length })}</li>
        )}
      </ul>
      {isTyped && count > 0 && (
        <TextInput
          data-autofocus
          mt="sm"
          inputMode="numeric"
          label={t('matching.type', { count })}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <DialogButtons beginsWithCancel={!isTyped} onClose={onClose}>
        {count > 0 && (
          <Button
            type="submit"
            loading={isBusy}
            disabled={!isReady}
            {...(isTyped ? { color: 'red.9' } : {})}
          >
            {submit(count)}
          </Button>
        )}
      </DialogButtons>
    </form>
  );
}

function Sentence({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" mb="md">
      {text}
    </Text>
  );
}

interface RunningProps extends Pick<MatchingDialogProps, 'object' | 'onClose'> {
  readonly run: ReturnType<typeof useBulkRun>;
}

function Running({ run, object, onClose }: RunningProps) {
  const t = useT();
  const { job, expected } = run;
  if (job === undefined) return null;
  const isOver = job.finished_at !== null;
  const done = job.progress?.done ?? 0;
  return (
    <>
      <Text c="dimmed" mb="md" role="status">
        {t('matching.running', { done, total: expected })}
      </Text>
      <Progress aria-label={t('grid.progress')} value={(done / Math.max(1, expected)) * 100} />
      {isOver && <JobProblems job={job} object={object} />}
      <Group justify="flex-end" gap="sm" mt="lg">
        {!isOver && (
          <Button variant="default" disabled={job.cancel_requested} onClick={run.stop}>
            {t('matching.stop')}
          </Button>
        )}
        <Button variant="default" data-autofocus onClick={onClose}>
          {t(isOver ? 'again.close' : 'matching.background')}
        </Button>
      </Group>
    </>
  );
}
