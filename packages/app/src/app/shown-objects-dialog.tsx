// A box for each object that the person may read: ticked, the navigation shows it; otherwise it is under “More objects”.
// Each change is seen at once in the navigation behind it.

import { Modal, Text } from '@mantine/core';
import { useHiddenObjects } from '../lib/hidden-objects.ts';
import { useT } from '../lib/messages/index.ts';
import { useReadableObjects } from '../lib/schema-queries.ts';
import { Icon } from '../ui/icon.tsx';
import { iconOf } from '../ui/object-icon.ts';
import classes from './shown-objects-dialog.module.css';

export default function ShownObjectsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const { hidden, setHidden } = useHiddenObjects();
  return (
    <Modal
      opened
      onClose={onClose}
      size="sm"
      title={t('nav.objects')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" mb="md">
        {t('nav.objectsText')}
      </Text>
      <ul className={classes.objects}>
        {useReadableObjects().map((object) => (
          <li key={object.object_type}>
            <label className={classes.object}>
              <input
                type="checkbox"
                checked={!hidden.has(object.object_type)}
                onChange={({ currentTarget }) =>
                  setHidden(object.object_type, !currentTarget.checked)
                }
              />
              <Icon name={iconOf(object)} />
              {object.name ?? object.object_type}
            </label>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
