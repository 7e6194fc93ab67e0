// The columns of the file: the field of each, required fields that none gives, and how rows find existing records.

import '../../lib/import-notice-texts.ts';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ObjectDefinition } from '@workspace-records/client';
import { useState } from 'react';
import type { Table } from '../../../../tables/src/reading.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { FileNotices } from '../../ui/file-notices.tsx';
import framed from '../../ui/framed-rows.module.css';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/section.tsx';
import { columnIn } from './column-forms.ts';
import { ColumnRow } from './column-row.tsx';
import { FirstTypeOffer } from './first-type-offer.tsx';
import {
  fieldMadeOf,
  type ImportDraft,
  isUndecided,
  planColumn,
  withColumn,
} from './import-draft.ts';
import type { Step } from './import-page.tsx';
import classes from './imports.module.css';
import { isOfRecords } from './mapping-document.ts';
import { MatchPart } from './match-part.tsx';
import { NewFieldsDialog } from './new-fields-dialog.tsx';
import { RequiredPart } from './required-part.tsx';
import { RowsPart } from './rows-part.tsx';
import { SavedPart } from './saved-part.tsx';
import type { Chosen, ImportState, Plan } from './use-import.ts';

interface ColumnsStepProps {
  /** Whose records, comments or links the rows are. */
  readonly object: ObjectDefinition;
  readonly state: ImportState;
  readonly chosen: Chosen;
  readonly plan: Plan;
  readonly onOpen: (step: Step) => void;
}

export function ColumnsStep({ object: of, state, chosen, plan, onOpen }: ColumnsStepProps) {
  const t = useT();
  const { number } = useFormats();
  const { table, fileName } = chosen;
  const { target } = state;
  const { object } = target;
  const { draft } = plan;
  const imported = draft.columns.filter(({ field }) => field !== undefined).length;
  const undecided = draft.columns.filter(isUndecided).map(({ heading }) => heading);
  return (
    <Stack gap="lg">
      <Group align="flex-end" justify="space-between">
        <div>
          <div className={classes.fileName}>{fileName}</div>
          <Text component="div" c="dimmed">
            {t('import.matched', {
              matched: number(imported),
              columns: number(table.headings.length),
              count: table.rows,
            })}
          </Text>
        </div>
        <SavedPart {...{ target, draft, table }} onChange={state.change} />
      </Group>
      <FileNotices {...{ fileName, table }} />
      <RowsPart object={of} rows={plan.rows} onChange={state.changeRows} />
      {isOfRecords(target) && <Recognised {...table} />}
      {isWithoutTypes(object) ? (
        <FirstTypeOffer {...{ target, table }} onMade={state.change} />
      ) : (
        <RequiredPart {...{ object, draft }} onChange={state.change} />
      )}
      <Columns {...{ state, chosen, draft }} />
      {isOfRecords(target) && (
        <Section title={t('import.existing')}>
          <MatchPart {...{ object, draft }} onChange={state.change} />
        </Section>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={() => onOpen('file')}>
          {t('import.back')}
        </Button>
        <Button
          disabled={imported === 0 || table.rows === 0 || undecided.length > 0}
          onClick={() => onOpen('check')}
        >
          {t('import.check', { count: table.rows })}
        </Button>
      </div>
      {undecided.length > 0 && (
        <Text c="dimmed" role="status">
          {t('import.undecided', { names: undecided.join(', ') })}
        </Text>
      )}
    </Stack>
  );
}

/** Work items need a type, and there is none. */
function isWithoutTypes({ work_item_types: types }: ObjectDefinition): boolean {
  return types?.length === 0;
}

function Recognised({ preset }: Pick<Table, 'preset'>) {
  const t = useT();
  if (preset === undefined) return null;
  return (
    <Group component="p" wrap="nowrap" gap="sm" c="dimmed" m={0}>
      <Icon name="check" size={14} />
      {t('import.recognised', { product: preset.product })}
    </Group>
  );
}

interface ColumnsProps extends Pick<ColumnsStepProps, 'state' | 'chosen'> {
  readonly draft: ImportDraft;
}

function Columns({ state, chosen, draft }: ColumnsProps) {
  const t = useT();
  const { table } = chosen;
  const { target } = state;
  const [isMaking, setMaking] = useState(false);
  const factsOf = (heading: string) => table.columns[table.headings.indexOf(heading)];
  const lost = draft.columns.filter(
    ({ heading, field }) =>
      field === undefined &&
      (factsOf(heading)?.filled ?? 0) > 0 &&
      fieldMadeOf(draft, heading) === undefined,
  );
  const choose = (heading: string, field: string | undefined) => {
    const plan = planColumn(target, columnIn(table, heading), field);
    state.change(withColumn(target, draft, plan));
  };
  return (
    <>
      <ul className={framed.rows} aria-label={t('import.columns')}>
        {draft.columns.map((plan) => (
          <ColumnRow
            key={plan.heading}
            {...{ target, plan }}
            partOf={fieldMadeOf(draft, plan.heading)}
            column={columnIn(table, plan.heading)}
            onChoose={(field) => choose(plan.heading, field)}
            onChange={(next) => state.change(withColumn(target, draft, next))}
          />
        ))}
      </ul>
      {lost.length > 0 && isOfRecords(target) && (
        <Alert variant="light" color="gray" icon={<Icon name="columns" />}>
          <Group justify="space-between" gap="sm">
            <span>{t('import.lost', { count: lost.length })}</span>
            <Button variant="default" onClick={() => setMaking(true)}>
              {t('import.makeFields')}
            </Button>
          </Group>
        </Alert>
      )}
      {isMaking && (
        <NewFieldsDialog
          {...{ target, draft, table }}
          headings={lost.map(({ heading }) => heading)}
          onMade={(next) => {
            state.change(next);
            setMaking(false);
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}
