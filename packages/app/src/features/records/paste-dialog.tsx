// The effects of a paste, and its problems, by row and column: no record is written while there is a problem. Later
// refusals of the service are reported by row as well.

import { Alert, Box, Button, Group, Modal, Progress, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { localeOf, useLanguage, useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import { recordName } from '../../lib/record-name.ts';
import { Choice } from '../../ui/choice.tsx';
import classes from './bulk-dialog.module.css';
import type { PastePlan, PasteProblem } from './paste-plan.ts';
import { refusalText } from './refusals.ts';

interface PasteDialogProps {
  readonly object: ObjectDefinition;
  readonly plan: PastePlan;
  /** Headings of the text that name no field, or none that can be pasted here. */
  readonly unknown: readonly string[];
  /** The first record that it can be pasted over. */
  readonly over: RecordData | undefined;
  /** All rows are new records. */
  readonly isAppended: boolean;
  readonly onAppend: (isAppended: boolean) => void;
  /** Rows of the text. */
  readonly total: number;
  /** The cells are emptied or filled. */
  readonly isInside: boolean;
  /** The number of written rows; undefined: the paste has not begun. */
  readonly done: number | undefined;
  readonly outcome: BatchOutcome | undefined;
  readonly onWrite: () => void;
  readonly onClose: () => void;
}

export default function PasteDialog(props: PasteDialogProps) {
  const { plan, unknown, total, isInside, done, outcome, onWrite, onClose } = props;
  const t = useT();
  const { problems, created, changed, writes, leftOut } = plan;
  const isRefused = problems.length > 0;
  const isOffered = !isRefused && outcome === undefined;
  const canWrite = isOffered && writes.length > 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isInside ? 'grid.insideTitle' : 'grid.pasteTitle', { count: total })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {outcome === undefined && done === undefined && <Place {...props} />}
      {isOffered && unknown.length > 0 && <Unknown names={unknown} />}
      {isOffered && leftOut.length > 0 && <LeftOut names={leftOut} canWrite={canWrite} />}
      {canWrite && (
        <Text c="dimmed" mb="md">
          {t('grid.pasteText', { changed, count: created })}
        </Text>
      )}
      {isRefused && <Problems problems={problems} />}
      {outcome !== undefined && <Refused {...props} outcome={outcome} />}
      {done !== undefined && (
        <Progress aria-label={t('grid.progress')} mt="lg" value={(done / writes.length) * 100} />
      )}
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t(canWrite ? 'record.cancel' : 'again.close')}
        </Button>
        {canWrite && (
          <Button data-autofocus loading={done !== undefined} onClick={onWrite}>
            {t('grid.pasteNow', { count: writes.length })}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

/** New records, or the rows from the focused one on. */
function Place({ over, isAppended, isInside, total, onAppend }: PasteDialogProps) {
  const t = useT();
  if (over === undefined || isInside || total === 1) return null;
  return (
    <Box mb="md">
      <Choice
        label={t('grid.pasteWhere')}
        options={{
          new: t('grid.pasteAsNew'),
          over: t('grid.pasteOver', { name: recordName(over) }),
        }}
        value={isAppended ? 'new' : 'over'}
        onChange={(value) => onAppend(value === 'new')}
      />
    </Box>
  );
}

function Unknown({ names }: { readonly names: readonly string[] }) {
  const t = useT();
  const list = useListOf(names);
  const values = { names: list, count: names.length };
  return (
    <Text c="dimmed" mb="md">
      {t('grid.unknownColumns', values)}
    </Text>
  );
}

function useListOf(names: readonly string[]): string {
  const language = useLanguage();
  return new Intl.ListFormat(localeOf(language), { type: 'conjunction' }).format(names);
}

interface LeftOutProps {
  /** The names of the columns that are left out. */
  readonly names: readonly string[];
  /** False: all cells have problems. */
  readonly canWrite: boolean;
}

function LeftOut({ names, canWrite }: LeftOutProps) {
  const t = useT();
  const list = useListOf(names);
  const values = { names: list, count: names.length };
  return (
    <Text c="dimmed" mb="md">
      {t(canWrite ? 'grid.leftOut' : 'grid.allLeftOut', values)}
    </Text>
  );
}

function Problems({ problems }: { readonly problems: readonly PasteProblem[] }) {
  const t = useT();
  return (
    <Alert color="red" variant="light" role="alert">
      {t('grid.pasteRefused', { count: problems.length })}
      <ul className={classes.list}>
        {problems.map(({ row, column, text, problem }) => (
          <li key={`${row} ${column}`}>
            {row !== undefined && `${t('grid.row', { row: row + 1 })} `}
            {column !== '' && `${column} `}
            {text !== '' && `“${text.slice(0, 40)}” `}
            {t(problem)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

interface RefusedProps extends PasteDialogProps {
  readonly outcome: BatchOutcome;
}

function Refused({ object, plan, outcome: { refused, written } }: RefusedProps) {
  const t = useT();
  return (
    <Alert color="red" variant="light" role="alert">
      {t('grid.notDone', { count: refused.length, done: written.length })}
      <ul className={classes.list}>
        {refused.map((one) => {
          const { row = 0, record } = plan.writes[one.index] ?? {};
          return (
            <li key={one.index}>
              {t('grid.row', { row: row + 1 })}{' '}
              {record === undefined ? '' : `${recordName(record)}: `}
              {refusalText(one, object.fields)}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
