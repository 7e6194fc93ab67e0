// The objects of the data model, with those that the draft removes.

import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { folded } from '../../../../tables/src/folded.ts';
import { isBuiltIn, type ObjectEntry } from '../../lib/definition/document.ts';
import { type DraftedDefinition, useDefinition } from '../../lib/definition/draft.ts';
import { presentKey } from '../../lib/definition/rename.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
import { StateMark, stateOf } from './entry-state.tsx';
import classes from './model.module.css';
import { countLinks } from './object-links.ts';

export function ObjectsTable({ text }: { readonly text: string }) {
  const t = useT();
  const definition = useDefinition();
  const { document, present } = definition;
  const links = useMemo(() => countLinks(document), [document]);
  const wanted = folded(text);
  const all = Object.entries({ ...present.document.objects, ...document.objects }).filter(
    ([type]) =>
      document.objects[type] !== undefined || presentKey(document.objects, type) === undefined,
  );
  const matchingObjects = all.filter(([type, { name }]) =>
    folded(`${name} ${type}`).includes(wanted),
  );
  if (matchingObjects.length === 0) return <Text c="dimmed">{t('model.noObject', { text })}</Text>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('model.object')}</th>
          <th scope="col" className={classes.wideOnly}>
            {t('model.key')}
          </th>
          <th scope="col" className={classes.number}>
            {t('model.fields')}
          </th>
          <th scope="col" className={`${classes.number} ${classes.wideOnly}`}>
            {t('model.relationships')}
          </th>
          <th scope="col" className={classes.wideOnly}>
            {t('model.workflow')}
          </th>
        </tr>
      </thead>
      <tbody>
        {matchingObjects.map(([type, object]) => (
          <ObjectRow key={type} {...{ type, object, definition }} links={links.get(type) ?? 0} />
        ))}
      </tbody>
    </table>
  );
}

interface ObjectRowProps {
  readonly definition: DraftedDefinition;
  readonly type: string;
  readonly object: ObjectEntry;
  readonly links: number;
}

function ObjectRow({ type, object, definition, links }: ObjectRowProps) {
  const t = useT();
  const { number } = useFormats();
  const { workspace } = useSession();
  const { document, present } = definition;
  const state = stateOf(present.document, document, ['objects', type]);
  const isGone = state === 'removed';
  const kind = isBuiltIn(type) ? 'built_in' : 'default';
  const workflow =
    object.workflow === undefined ? undefined : document.workflows?.[object.workflow];
  return (
    <tr data-state={state}>
      <th scope="row">
        <span className={classes.name}>
          <Icon
            name={iconOf({ object_type: type, kind, name: object.name, icon: object.icon ?? null })}
          />
          {isGone ? (
            <s>{object.name}</s>
          ) : (
            <Link to="/$workspace/settings/model/$type" params={{ workspace, type }}>
              {object.name}
            </Link>
          )}
          <StateMark state={state} />
          {isGone && <Restore definition={definition} type={type} name={object.name} />}
        </span>
      </th>
      <td className={classes.wideOnly}>
        <code>{type}</code>
      </td>
      <td className={classes.number}>{number(Object.keys(object.fields).length)}</td>
      <td className={`${classes.number} ${classes.wideOnly}`}>{number(links)}</td>
      <td className={classes.wideOnly}>
        {workflow === undefined ? (
          type === 'work_items' && t('model.byType')
        ) : (
          <Link
            to="/$workspace/settings/workflows/$id"
            params={{ workspace, id: object.workflow ?? '' }}
          >
            {workflow.name}
          </Link>
        )}
      </td>
    </tr>
  );
}

interface RestoreProps {
  readonly definition: DraftedDefinition;
  readonly type: string;
  readonly name: string;
}

/** Restores an object with the relationships, references and grants that were removed with it. */
function Restore({ definition: { edits, replace }, type, name }: RestoreProps) {
  const t = useT();
  const restore = () =>
    replace(
      edits.filter(({ path, before, after }) => {
        if (path[0] === 'objects' && path[1] === type) return false;
        return !isPartOf(type, before, after);
      }),
    );
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      aria-label={t('model.restoreNamed', { name })}
      onClick={restore}
    >
      {t('model.restore')}
    </Button>
  );
}

/** Removed because its object was. */
function isPartOf(type: string, before: unknown, after: unknown): boolean {
  if (after !== undefined || typeof before !== 'object' || before === null) return false;
  const { from, to, reference_object_type } = before as Readonly<Record<string, unknown>>;
  return [from, to, reference_object_type].includes(type);
}
