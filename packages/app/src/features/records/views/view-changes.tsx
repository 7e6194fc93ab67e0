// Shows that a list differs from its view, with the actions: save it, save it as another view, discard it. Also lists
// the parts of the view that cannot be queried.

import { Alert, Button, Group, Text } from '@mantine/core';
import type { ObjectDefinition, View } from '@workspace-records/client';
import { useT } from '../../../lib/messages/index.ts';
import { contentOfState } from '../../../lib/saved-views.ts';
import { useSession } from '../../../lib/session.ts';
import { isEqual } from '../../../lib/view-state.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { ListView } from '../use-view.ts';
import type { OpenDialog } from './view-menu.tsx';
import { useViewWrites } from './view-writes.ts';
import classes from './views.module.css';

interface ViewChangesProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** The height of rows and the shown month are no part of a view. */
export function hasChanges({ saved, view, base }: ListView): boolean {
  return saved !== undefined && !isEqual({ ...view, rows: undefined, on: undefined }, base);
}

/** True for a list without a view that has conditions, an order, groups or columns of its own. */
export function isKeepable({ saved, view, base }: ListView): boolean {
  const kept = ({ where, sort, group, fields }: ListView['view']) => [where, sort, group, fields];
  return saved === undefined && !isEqual(kept(view), kept(base));
}

export function ViewChanges({ object, list, onDialog }: ViewChangesProps) {
  const t = useT();
  const { update } = useViewWrites(object.object_type);
  const { me } = useSession();
  const { saved, view } = list;
  if (me.viewing !== undefined) return null;
  if (saved === undefined) return isKeepable(list) ? <KeepAsView onDialog={onDialog} /> : null;
  if (!hasChanges(list)) return null;
  const { id, version, can_change } = saved;
  const save = () =>
    update.mutate(
      { id, version, changes: contentOfState(view, object, saved) },
      { onSuccess: () => list.open(id) },
    );
  return (
    <Group wrap="nowrap" gap={6} ms="auto" role="group" aria-label={t('views.changed')}>
      <Text span c="dimmed" fz="xs">
        {t('views.changed')}
      </Text>
      <Button variant="subtle" color="gray" onClick={() => list.open(id)}>
        {t('views.reset')}
      </Button>
      {can_change ? (
        <Button variant="default" loading={update.isPending} onClick={save}>
          {t('views.save')}
        </Button>
      ) : (
        <Button variant="default" onClick={() => onDialog('save')}>
          {t('views.saveAs')}
        </Button>
      )}
    </Group>
  );
}

/** A question without a view, which may become one. */
function KeepAsView({ onDialog }: Pick<ViewChangesProps, 'onDialog'>) {
  const t = useT();
  return (
    <Group wrap="nowrap" gap={6} ms="auto">
      <Button variant="subtle" color="gray" onClick={() => onDialog('save')}>
        {t('views.saveAs')}
      </Button>
    </Group>
  );
}

/** The parts of the view that the list omits, and a copy without them where the person may not know them. */
export function ViewProblems({ list }: Pick<ViewChangesProps, 'list'>) {
  const t = useT();
  const { saved } = list;
  if (saved === undefined || saved.problems.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Icon name="warning" />}
      className={classes.problems}
      role="status"
    >
      {saved.hidden ? t('views.hidden') : t('views.problems')}
      <ul className={classes.reasons}>
        {saved.problems.map(({ param, message }) => (
          <li key={`${param} ${message}`}>{message}</li>
        ))}
      </ul>
      {saved.hidden && <CopyButton saved={saved} list={list} />}
    </Alert>
  );
}

function CopyButton({ saved, list }: { readonly saved: View; readonly list: ListView }) {
  const t = useT();
  const { copy } = useViewWrites(saved.object_type);
  return (
    <Button
      variant="default"
      loading={copy.isPending}
      onClick={() => copy.mutate(saved, { onSuccess: ({ id }) => list.open(id) })}
    >
      {t('views.copy')}
    </Button>
  );
}
