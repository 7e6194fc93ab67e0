// The reset of somebody's second factors, after a question.

import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedMember } from '@workspace-records/client';
import { useState } from 'react';
import { nameOfMember } from '../../lib/members.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import table from '../../ui/settings-table.module.css';
import { showToast } from '../../ui/toast.ts';

export function ResetFactor({ person }: { readonly person: ListedMember }) {
  const t = useT();
  const { workspace, client, me } = useSession();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.secondFactor.reset(person.id),
    async onSuccess() {
      setAsked(false);
      showToast({ text: t('people.factorReset') });
      await queries.invalidateQueries({ queryKey: [workspace, 'members'] });
    },
  });
  if (person.id === me.user.id) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        {t('people.resetFactor')}
      </Button>
      <Modal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('people.resetFactor')}
        closeButtonProps={{ 'aria-label': t('again.close') }}
      >
        <p className={table.lead}>{t('people.resetFactorText', { name: nameOfMember(person) })}</p>
        {error !== null && <Problem error={error} />}
        <DialogButtons beginsWithCancel onClose={() => setAsked(false)}>
          <Button color="red" loading={isPending} onClick={() => mutate()}>
            {t('people.resetFactor')}
          </Button>
        </DialogButtons>
      </Modal>
    </>
  );
}
