// The parts at the side of a record's fields: one at a time, by tabs where there are several.

import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { PartProps, RecordPart } from '../../lib/record-part.ts';
import classes from './record-view.module.css';

interface SidePartsProps extends PartProps {
  readonly parts: readonly RecordPart[];
}

export function SideParts({ parts, ...props }: SidePartsProps) {
  const t = useT();
  const [chosen, setChosen] = useState<string | null>(null);
  const [first, ...others] = parts;
  if (first === undefined) return null;
  if (others.length === 0) {
    return (
      <aside className={classes.side} aria-label={t('record.side')}>
        <div className={classes.panel} data-stream>
          <first.Part {...props} />
        </div>
      </aside>
    );
  }
  return (
    <aside className={classes.side} aria-label={t('record.side')}>
      <Tabs
        value={chosen ?? first.key}
        onChange={setChosen}
        keepMounted={false}
        classNames={{ root: classes.tabs, panel: classes.panel }}
      >
        <Tabs.List>
          {parts.map(({ key, title }) => (
            <Tabs.Tab key={key} value={key}>
              {t(title)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {parts.map(({ key, Part }) => (
          <Tabs.Panel key={key} value={key} data-stream>
            <Part {...props} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </aside>
  );
}
