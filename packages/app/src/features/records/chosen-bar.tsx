// The actions on the chosen rows, above the list: only those that the person may apply to some of them.

import { Button, CloseButton, Text } from '@mantine/core';
import { LIMITS, type ObjectDefinition, type RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useCards } from '../../editing/transfers/use-cards.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import { addressOfRecords, MOST_LINKED } from '../../lib/records-address.ts';
import { useSession } from '../../lib/session.ts';
import { copyAddress } from '../../ui/copy-address.ts';
import { showToast } from '../../ui/toast.ts';
import classes from './chosen-bar.module.css';
import { ChosenStatus } from './chosen-status.tsx';
import { isEditable } from './editable.ts';
import { useMatchingCount } from './matching/matching-counts.ts';
import { type MatchingQuestion, matchingParts } from './matching/selection.ts';
import type { ChosenRows } from './use-chosen-rows.ts';
import { useWriteMany } from './write-many.ts';

const MatchingBar = later(() => import('./matching/matching-bar.tsx'));
const EditDialog = later(() => import('./bulk-edit-dialog.tsx'));
const DeleteDialog = later(() => import('./bulk-delete-dialog.tsx'));
const MergeDialog = later(() => import('../../editing/merge/merge-dialog.tsx'));

interface ChosenBarProps {
  readonly object: ObjectDefinition;
  readonly chosen: ChosenRows;
  /** The question of the list. */
  readonly question: MatchingQuestion;
  /** True when more rows match than are loaded. */
  readonly hasMore: boolean;
  /** A dialog is closed, or the bar itself. */
  readonly onClose: () => void;
}

/** The props of a dialog about chosen records. */
export interface BulkDialogProps {
  readonly object: ObjectDefinition;
  /** The chosen records that the person may change in this way. */
  readonly records: readonly RecordData[];
  /** The number of chosen records. */
  readonly total: number;
  readonly onClose: () => void;
}

export function ChosenBar(props: ChosenBarProps) {
  const { chosen, onClose } = props;
  const t = useT();
  const total = chosen.ids.size;
  if (total === 0 && !chosen.isMatching) return null;
  return (
    <section className={classes.place} aria-label={t('grid.chosenActions')}>
      <div className={classes.bar}>
        {chosen.isMatching ? <Matching {...props} /> : <Chosen {...props} />}
        <CloseButton
          aria-label={t('grid.chooseNone')}
          onClick={() => {
            chosen.clear();
            onClose();
          }}
        />
      </div>
    </section>
  );
}

function Matching({ object, chosen, question, onClose }: ChosenBarProps) {
  const t = useT();
  const count = useMatchingCount(object.object_type, question, true);
  return (
    <>
      <span role="status" className={classes.count}>
        {count === undefined ? t('matching.chosenUncounted') : t('matching.chosen', { count })}
      </span>
      <MatchingBar
        {...{ object, onClose }}
        question={question}
        total={count}
        onDeleted={chosen.clear}
      />
    </>
  );
}

function Chosen({ object, chosen, question, hasMore, onClose }: ChosenBarProps) {
  const t = useT();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { recordsOf } = useWriteMany();
  const canUpdate = useCanChangeEach(object, 'update');
  const canDelete = useCanChangeEach(object, 'delete');
  const total = chosen.ids.size;
  const records = recordsOf(object.object_type, chosen.ids);
  const changeable = records.filter(canUpdate);
  const deletable = records.filter(canDelete);
  const canEdit = changeable.length > 0 && object.fields.some(isFieldEditable);
  // A write may end after its dialog was closed, while the other one is open.
  const dialogOf = (kind: typeof open) => {
    const close = () => {
      setOpen((present) => (present === kind ? undefined : present));
      onClose();
    };
    return { object, total, onClose: close };
  };
  return (
    <>
      <span role="status" className={classes.count}>
        {t('grid.chosen', { count: total })}
        <Extent chosen={chosen} />
      </span>
      {chosen.ofLoaded === 'all' && hasMore && <AllMatching {...{ object, chosen, question }} />}
      {canEdit && (
        <Button variant="default" onClick={() => setOpen('edit')}>
          {t('grid.changeField')}
        </Button>
      )}
      <ChosenStatus object={object} records={changeable} />
      <Merging {...{ object, chosen, onClose }} records={changeable.filter(canDelete)} />
      {deletable.length > 0 && (
        <Button variant="default" onClick={() => setOpen('delete')}>
          {t('grid.delete')}
        </Button>
      )}
      <CardsButton object={object} ids={[...chosen.ids]} />
      <CopyRecords type={object.object_type} ids={[...chosen.ids]} />
      {open === 'edit' && <EditDialog {...dialogOf('edit')} records={changeable} />}
      {open === 'delete' && (
        <DeleteDialog {...dialogOf('delete')} records={deletable} onDeleted={chosen.drop} />
      )}
    </>
  );
}

