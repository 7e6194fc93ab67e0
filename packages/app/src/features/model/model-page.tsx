// The data model: its objects, types of work items and workflows, as they would be with the changes that are collected.

import { Button, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { makeFromFile } from '../../actions/object-file-state.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { useT } from '../../lib/messages/index.ts';
import { DefinitionFrame } from '../../ui/definition-frame.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './model.module.css';
import { ModelMenu } from './model-menu.tsx';
import { NewObjectDialog } from './new-object-dialog.tsx';
import { ObjectsTable } from './objects-table.tsx';
import { useOpen } from './use-open.ts';
import { WorkItemTypes } from './work-item-types.tsx';
import { Workflows } from './workflows-table.tsx';

export default function ModelPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('model.title')}>
      <Model />
    </ForAdministrators>
  );
}

/** The fewest objects with a filter field. */
const FILTERED_FROM = 12;

function Model() {
  const t = useT();
  const { document } = useDefinition();
  const { new: newKind } = useSearch({ strict: false });
  const open = useOpen();
  const [text, setText] = useState('');
  const count = Object.keys(document.objects).length;
  return (
    <DefinitionFrame
      title={t('model.title')}
      actions={
        <>
          <Button
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => open({ new: 'object' })}
          >
            {t('model.newObject')}
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="table" size={14} />}
            onClick={makeFromFile}
          >
            {t('start.fromFile')}
          </Button>
          <ModelMenu />
        </>
      }
    >
      <Section title={t('model.objects')} text={t('model.text')}>
        {count >= FILTERED_FROM && (
          <TextInput
            className={classes.filter}
            aria-label={t('model.filter')}
            placeholder={t('model.filter')}
            leftSection={<Icon name="search" size={14} />}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
        <ObjectsTable text={text.trim()} />
      </Section>
      <Workflows />
      <WorkItemTypes />
      {newKind === 'object' && <NewObjectDialog onClose={() => open({})} />}
    </DefinitionFrame>
  );
}
