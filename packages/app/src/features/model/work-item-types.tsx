// The types of work items: each has its numbers, workflow and fields.

import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { WorkItemTypeEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { Section } from '../../ui/section.tsx';
import { StateMark, stateOf } from './entry-state.tsx';
import classes from './model.module.css';
import { useOpen } from './use-open.ts';
import { WorkItemTypeDialog } from './work-item-type-dialog.tsx';

export function WorkItemTypes() {
  const t = useT();
  const open = useOpen();
  const { document, present } = useDefinition();
  const { new: newKind, type } = useSearch({ strict: false });
  const all = Object.keys({ ...present.document.work_item_types, ...document.work_item_types });
  const hasWorkflow = Object.keys(document.workflows ?? {}).length > 0;
  if (document.objects.work_items === undefined) return null;
  const entry = document.work_item_types?.[type ?? ''];
  return (
    <Section title={t('types.title')} text={t(hasWorkflow ? 'types.text' : 'types.needsWorkflow')}>
      {all.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('types.type')}</th>
              <th scope="col">{t('types.prefix')}</th>
              <th scope="col" className={classes.wideOnly}>
                {t('model.workflow')}
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((slug) => (
              <TypeRow key={slug} slug={slug} />
            ))}
          </tbody>
        </table>
      )}
      {hasWorkflow && (
        <Button variant="default" mt="sm" onClick={() => open({ new: 'type' })}>
          {t('types.new')}
        </Button>
      )}
      {newKind === 'type' && <WorkItemTypeDialog onClose={() => open({})} />}
      {type !== undefined && entry !== undefined && (
        <WorkItemTypeDialog key={type} slug={type} entry={entry} onClose={() => open({})} />
      )}
    </Section>
  );
}

function TypeRow({ slug }: { readonly slug: string }) {
  const t = useT();
  const open = useOpen();
  const { document, present } = useDefinition();
  const state = stateOf(present.document, document, ['work_item_types', slug]);
  const entry = (document.work_item_types?.[slug] ??
    present.document.work_item_types?.[slug]) as WorkItemTypeEntry;
  const { name, prefix, workflow, active = true } = entry;
  return (
    <tr data-state={state}>
      <th scope="row">
        <span className={classes.name}>
          {state === 'removed' ? (
            <s>{name}</s>
          ) : (
            <button type="button" className={classes.link} onClick={() => open({ type: slug })}>
              {name}
            </button>
          )}
          {!active && <span className={classes.fact}>{t('types.inactive')}</span>}
          <StateMark state={state} />
        </span>
      </th>
      <td>
        <code>{prefix}-1</code>
      </td>
      <td className={classes.wideOnly}>{document.workflows?.[workflow]?.name ?? workflow}</td>
    </tr>
  );
}