type MergingProps = Pick<ChosenBarProps, 'object' | 'chosen' | 'onClose'> &
  Pick<BulkDialogProps, 'records'>;

/** Each of the records may be the one that stays, so the person may change and delete all of them. */
function Merging({ object, chosen, records, onClose }: MergingProps) {
  const t = useT();
  const [ids, setIds] = useState<readonly string[]>();
  const total = chosen.ids.size;
  const isOffered = total > 1 && total <= LIMITS.mergedRecords + 1 && records.length === total;
  const close = () => {
    setIds(undefined);
    onClose();
  };
  return (
    <>
      {isOffered && (
        <Button variant="default" onClick={() => setIds([...chosen.ids])}>
          {t('grid.merge')}
        </Button>
      )}
      {ids !== undefined && (
        <MergeDialog
          {...{ object, ids }}
          onClose={close}
          onMerged={(gone) => {
            chosen.drop(gone);
            close();
          }}
        />
      )}
    </>
  );
}

/** The records as contact cards. */
function CardsButton(props: {
  readonly object: ObjectDefinition;
  readonly ids: readonly string[];
}) {
  const t = useT();
  const cards = useCards(props.object);
  if (cards === undefined) return null;
  const { download, isPending } = cards;
  return (
    <Button variant="default" loading={isPending} onClick={() => download(props.ids)}>
      {t('export.someCards')}
    </Button>
  );
}

/** The list of these records alone. */
function CopyRecords({ type, ids }: { readonly type: string; readonly ids: readonly string[] }) {
  const t = useT();
  const { workspace } = useSession();
  const copy = () => {
    if (ids.length > MOST_LINKED) {
      showToast({ text: t('link.most', { count: MOST_LINKED }), isProblem: true });
      return;
    }
    const list = `${location.origin}/app/${workspace}/o/${type}`;
    void copyAddress(t, addressOfRecords(list, ids));
  };
  return (
    <Button variant="default" onClick={copy}>
      {t('link.records')}
    </Button>
  );
}

/** Beyond the loaded rows: a button with their number, as soon as it is known. */
function AllMatching({
  object,
  chosen,
  question,
}: Pick<ChosenBarProps, 'object' | 'chosen' | 'question'>) {
  const t = useT();
  const isPossible = matchingParts(object, question) !== undefined;
  const count = useMatchingCount(object.object_type, question, isPossible);
  if (!isPossible)
    return (
      <Text span c="dimmed" fw={400} ms="sm">
        {t('matching.short')}
      </Text>
    );
  return (
    <Button variant="subtle" onClick={chosen.chooseMatching}>
      {count === undefined ? t('matching.chooseUncounted') : t('matching.choose', { count })}
    </Button>
  );
}

/** The number of chosen rows that are not loaded now. */
function Extent({ chosen: { elsewhere } }: Pick<ChosenBarProps, 'chosen'>) {
  const t = useT();
  if (elsewhere === 0) return null;
  return (
    <Text span c="dimmed" fw={400} ms="sm">
      {t('grid.chosenElsewhere', { count: elsewhere })}
    </Text>
  );
}

function isFieldEditable(field: ObjectDefinition['fields'][number]): boolean {
  return isEditable({ kind: 'field', id: field.key, field });
}
