// The matrix of a role: a row for each object with a preset, or with a choice of the reach for each action; the fields of
// an object open below it.

import { Text } from '@mantine/core';
import type { Access } from '@workspace-records/client';
import { Fragment, useId, useState } from 'react';
import { useHiddenObjects } from '../../lib/hidden-objects.ts';
import { useT } from '../../lib/messages/index.ts';
import { Icon } from '../../ui/icon.tsx';
import matrix from '../../ui/rights-matrix.module.css';
import { RightsMatrix } from '../../ui/rights-matrix.tsx';
import { ACTIONS, FIELD_ACCESS, REACH, type Shade, WRITING_NOTES } from '../../ui/rights-words.ts';
import { editsOf, PRESETS, type Preset, presetNamed, presetOf } from './presets.ts';
import {
  beyondReading,
  draftedValue,
  draftedWriting,
  hasGrant,
  limitedFields,
  type Part,
  pathOf,
} from './role-draft.ts';
import type { Editing } from './role-page.tsx';
import type { ObjectRights } from './role-words.ts';
import classes from './roles.module.css';

interface MatrixProps extends Editing {
  readonly objects: ObjectRights;
}

export function Matrix({ objects, ...editing }: MatrixProps) {
  const t = useT();
  return (
    <RightsMatrix label={t('roles.records')} access={<AllRows {...editing} objects={objects} />}>
      {useShownFirst(objects).map((object) => (
        <ObjectRows key={object.object_type} {...editing} object={object} />
      ))}
    </RightsMatrix>
  );
}

/** The objects that the navigation shows come before those under “More objects”. */
function useShownFirst(objects: ObjectRights): ObjectRights {
  const { hidden } = useHiddenObjects();
  const rank = ({ object_type }: ObjectRights[number]) => Number(hidden.has(object_type));
  return objects.toSorted((one, other) => rank(one) - rank(other));
}

function AllRows({ objects, onEdit }: MatrixProps) {
  const t = useT();
  return (
    <select
      className={`${matrix.level} ${classes.level} ${classes.preset}`}
      aria-label={t('roles.forAllRows')}
      value=""
      onChange={({ currentTarget }) => {
        const preset = presetNamed(currentTarget.value);
        if (preset !== undefined) onEdit(objects.flatMap((object) => editsOf(object, preset)));
      }}
    >
      <option value="">{t('roles.forAllRows')}</option>
      <PresetOptions />
    </select>
  );
}

function PresetOptions() {
  const t = useT();
  return PRESETS.map(({ key, text }) => (
    <option key={key} value={key}>
      {t(text)}
    </option>
  ));
}

interface OfObject extends Editing {
  readonly object: Access['objects'][number];
}

function ObjectRows(props: OfObject) {
  const { object, role, edits } = props;
  const t = useT();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [isOwn, setOwn] = useState(false);
  const preset = isOwn ? undefined : presetOf(role, edits, object);
  const { object_type: type, name, fields } = object;
  const isGranted = hasGrant(role, edits, type);
  const keys = fields.map(({ key }) => key);
  const limited = limitedFields(role, edits, type, keys);
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={matrix.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            disabled={!isGranted}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen && isGranted ? 'chevron' : 'right'} size={12} />
            {name}
            {isGranted && limited.length > 0 && (
              <Text span c="dimmed" fz="xs" fw={400}>
                {t('roles.limitedFields', { count: limited.length })}
              </Text>
            )}
          </button>
        </th>
        <td>
          <PresetChoice {...props} preset={preset} onOwn={setOwn} />
        </td>
        <Reaches {...props} preset={preset} />
      </tr>
      {isOpen && isGranted && (
        <tr id={id}>
          <td colSpan={COLUMNS} className={matrix.fields}>
            <Fields {...props} />
          </td>
        </tr>
      )}
      <Beyond {...props} />
    </Fragment>
  );
}

interface ReachesProps extends OfObject {
  /** Undefined: each action has a choice. */
  readonly preset: Preset | undefined;
}

