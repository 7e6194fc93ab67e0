// In which way the records are shown, where there are several. Where there is room each has its name: a tooltip would cover
// the title above or the headings below.

import { UnstyledButton } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import type { LayoutName } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './records-page.module.css';

const LABELS = {
  table: 'layout.table',
  board: 'layout.board',
  calendar: 'layout.calendar',
} as const;

interface LayoutSwitchProps {
  readonly layouts: readonly LayoutName[];
  readonly layout: LayoutName;
  readonly onChange: (layout: LayoutName) => void;
}

export function LayoutSwitch({ layouts, layout, onChange }: LayoutSwitchProps) {
  const t = useT();
  if (layouts.length < 2) return null;
  return (
    <fieldset className={classes.switch} aria-label={t('layout.label')}>
      {layouts.map((name) => (
        <UnstyledButton
          key={name}
          aria-pressed={name === layout}
          className={classes.switched}
          onClick={() => onChange(name)}
        >
          <Icon name={name} />
          <span className={classes.layoutName}>{t(LABELS[name])}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
