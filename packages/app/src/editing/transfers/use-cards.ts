// Records as contact cards: the file of some of them, for people who may begin an export.

import { LIMITS, type ObjectDefinition } from '@workspace-records/client';
import { isOfContacts } from '../../lib/exports.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useExport } from './use-export.ts';

/** Undefined: the records cannot be cards, or the person views as another one. */
export function useCards(object: ObjectDefinition) {
  const t = useT();
  const { me } = useSession();
  const { mutate, isPending } = useExport();
  if (me.viewing !== undefined || !isOfContacts(object)) return undefined;
  const download = (ids: readonly string[]) => {
    if (ids.length > LIMITS.inValues) {
      showToast({ text: t('export.mostCards', { count: LIMITS.inValues }), isProblem: true });
      return;
    }
    const where = { field: 'id', op: 'in', value: [...ids] } as const;
    mutate(
      { object_type: object.object_type, format: 'vcf', where },
      { onError: (error) => showToast({ text: problemText(error, t), isProblem: true }) },
    );
  };
  return { download, isPending };
}
