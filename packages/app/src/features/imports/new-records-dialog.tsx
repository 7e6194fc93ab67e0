// Records made of names that a person has chosen, by an import of these names. Names that the service refuses are shown
// with its reasons.

import { Button, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import framed from '../../ui/framed-rows.module.css';
import { Problem } from '../../ui/problem.tsx';
import { ProblemGroups } from '../../ui/problem-groups.tsx';
import { doneJob } from './api.ts';
import { nameOf } from './import-fields.ts';
import { recordsImport } from './new-records.ts';
import classes from './planned-dialog.module.css';

interface NewRecordsDialogProps {
  /** The object of the records, and the field that the names are of. */
  readonly other: ObjectDefinition;
  readonly by: Field;
  readonly names: readonly string[];
  /** Some may have been made. */
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export function NewRecordsDialog({ other, by, names, onMade, onClose }: NewRecordsDialogProps) {
  const t = useT();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { mutate, data: refused, error, isPending } = useMake(other, by);
  const chosen = names.filter((one) => !left.has(one));
  const name = other.name ?? other.object_type;
  const close = () => {
    onClose();
    // Others than the refused ones may exist now.
    if (refused !== undefined || error !== null) onMade();
  };
  const make = () =>
    mutate(chosen, {
      onSuccess(job) {
        if ((job.counts.rejected ?? 0) > 0) return;
        onClose();
        onMade();
      },
    });
  return (
    <Modal
      opened
      onClose={close}
      size="42rem"
      title={t('import.newRecords', { name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Stack>
        <Text c="dimmed">{t('import.newRecordsText', { field: nameOf(by) })}</Text>
        <Names {...{ names, left }} onChange={setLeft} />
        {refused !== undefined && (
          <ProblemGroups groups={refused.problem_groups} nameOf={() => nameOf(by)} />
        )}
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={close}>
          <Button disabled={chosen.length === 0} loading={isPending} onClick={make}>
            {t('import.makeRecords', { count: chosen.length, name })}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  );
}

function useMake(other: ObjectDefinition, by: Field) {
  const { client } = useSession();
  return useMutation({
    async mutationFn(names: readonly string[]) {
      const { content, mapping } = recordsImport(other, by, names);
      const file = await client.files.send(content, { name: `${other.object_type}.csv` });
      const { id } = await client.imports.start({ file_id: file.id, mapping, raw: true });
      return doneJob(client, id);
    },
  });
}

interface NamesProps {
  readonly names: readonly string[];
  /** Those that are not made. */
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

function Names({ names, left, onChange }: NamesProps) {
  return (
    <ul className={`${framed.rows} ${classes.entries} ${classes.names}`}>
      {names.map((name) => (
        <li key={name}>
          <label>
            <input
              type="checkbox"
              checked={!left.has(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(
                  new Set(checked ? [...left].filter((one) => one !== name) : [...left, name]),
                )
              }
            />
            {name}
          </label>
        </li>
      ))}
    </ul>
  );
}
