// The dialogs of views: keeping one, renaming and sharing it, deleting it, putting all in order, the feed of a calendar.

import { ActionIcon, Button, Modal, Text } from '@mantine/core';
import type { ObjectDefinition, View } from '@workspace-records/client';
import { useT } from '../../../lib/messages/index.ts';
import { contentOfState } from '../../../lib/saved-views.ts';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Icon } from '../../../ui/icon.tsx';
import {
  type SharedName,
  SharedNameForm,
  type SharedNameFormProps,
} from '../../../ui/shared-name-form.tsx';
import type { ListView } from '../use-view.ts';
import { FeedDialog } from './feed-dialog.tsx';
import type { OpenDialog } from './view-menu.tsx';
import { useViewWrites } from './view-writes.ts';
import classes from './views.module.css';

interface ViewDialogsProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
}

type DialogProps = Omit<ViewDialogsProps, 'dialog'>;

export default function ViewDialogs({ dialog, ...props }: ViewDialogsProps) {
  const t = useT();
  const { saved } = props.list;
  const titles = {
    save: t('views.saveTitle'),
    rename: t('views.renameTitle'),
    delete: t('views.deleteTitle', { name: saved?.name ?? '' }),
    order: t('views.orderTitle'),
    feed: t('views.feedTitle', { name: saved?.name ?? '' }),
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={titles[dialog]}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      {dialog === 'save' && <Save {...props} />}
      {dialog === 'rename' && saved !== undefined && <Rename {...props} saved={saved} />}
      {dialog === 'delete' && saved !== undefined && <Delete {...props} saved={saved} />}
      {dialog === 'order' && <Order {...props} />}
      {dialog === 'feed' && saved !== undefined && (
        <FeedDialog saved={saved} onClose={props.onClose} />
      )}
    </Modal>
  );
}

function Save({ object, list, onClose }: DialogProps) {
  const { create } = useViewWrites(object.object_type);
  const save = (named: SharedName) =>
    create.mutate(
      { ...named, ...contentOfState(list.view, object, list.saved) },
      {
        onSuccess({ id }) {
          onClose();
          list.open(id);
        },
      },
    );
  return (
    <NameForm start={{ name: '', shared: 'private' }} {...create} onSave={save} onClose={onClose} />
  );
}

interface SavedProps extends DialogProps {
  readonly saved: View;
}

function Rename({ object, saved, onClose }: SavedProps) {
  const { update } = useViewWrites(object.object_type);
  const { id, version, name, shared } = saved;
  const save = (changes: SharedName) =>
    update.mutate({ id, version, changes }, { onSuccess: onClose });
  return <NameForm start={{ name, shared }} {...update} onSave={save} onClose={onClose} />;
}

function NameForm(form: Omit<SharedNameFormProps, 'texts'>) {
  const t = useT();
  const texts = {
    needsName: t('views.needsName'),
    share: t('views.shareText'),
    stale: t('views.stale'),
  };
  return <SharedNameForm {...form} texts={texts} />;
}

function Delete({ object, saved, list, onClose }: SavedProps) {
  const t = useT();
  const { remove } = useViewWrites(object.object_type);
  const leave = () => {
    onClose();
    return list.open(undefined);
  };
  return (
    <>
      <Text c="dimmed" mb="lg">
        {saved.shared === 'private' ? t('views.deleteText') : t('views.deleteSharedText')}
      </Text>
      <DialogButtons onClose={onClose}>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate({ view: saved, leave })}
        >
          {t('views.delete')}
        </Button>
      </DialogButtons>
    </>
  );
}

/** Each move is saved at once: the order is the person's own. */
function Order({ object, list: { views } }: DialogProps) {
  const t = useT();
  const { order } = useViewWrites(object.object_type);
  const opensFirst = views.find(({ is_default }) => is_default)?.id ?? null;
  const move = (from: number, to: number) => {
    const ids = views.map(({ id }) => id);
    const [moved = ''] = ids.splice(from, 1);
    order.mutate({ ids: ids.toSpliced(to, 0, moved), opensFirst });
  };
  return (
    <ol className={classes.order}>
      {views.map(({ id, name }, index) => (
        <li key={id}>
          <span>{name}</span>
          <ActionIcon
            aria-label={t('views.moveUp', { name })}
            disabled={index === 0}
            onClick={() => move(index, index - 1)}
          >
            <Icon name="up" size={14} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('views.moveDown', { name })}
            disabled={index === views.length - 1}
            onClick={() => move(index, index + 1)}
          >
            <Icon name="down" size={14} />
          </ActionIcon>
        </li>
      ))}
    </ol>
  );
}
