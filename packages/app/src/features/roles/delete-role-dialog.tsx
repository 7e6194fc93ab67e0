// The question before a role is deleted; one that people have is refused by the service, which says so.

import { Button, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Role } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useDeleteRole } from '../../lib/role-writes.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';

interface DeleteRoleDialogProps {
  readonly role: Role;
  readonly onClose: () => void;
}

export function DeleteRoleDialog({ role, onClose }: DeleteRoleDialogProps) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { mutate, error, isPending } = useDeleteRole(role.key);
  const people = role.people ?? 0;
  const remove = () =>
    mutate(undefined, {
      onSuccess() {
        showToast({ text: t('roles.deleted', { name: role.name }) });
        void navigate({ to: '/$workspace/settings/roles', params: { workspace } });
      },
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('roles.deleteTitle', { name: role.name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={table.lead}>
        {people > 0 ? t('roles.inUse', { count: people }) : t('roles.deleteText')}
      </p>
      {error !== null && <Problem error={error} />}
      <DialogButtons beginsWithCancel onClose={onClose}>
        {people === 0 && (
          <Button color="red" loading={isPending} onClick={remove}>
            {t('roles.deleteRole')}
          </Button>
        )}
      </DialogButtons>
    </Modal>
  );
}
