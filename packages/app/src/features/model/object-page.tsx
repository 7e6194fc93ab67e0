// An object of the data model: its fields, what connects it with others, and its own settings.

import { Button } from '@mantine/core';
import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import type { ObjectEntry } from '../../lib/definition/document.ts';
import { useDefinition } from '../../lib/definition/draft.ts';
import { presentKey } from '../../lib/definition/rename.ts';
import { later } from '../../lib/later.tsx';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DefinitionFrame } from '../../ui/definition-frame.tsx';
import { ForAdministrators } from '../../ui/for-administrators.tsx';
import { GoneEntry, useWasThere } from '../../ui/gone-entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StateMark, stateOf } from './entry-state.tsx';
import { FieldList } from './field-list.tsx';
import classes from './model.module.css';
import { ObjectLinks } from './object-links-section.tsx';
import { ObjectSettings } from './object-settings.tsx';
import { useOpen } from './use-open.ts';

const FieldDrawer = later(() => import('./field-drawer.tsx'));
const RelationshipDialog = later(() => import('./relationship-dialog.tsx'));

export default function ObjectPage() {
  const t = useT();
  return (
    <ForAdministrators title={t('model.title')}>
      <OfDocument />
    </ForAdministrators>
  );
}

function OfDocument() {
  const t = useT();
  const { workspace } = useSession();
  const { type } = useParams({ from: '/$workspace/shell/settings/model/$type' });
  const { document } = useDefinition();
  const object = document.objects[type];
  const wasThere = useWasThere(type, object !== undefined);
  if (object !== undefined) return <OneObject key={type} type={type} object={object} />;
  const renamed = presentKey(document.objects, type);
  if (renamed !== undefined) {
    const params = { workspace, type: renamed };
    return <Navigate to="/$workspace/settings/model/$type" params={params} replace />;
  }
  return <GoneEntry title={t('model.title')} text={t('model.noSuchObject')} wasThere={wasThere} />;
}

interface OneObjectProps {
  readonly type: string;
  readonly object: ObjectEntry;
}

function OneObject({ type, object }: OneObjectProps) {
  const t = useT();
  const open = useOpen();
  const { document, present } = useDefinition();
  const { field, relationship } = useSearch({ strict: false });
  const close = () => open({});
  return (
    <DefinitionFrame
      title={object.name}
      beside={
        <>
          <code className={classes.dim}>{type}</code>
          <StateMark state={stateOf(present.document, document, ['objects', type])} />
        </>
      }
      actions={
        <Button leftSection={<Icon name="plus" size={14} />} onClick={() => open({ field: NEW })}>
          {t('fields.new')}
        </Button>
      }
    >
      <FieldList type={type} object={object} />
      <ObjectLinks type={type} object={object} />
      <ObjectSettings type={type} object={object} />
      {field !== undefined && (field === NEW || object.fields[field] !== undefined) && (
        <FieldDrawer
          key={field}
          type={type}
          fieldKey={field === NEW ? undefined : field}
          onClose={close}
        />
      )}
      {relationship !== undefined && (
        <RelationshipDialog
          key={relationship}
          type={type}
          relationshipKey={relationship === NEW ? undefined : relationship}
          onClose={close}
        />
      )}
    </DefinitionFrame>
  );
}

/** The value in the address for a new field; no key has this form. */
export const NEW = '+';
