// The revisions of the definition: when, by whom, what; and going back to one, as changes that are reviewed first.

import '../../lib/plan-texts.ts';
import { Button } from '@mantine/core';
import { useMutation, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { DefinitionRevision } from '@workspace-records/client';
import type { DefinitionDocument } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { editsToStored } from '../../lib/definition/edits.ts';
import { withRenamesBack } from '../../lib/definition/rename-back.ts';
import { useFormats } from '../../lib/format.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DefinitionFrame } from '../../ui/definition-frame.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import framed from '../../ui/framed-rows.module.css';
import { MoreButton } from '../../ui/more-button.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { revisionsQuery } from './api.ts';
import { servedEntries } from './plan-words.ts';
import classes from './plans.module.css';
import { ServedChanges } from './served-changes.tsx';

export default function RevisionsPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('revisions.title')}>
      <Revisions />
    </ForAdministrators>
  );
}

function Revisions() {
  const t = useT();
  const query = useSuspenseInfiniteQuery(revisionsQuery(useSession()));
  const revisions = query.data.pages.flatMap(({ data }) => data);
  return (
    <DefinitionFrame title={t('revisions.title')}>
      <p className={classes.line}>{t('revisions.text')}</p>
      <ol className={`${framed.rows} ${classes.revisions}`} reversed>
        {revisions.map((revision) => (
          <Revision key={revision.revision} revision={revision} />
        ))}
      </ol>
      <MoreButton query={query}>{t('revisions.more')}</MoreButton>
    </DefinitionFrame>
  );
}

const SOURCES: Readonly<Record<'api' | 'import' | 'cli', PlainKey>> = {
  api: 'revisions.api',
  import: 'revisions.import',
  cli: 'revisions.cli',
};

function Revision({ revision: one }: { readonly revision: DefinitionRevision }) {
  const t = useT();
  const { moment } = useFormats();
  const { revision, applied_at, applied_by, source, in_force, changes, more_changes } = one;
  const { mutate, isPending } = useGoBack(revision);
  const who = applied_by?.name ?? applied_by?.email ?? (source === null ? '' : t(SOURCES[source]));
  const all = servedEntries(changes ?? []).length + more_changes;
  return (
    <li className={classes.revision}>
      <div className={classes.head}>
        <span className={classes.title}>{t('revisions.number', { revision })}</span>
        {in_force && (
          <span className={classes.action} data-action="add">
            {t('revisions.inForce')}
          </span>
        )}
        <span className={classes.when}>
          {who} · <time dateTime={applied_at}>{moment(applied_at)}</time>
        </span>
        {!in_force && (
          <Button
            variant="default"
            loading={isPending}
            aria-label={t('revisions.backTo', { revision })}
            onClick={() => mutate()}
          >
            {t('revisions.back')}
          </Button>
        )}
      </div>
      {all > 0 && (
        <details className={classes.details}>
          <summary>{t('plan.changes', { count: all })}</summary>
          <ServedChanges changes={changes ?? []} more={more_changes} />
        </details>
      )}
    </li>
  );
}

/** People and teams stay as they are. */
function useGoBack(revision: number) {
  const t = useT();
  const { workspace, client } = useSession();
  const navigate = useNavigate();
  const { present, edits: before, replace } = useDefinition();
  return useMutation({
    async mutationFn() {
      const { document } = await client.definition.revisions.get(revision);
      const earlier = document as unknown as DefinitionDocument;
      return editsToStored(present, withRenamesBack(earlier, present.document));
    },
    onSuccess(edits) {
      if (edits.length === 0) return showToast({ text: t('revisions.same') });
      replace(edits);
      if (before.length > 0) showToast({ text: t('draft.replaced'), undo: () => replace(before) });
      return navigate({ to: '/$workspace/settings/plans/review', params: { workspace } });
    },
    onError: (error) => showToast({ text: problemText(error, t), isProblem: true }),
  });
}
