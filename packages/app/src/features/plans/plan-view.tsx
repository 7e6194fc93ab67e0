// The changes with what each of them does to records, and everything that blocks them.

import { ActionIcon, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DefinitionPlan, FieldType } from '@workspace-records/client';
import { PlanProblems } from '../../editing/plan-problems.tsx';
import { changesOf, type DraftChange } from '../../lib/definition/changes.ts';
import { type Path, valueAt } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import type { Edit } from '../../lib/definition/edits.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import framed from '../../ui/framed-rows.module.css';
import { Icon } from '../../ui/icon.tsx';
import { RenameNote } from '../../ui/rename-note.tsx';
import { Section } from '../../ui/section.tsx';
import { tellEdits } from './edit-words.ts';
import { NewObjectAccess } from './new-object-access.tsx';
import {
  ACTIONS,
  durationText,
  effectText,
  type MatchedChange,
  matchPlan,
  placeText,
  placeWithin,
} from './plan-words.ts';
import classes from './plans.module.css';
import { ServedChanges } from './served-changes.tsx';

export function PlanView({ plan }: { readonly plan: DefinitionPlan }) {
  const t = useT();
  const { edits } = useDefinition();
  const newType = useNewType();
  const { changes, others: servedChanges, problems } = matchPlan(changesOf(edits), plan);
  const duration = durationText(plan, t);
  return (
    <Section
      title={t('plan.changes', { count: changes.length })}
      text={plan.plan_id === null ? t('plan.blocked') : (duration ?? t('plan.quick'))}
    >
      <PlanProblems problems={problems} newType={newType} />
      <ul className={framed.rows}>
        {changes.map((matched) => (
          <ChangeItem key={matched.change.path.join('.')} matched={matched} />
        ))}
      </ul>
      {servedChanges.length > 0 && (
        <>
          <h3 className={classes.also}>{t('plan.also')}</h3>
          <ServedChanges changes={servedChanges} />
        </>
      )}
    </Section>
  );
}

function ChangeItem({ matched }: { readonly matched: MatchedChange }) {
  const t = useT();
  const { change, planned, problems } = matched;
  const { document, present, edits, replace } = useDefinition();
  const newType = useNewType();
  const { path, action } = change;
  const changedPlace = placeText(path, [document, present.document], t);
  const effects = planned.flatMap((one) => effectText(one, problems, t) ?? []);
  const loses = planned.some(({ effect }) => effect === 'loses');
  const drop = () => replace(edits.filter((edit) => !change.edits.includes(edit)));
  return (
    <li className={classes.change} data-problem={problems.length > 0 || undefined}>
      <div className={classes.head}>
        <span className={classes.action} data-action={action}>
          {t(ACTIONS[action])}
        </span>
        <span className={classes.title}>
          <PlaceLink change={change}>{changedPlace}</PlaceLink>
        </span>
        <Tooltip label={t('plan.dropOne')}>
          <ActionIcon aria-label={t('plan.dropNamed', { name: changedPlace })} onClick={drop}>
            <Icon name="close" size={14} />
          </ActionIcon>
        </Tooltip>
      </div>
      <Settings change={change} />
      {action === 'rename' && <RenameNote path={path} />}
      {action === 'add' && isObject(path) && <NewObjectAccess type={path[1] ?? ''} />}
      {[...new Set(effects)].map((text) => (
        <p key={text} className={classes.effect} data-loses={loses || undefined}>
          {text}
        </p>
      ))}
      <PlanProblems
        problems={problems}
        newType={newType}
        placeOf={(text) => placeWithin(path, text, [document, present.document], t)}
      />
    </li>
  );
}

interface PlaceLinkProps {
  readonly change: DraftChange;
  readonly children: string;
}

/** A change of an object leads to the page of the object, where it can be corrected. */
function PlaceLink({ change: { path, action }, children }: PlaceLinkProps) {
  const { workspace } = useSession();
  const { document } = useDefinition();
  const [section, type = ''] = path;
  const isThere = section === 'objects' && document.objects[type] !== undefined;
  if (!isThere || action === 'remove') return children;
  return (
    <Link to="/$workspace/settings/model/$type" params={{ workspace, type }}>
      {children}
    </Link>
  );
}

function isObject([section, ...rest]: Path): boolean {
  return section === 'objects' && rest.length === 1;
}

/** Returns the new type of the field at a path; undefined when the type does not change. */
function useNewType() {
  const { document, present } = useDefinition();
  return (path: string) => {
    const [old, now] = [present.document, document].map((one) =>
      valueAt(one, [...path.split('.'), 'type']),
    );
    return old === now ? undefined : (now as FieldType | undefined);
  };
}

/** True for an edit of the entry itself, not of an entry that only follows its rename. */
function isOf(path: Path) {
  return (edit: Edit) => path.every((key, at) => edit.path[at] === key);
}

function Settings({ change: { path, action, edits } }: { readonly change: DraftChange }) {
  const t = useT();
  const { document, present } = useDefinition();
  const telling = { documents: [document, present.document], t };
  const editLines = tellEdits(edits.filter(isOf(path)), path, telling);
  const from = action === 'rename' ? edits.find(({ after }) => after === undefined) : undefined;
  return (
    <>
      {from !== undefined && (
        <p className={classes.line}>
          <code>{from.path.at(-1)}</code> → <code>{path.at(-1)}</code>
        </p>
      )}
      {editLines.map(({ setting, before, after }) => (
        <p key={`${setting} ${after}`} className={classes.line}>
          {setting !== undefined && <span className={classes.setting}>{setting}: </span>}
          {before !== undefined && (
            <>
              <s>{before}</s> →{' '}
            </>
          )}
          {after ?? t('clash.nothing')}
        </p>
      ))}
    </>
  );
}
