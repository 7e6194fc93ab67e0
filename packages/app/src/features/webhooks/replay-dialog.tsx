// Sending the deliveries of a span of time again: the span and the states, then the job until it has ended.

import '../../lib/delivery-texts.ts';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isRecordsError, type JobSummary, type Webhook } from '@workspace-records/client';
import { type FormEvent, useEffect, useState } from 'react';
import { jobQuery } from '../../lib/jobs.ts';
import { localTimeOf, momentOf } from '../../lib/local-time.ts';
import { errorText, told, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { type DeliveryFilter, type ReplayRange, useReplayRange } from './api.ts';
import { FormGroup } from './form-group.tsx';
import { DELIVERY_STATES } from './webhook-words.ts';
import classes from './webhooks.module.css';

interface ReplayDialogProps {
  readonly webhook: Webhook;
  /** The filter of the list of deliveries that the dialog was opened from. */
  readonly filter: DeliveryFilter;
  readonly onClose: () => void;
}

export function ReplayDialog({ webhook, filter, onClose }: ReplayDialogProps) {
  const t = useT();
  const { mutate, data: job, error, isPending } = useReplayRange(webhook.id);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('deliveries.replayMany')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {job === undefined ? (
        <RangeForm {...{ filter, error, isPending, onClose }} onSend={mutate} />
      ) : (
        <Progress job={job} onClose={onClose} />
      )}
    </Modal>
  );
}

interface RangeFormProps extends Pick<ReplayDialogProps, 'filter' | 'onClose'> {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSend: (range: ReplayRange) => void;
}

type ReplayState = NonNullable<ReplayRange['states']>[number];

const STATES = ['failed', 'dropped', 'delivered'] as const;
const DAY = 86_400_000;

function RangeForm({ filter, isPending, error, onSend, onClose }: RangeFormProps) {
  const t = useT();
  const yesterday = () => new Date(Date.now() - DAY).toISOString();
  const [since, setSince] = useState(() => localTimeOf(filter.since ?? yesterday()));
  const [until, setUntil] = useState('');
  const [states, setStates] = useState<readonly ReplayState[]>(['failed']);
  const [isTried, setTried] = useState(false);
  const from = momentOf(since);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (from !== undefined && states.length > 0)
      onSend({ since: from, until: momentOf(until), states });
  };
  const refused = isRecordsError(error) ? error.param : undefined;
  const said = isRecordsError(error) ? errorText(error) : undefined;
  const isAtField = refused === 'since' || refused === 'until';
  const needsSince = isTried && from === undefined ? t('deliveries.needsSince') : undefined;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.lead}>{t('deliveries.replayText')}</p>
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          label={t('deliveries.since')}
          data-autofocus
          value={since}
          error={needsSince ?? (refused === 'since' && said)}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('deliveries.until')}
          value={until}
          error={refused === 'until' && said}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
      </div>
      <FormGroup
        title={t('deliveries.states')}
        problem={isTried && states.length === 0 ? t('deliveries.needsStates') : undefined}
      >
        <States states={states} onChange={setStates} />
      </FormGroup>
      {error !== null && !isAtField && <Problem error={error} />}
      <DialogButtons onClose={onClose}>
        <Button type="submit" loading={isPending}>
          {t('deliveries.replayNow')}
        </Button>
      </DialogButtons>
    </form>
  );
}

interface StatesProps {
  readonly states: readonly ReplayState[];
  readonly onChange: (states: readonly ReplayState[]) => void;
}

function States({ states, onChange }: StatesProps) {
  const t = useT();
  return (
    <fieldset className={classes.states} aria-label={t('deliveries.states')}>
      {STATES.map((state) => (
        <label key={state} className={classes.option}>
          <input
            type="checkbox"
            checked={states.includes(state)}
            onChange={({ currentTarget }) => {
              const others = states.filter((one) => one !== state);
              onChange(currentTarget.checked ? [...others, state] : others);
            }}
          />
          {t(DELIVERY_STATES[state].label)}
        </label>
      ))}
    </fieldset>
  );
}

interface ProgressProps {
  readonly job: JobSummary;
  readonly onClose: () => void;
}

/** The deliveries behind the dialog are read again by themselves. */
function Progress({ job: begun, onClose }: ProgressProps) {
  const t = useT();
  const { data: job = begun, error } = useQuery(jobQuery(useSession(), begun.id));
  const count = job.progress?.done ?? 0;
  const isEnded = job.finished_at !== null;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 300);
    return () => clearTimeout(timer);
  }, []);
  const ended = count === 0 ? t('deliveries.replayNone') : t('deliveries.replayDone', { count });
  const isDone = job.state === 'done';
  return (
    <div className={classes.form}>
      {error !== null && <Problem error={error} />}
      <p className={classes.lead} role="status">
        {isEnded && isDone && ended}
        {isEnded &&
          !isDone &&
          t('deliveries.replayFailed', { error: told(job.error ?? job.state) })}
        {!isEnded && isSlow && t('deliveries.replaying', { count })}
      </p>
      <div className={classes.buttons}>
        <Button data-autofocus onClick={onClose}>
          {t('again.close')}
        </Button>
      </div>
    </div>
  );
}