function Reaches({ preset, ...props }: ReachesProps) {
  const t = useT();
  const { object_type: type, name, actions } = props.object;
  return ACTIONS.map(({ action, word }) => {
    if (!actions[action].supported) return <td key={action} className={matrix.never} />;
    if (preset !== undefined) {
      return (
        <td key={action} className={classes.reach}>
          {t(REACH[preset.rights[action]].text)}
        </td>
      );
    }
    return (
      <td key={action}>
        <Level
          {...props}
          part={{ kind: 'reach', object: type, action }}
          label={`${t(word)}: ${name}`}
          shades={REACH}
        />
      </td>
    );
  });
}

/** The object, its preset, the actions. */
const COLUMNS = ACTIONS.length + 2;

interface PresetChoiceProps extends OfObject {
  /** Undefined: the rights are chosen one by one. */
  readonly preset: Preset | undefined;
  readonly onOwn: (isOwn: boolean) => void;
}

function PresetChoice({ object, preset, onOwn, onEdit }: PresetChoiceProps) {
  const t = useT();
  return (
    <select
      className={`${matrix.level} ${classes.level} ${classes.preset}`}
      aria-label={t('roles.accessTo', { object: object.name })}
      value={preset?.key ?? CUSTOM}
      onChange={({ currentTarget }) => {
        const chosen = presetNamed(currentTarget.value);
        onOwn(chosen === undefined);
        if (chosen !== undefined) onEdit(editsOf(object, chosen));
      }}
    >
      <PresetOptions />
      <option value={CUSTOM}>{t('roles.custom')}</option>
    </select>
  );
}

const CUSTOM = 'custom';

/** Fields of every record, which no role hides: the owner is the only one of them with a right of its own. */
const OF_EVERY_RECORD: ReadonlySet<string> = new Set([
  ...['id', 'public_id', 'status', 'custom_status_id', 'created_at', 'updated_at'],
]);

function Fields({ object, ...editing }: OfObject) {
  const t = useT();
  const { role, edits } = editing;
  const { object_type: type } = object;
  const fields = object.fields.filter(({ key }) => !OF_EVERY_RECORD.has(key));
  const writing = draftedWriting(role, edits, type);
  const note = WRITING_NOTES[writing];
  return (
    <>
      {note !== undefined && (
        <Text c="dimmed" fz="xs" mb="sm">
          {t(note, { object: object.name })}
        </Text>
      )}
      <ul>
        {fields.map(({ key, name, access }) => {
          const part = { kind: 'field', object: type, field: key } as const;
          const isSaid = draftedValue(role, edits, part) === 'read';
          // A field that an administrator may not write is computed.
          const isReadAtMost = writing === 'none' || access === 'read';
          return (
            <li key={key}>
              <span>{name}</span>
              <Level
                {...editing}
                part={part}
                label={`${name}: ${object.name}`}
                shades={isReadAtMost ? readAtMost(isSaid) : FIELD_ACCESS}
              />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** A field that is never written is read, whether the role says so of the field or nothing. */
function readAtMost(isSaid: boolean): Shades {
  const { none, read } = FIELD_ACCESS;
  return isSaid ? { none, read } : { none, write: read };
}

/** A right that reaches farther than reading has no effect on what cannot be read. */
function Beyond({ object, role, edits }: OfObject) {
  const t = useT();
  const actions = beyondReading(role, edits, object.object_type);
  if (actions.length === 0) return null;
  const words = ACTIONS.filter(({ action }) => actions.includes(action));
  return (
    <tr>
      <td colSpan={COLUMNS} className={classes.beyond}>
        {t('roles.beyondReading', {
          object: object.name,
          actions: words.map(({ word }) => t(word)).join(', '),
        })}
      </td>
    </tr>
  );
}

type Shades = Readonly<Record<string, Shade>>;

interface LevelProps extends Editing {
  readonly part: Part;
  readonly label: string;
  readonly shades: Shades;
}

/** The browser's own choice of one of a few, in the shade of its value. */
function Level({ role, edits, onEdit, part, label, shades }: LevelProps) {
  const t = useT();
  const value = draftedValue(role, edits, part);
  const all = Object.entries(shades);
  return (
    <select
      className={`${matrix.level} ${classes.level}`}
      data-level={all.find(([one]) => one === value)?.[1].level}
      data-changed={pathOf(part) in edits || undefined}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onEdit([[part, currentTarget.value]])}
    >
      {all.map(([one, { text }]) => (
        <option key={one} value={one}>
          {t(text)}
        </option>
      ))}
    </select>
  );
}
