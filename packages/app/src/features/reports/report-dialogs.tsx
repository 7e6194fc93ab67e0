// The dialogs of a report: saving it under a name, renaming and sharing it, deleting it.

import { Button, Modal, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { View } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import {
  type SharedName,
  SharedNameForm,
  type SharedNameFormProps,
} from '../../ui/shared-name-form.tsx';
import { useReportWrites } from './api.ts';
import { failureText, type OpenDialog } from './report-actions.tsx';
import { contentOfReport, type ReportState } from './report-state.ts';

interface ReportDialogsProps {
  readonly dialog: OpenDialog;
  readonly state: ReportState;
  readonly saved: View | undefined;
  readonly onClose: () => void;
}

export default function ReportDialogs({ dialog, state, saved, onClose }: ReportDialogsProps) {
  const t = useT();
  const titles = {
    save: t('reports.saveTitle'),
    rename: t('views.renameTitle'),
    delete: t('views.deleteTitle', { name: saved?.name ?? '' }),
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[dialog]}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {dialog === 'save' && <Save state={state} onClose={onClose} />}
      {dialog === 'rename' && saved !== undefined && <Rename saved={saved} onClose={onClose} />}
      {dialog === 'delete' && saved !== undefined && <Delete saved={saved} onClose={onClose} />}
    </Modal>
  );
}

type Closing = Pick<ReportDialogsProps, 'onClose'>;

function Save({ state, onClose }: Closing & Pick<ReportDialogsProps, 'state'>) {
  const { workspace } = useSession();
  const navigate = useNavigate();
  const { create } = useReportWrites();
  const save = (named: SharedName) =>
    create.mutate(
      { object_type: state.object, ...named, ...contentOfReport(state) },
      {
        onSuccess({ id }) {
          onClose();
          void navigate({ to: '/$workspace/reports/$id', params: { workspace, id }, search: {} });
        },
      },
    );
  return (
    <NameForm start={{ name: '', shared: 'private' }} {...create} onSave={save} onClose={onClose} />
  );
}

interface SavedProps extends Closing {
  readonly saved: View;
}

function Rename({ saved, onClose }: SavedProps) {
  const { update } = useReportWrites();
  const { name, shared } = saved;
  const save = (changes: SharedName) =>
    update.mutate({ view: saved, changes }, { onSuccess: onClose });
  return <NameForm start={{ name, shared }} {...update} onSave={save} onClose={onClose} />;
}

function NameForm(form: Omit<SharedNameFormProps, 'texts'>) {
  const t = useT();
  const texts = {
    needsName: t('reports.needsName'),
    share: t('reports.shareText'),
    stale: t('reports.stale'),
  };
  return <SharedNameForm {...form} texts={texts} />;
}

function Delete({ saved, onClose }: SavedProps) {
  const t = useT();
  const { workspace } = useSession();
  const navigate = useNavigate();
  const { remove } = useReportWrites();
  const onSuccess = () => {
    onClose();
    void navigate({ to: '/$workspace/reports', params: { workspace } });
  };
  return (
    <>
      <Text c="dimmed">
        {saved.shared === 'private' ? t('reports.deleteText') : t('reports.deleteSharedText')}
      </Text>
      {remove.error !== null && <p role="alert">{failureText(remove.error, t)}</p>}
      <DialogButtons onClose={onClose}>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(saved, { onSuccess })}
        >
          {t('reports.delete')}
        </Button>
      </DialogButtons>
    </>
  );
}
