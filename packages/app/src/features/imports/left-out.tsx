// Warnings of a dry run: rows that a person may leave out, which have another length than the header or the match values
// of another row, and values that a spreadsheet may have changed.

import '../../lib/import-notice-texts.ts';
import { Alert, Button, Group, NativeSelect } from '@mantine/core';
import type { JobDetails } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { placeText } from '../../lib/row-words.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './imports.module.css';
import type { Chosen, ImportState, Plan } from './use-import.ts';

interface LeftOutProps {
  readonly state: ImportState;
  readonly plan: Plan;
  readonly chosen: Chosen;
}

export function LeftOut({ state, plan: { draft }, chosen }: LeftOutProps) {
  const t = useT();
  const { count } = chosen.table.uneven;
  if (count === 0) return null;
  const isLeftOut = draft.skipsUneven === true;
  return (
    <Group justify="space-between" gap="sm">
      <span>{t(isLeftOut ? 'import.unevenSkipped' : 'import.unevenRows', { count })}</span>
      <Button variant="default" onClick={() => state.change({ ...draft, skipsUneven: !isLeftOut })}>
        {t(isLeftOut ? 'import.keepUneven' : 'import.skipUneven')}
      </Button>
    </Group>
  );
}

type UnfitProps = Pick<LeftOutProps, 'state' | 'plan'> & Pick<ValuesProps, 'job'>;

/** Leave out rows with values that do not fit, or these values alone. */
export function Unfit({ state, plan: { draft }, job: { counts } }: UnfitProps) {
  const t = useT();
  const isImported = draft.leavesOutUnfit === true;
  if (!isImported && (counts.rejected ?? 0) === 0) return null;
  return (
    <Group justify="space-between" gap="sm">
      <span>{t(isImported ? 'import.unfitImported' : 'import.unfitRows')}</span>
      <Button
        variant="default"
        onClick={() => state.change({ ...draft, leavesOutUnfit: !isImported })}
      >
        {t(isImported ? 'import.leaveOutUnfit' : 'import.importUnfit')}
      </Button>
    </Group>
  );
}

const CHOICES = ['both', 'first', 'last'] as const;
const CHOICE_NAMES = {
  both: 'import.doublesBoth',
  first: 'import.doublesFirst',
  last: 'import.doublesLast',
} as const;
/** The most rows that are shown. */
const SHOWN = 5;

interface DoublesProps extends LeftOutProps {
  readonly job: JobDetails;
}

export function Doubles({ state, plan: { draft }, chosen, job }: DoublesProps) {
  const { counts, doubles: rows } = job;
  const { fileName } = chosen;
  const t = useT();
  const { doubles: count = 0 } = counts;
  if (count === 0 && draft.doubles === undefined) return null;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      {count > 0 && t('import.doubles', { count })}
      <ul className={classes.names}>
        {rows.slice(0, SHOWN).map(({ line, first_line, value }) => (
          <li key={line}>
            {t('import.double', {
              ...{ value, place: placeText(t, fileName, line) },
              first: placeText(t, fileName, first_line),
            })}
          </li>
        ))}
      </ul>
      <NativeSelect
        className={classes.rows}
        label={t('import.doublesChoice')}
        value={draft.doubles ?? 'both'}
        data={CHOICES.map((value) => ({ value, label: t(CHOICE_NAMES[value]) }))}
        onChange={({ currentTarget: { value } }) => {
          const doubles = value === 'both' ? undefined : (value as 'first' | 'last');
          state.change({ ...draft, doubles });
        }}
      />
    </Alert>
  );
}

interface ValuesProps {
  readonly job: JobDetails;
  /** The name of a field. */
  readonly nameOf: (key: string) => string;
}

const CHANGES = {
  exponents: 'import.changedExponents',
  digits: 'import.changedDigits',
  dates: 'import.changedDates',
  errors: 'import.changedErrors',
  zeros: 'import.changedZeros',
} as const;

/** Values that another program may have changed: the person looks at the file again. */
export function ChangedValues({ job: { changed_values: all }, nameOf }: ValuesProps) {
  const t = useT();
  if (all.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
      {t('import.changedValues')}
      <ul className={classes.names}>
        {all.map(({ field, change, values: count, example }) => (
          <li key={`${field} ${change}`}>
            <span>
              <strong>{nameOf(field)}: </strong>
              {t(CHANGES[change], { count })} {t('import.suchAs', { example })}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
