// The menu of the statuses that many records can move to.

import { Button, Menu } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';

interface TargetsMenuProps<Target> {
  readonly targets: readonly Target[];
  readonly isBusy?: boolean;
  /** A target in words. */
  readonly textOf: (target: Target) => string;
  readonly onChoose: (target: Target) => void;
}

export function TargetsMenu<Target extends { readonly id: string }>({
  targets,
  isBusy = false,
  textOf,
  onChoose,
}: TargetsMenuProps<Target>) {
  const t = useT();
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          loading={isBusy}
          disabled={targets.length === 0}
          rightSection={<Icon name="chevron" size={12} />}
        >
          {t('grid.status')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('record.moveTo')}</Menu.Label>
        {targets.map((target) => (
          <Menu.Item key={target.id} onClick={() => onChoose(target)}>
            {textOf(target)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
