// The unsaved edits one by one: where they belong, what was typed, what happened.

import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTextContext } from '../../fields/use-text-context.ts';
import { type PlainKey, useT } from '../../lib/messages/index.ts';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { keyOfPlace, type UnsavedEdit, useEdits } from '../../lib/unsaved-edits.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { openCreation } from '../creation.ts';
import { moveToDialog } from '../creation-state.ts';
import { editText } from './edit-texts.ts';
import classes from './unsaved.module.css';

interface UnsavedListProps {
  readonly edits: readonly UnsavedEdit[];
  readonly reasons: ReadonlyMap<string, PlainKey>;
}

export default function UnsavedList({ edits, reasons }: UnsavedListProps) {
  return (
    <ul className={classes.list}>
      {edits.map((edit) => (
        <Entry key={keyOfPlace(edit)} edit={edit} lost={reasons.get(keyOfPlace(edit))} />
      ))}
    </ul>
  );
}

interface EntryProps {
  readonly edit: UnsavedEdit;
  readonly lost: PlainKey | undefined;
}

function Entry({ edit, lost }: EntryProps) {
  const t = useT();
  const edits = useEdits();
  const contextOf = useTextContext();
  const text = editText(edit, contextOf);
  const reason = lost === undefined ? edit.problem?.text : t(lost);
  return (
    <li className={classes.entry}>
      <div className={classes.what}>
        <Subject edit={edit} isLost={lost === 'edits.recordGone' || lost === 'edits.objectGone'} />
        <p className={classes.text}>{text}</p>
        <p className={classes.reason}>
          {reason ?? t(edit.wish === undefined ? 'edits.left' : 'edits.unsent')}
        </p>
      </div>
      <Group gap={6}>
        {edit.kind === 'form' && lost === undefined && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => openCreation(moveToDialog(edits, edit))}
          >
            {t('edits.continue')}
          </Button>
        )}
        <CopyButton text={text} />
        <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(edit)}>
          {t('edits.discard')}
        </Button>
      </Group>
    </li>
  );
}

interface SubjectProps {
  readonly edit: UnsavedEdit;
  /** True: the record cannot be opened. */
  readonly isLost: boolean;
}

/** The object, the record and the field. */
function Subject({ edit, isLost }: SubjectProps) {
  const t = useT();
  const session = useSession();
  const { data: objects } = useQuery(objectsQuery(session));
  const { kind, type, id, name, field } = edit;
  const object = objects?.find(({ object_type }) => object_type === type);
  const singular = object?.singular_name ?? object?.name ?? type;
  if (kind === 'form') return <p>{t('create.new', { name: singular })}</p>;
  const record = name ?? t('records.unnamed');
  const part = kind === 'comment' ? t('comments.write') : (field?.name ?? edit.part);
  return (
    <p>
      {singular}{' '}
      {isLost ? (
        <strong>{record}</strong>
      ) : (
        <Link
          to="/$workspace/o/$type/$id"
          params={{ workspace: session.workspace, type, id }}
          preload={false}
        >
          {record}
        </Link>
      )}
      {` · ${part}`}
    </p>
  );
}
