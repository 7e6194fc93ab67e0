// The records of a list as a file: a small one comes at once, of a large one the page of its job is shown.

import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JobDetails, ObjectDefinition } from '@workspace-records/client';
import { type FormEvent, useState } from 'react';
import { downloadExport, type ExportBody } from '../../lib/exports.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { type Session, useSession } from '../../lib/session.ts';
import type { ViewState } from '../../lib/view-state.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import classes from './export-dialog.module.css';
import { type ExportChoice, exportBodyOf } from './export-question.ts';

/** Seconds that a person waits for a small file. */
const SHORT = 5;

interface ExportDialogProps {
  readonly object: ObjectDefinition;
  readonly view: ViewState;
  readonly onClose: () => void;
}

export default function ExportDialog({ object, view, onClose }: ExportDialogProps) {
  const t = useT();
  const [choice, setChoice] = useState<ExportChoice>({
    ...{ format: 'csv', columns: 'shown', isForExcel: false, names: 'names' },
  });
  const { mutate, isPending, error } = useExport(object, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(exportBodyOf(object, view, choice));
  };
  const isAll = view.q === '' && view.where.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('export.title', { name: object.name ?? object.object_type })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form className={classes.form} onSubmit={submit}>
        <p className={classes.dim}>{isAll ? t('export.allRecords') : t('export.theseRecords')}</p>
        <Choices choice={choice} onChange={setChoice} />
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending} data-autofocus>
            {t('export.now')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

function useExport(object: ObjectDefinition, onEnd: () => void) {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: ExportBody) => exportNow(session, object, body),
    onSuccess(job) {
      onEnd();
      if (job.state === 'done') {
        return showToast({ text: t('export.done', { count: job.progress?.done ?? 0 }) });
      }
      const params = { workspace: session.workspace, id: job.id };
      void navigate({ to: '/$workspace/jobs/$id', params });
    },
  });
}

interface ChoicesProps {
  readonly choice: ExportChoice;
  readonly onChange: (choice: ExportChoice) => void;
}

function Choices({ choice, onChange }: ChoicesProps) {
  const t = useT();
  return (
    <>
      <Options
        legend={t('export.format')}
        name="format"
        options={{ csv: 'export.csv', xlsx: 'export.xlsx', jsonl: 'export.json' }}
        value={choice.format}
        onChange={(format) => onChange({ ...choice, format })}
      />
      <Options
        legend={t('export.columns')}
        name="columns"
        options={{ shown: 'export.shown', all: 'export.all' }}
        value={choice.columns}
        onChange={(columns) => onChange({ ...choice, columns })}
      />
      {choice.format !== 'jsonl' && (
        <Options
          legend={t('export.options')}
          name="names"
          options={{ names: 'export.names', keys: 'export.keys' }}
          value={choice.names}
          onChange={(names) => onChange({ ...choice, names })}
        />
      )}
      {choice.format === 'csv' && (
        <label className={classes.option}>
          <input
            type="checkbox"
            checked={choice.isForExcel}
            onChange={({ currentTarget }) =>
              onChange({ ...choice, isForExcel: currentTarget.checked })
            }
          />
          {t('export.excel')}
        </label>
      )}
    </>
  );
}

/** The job after a short wait; its file has been given to the person when it is done. */
async function exportNow(
  session: Session,
  { object_type }: ObjectDefinition,
  body: ExportBody,
): Promise<JobDetails> {
  const { jobs, exports } = session.client;
  const { id } = await exports.start(body);
  const until = Date.now() + SHORT * 1000;
  let job = await jobs.get(id, { wait: SHORT });
  // The first change of a job is that it runs.
  while (job.finished_at === null && Date.now() < until) job = await jobs.get(id, { wait: SHORT });
  if (job.state === 'done') await downloadExport(session, job, object_type);
  return job;
}

interface OptionsProps<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly options: Readonly<Record<Value, PlainKey>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Options<Value extends string>(props: OptionsProps<Value>) {
  const { legend, name, options, value, onChange } = props;
  const t = useT();
  const labelOf = (one: Value): PlainKey => options[one];
  return (
    <fieldset className={classes.options}>
      <legend>{legend}</legend>
      {(Object.keys(options) as Value[]).map((one) => (
        <label key={one} className={classes.option}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one)} />
          {t(labelOf(one))}
        </label>
      ))}
    </fieldset>
  );
}
