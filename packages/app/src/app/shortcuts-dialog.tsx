// The list of keys: of the page that is open, everywhere, of tables and of boards.

import { Modal, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type PlainKey, useT } from '../lib/messages/index.ts';
import { useSession } from '../lib/session.ts';
import { useSingleKeys } from '../lib/single-keys.ts';
import { usePageActions } from '../ui/page-actions.ts';
import classes from './shortcuts-dialog.module.css';

type Row = readonly [keys: string, text: string];
type PlainRow = readonly [keys: string, text: PlainKey];

const EVERYWHERE: readonly PlainRow[] = [
  ['{ctrl} K', 'palette.title'],
  ['{ctrl} Z', 'toast.undo'],
  ['{ctrl} {shift} Z, {ctrl} Y', 'toast.redo'],
];
const SINGLE: readonly PlainRow[] = [
  ['c', 'shortcuts.create'],
  ['/', 'nav.search'],
  ['?', 'shortcuts.title'],
];
const TABLE: readonly PlainRow[] = [
  ['← ↑ → ↓', 'shortcuts.cells'],
  ['{shift} ← ↑ → ↓', 'shortcuts.mark'],
  ['Enter, F2', 'shortcuts.edit'],
  ['{letters}', 'shortcuts.type'],
  ['Tab, {shift} Tab', 'shortcuts.next'],
  ['Esc', 'shortcuts.discard'],
  ['Esc, Tab', 'shortcuts.leave'],
  ['{ctrl} D', 'shortcuts.fill'],
  ['{delete}', 'shortcuts.clear'],
  ['{ctrl} C, {ctrl} V', 'shortcuts.clipboard'],
  ['{ctrl} A', 'shortcuts.all'],
  ['{alt} ↓', 'shortcuts.column'],
];
const BOARD: readonly PlainRow[] = [
  ['{space}', 'shortcuts.pickUp'],
  ['← →', 'shortcuts.over'],
  ['Enter', 'shortcuts.drop'],
];

export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const isOn = useSingleKeys();
  const pageRows = usePageActions().flatMap(({ shortcut, label }): Row[] =>
    shortcut === undefined ? [] : [[shortcut, label]],
  );
  const known = new Set(pageRows.map(([key]) => key));
  const single = SINGLE.filter(([key]) => !known.has(key));
  const words = useWords();
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      closeOnClickOutside
      title={t('shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <div className={classes.parts}>
        {isOn && pageRows.length > 0 && <Part title={t('shortcuts.page')} rows={pageRows} />}
        <Part
          title={t('shortcuts.everywhere')}
          rows={words(isOn ? [...EVERYWHERE, ...single] : EVERYWHERE)}
        />
        <Part title={t('shortcuts.table')} rows={words(TABLE)} />
        <Part title={t('shortcuts.board')} rows={words(BOARD)} />
      </div>
      <SingleKeys isOn={isOn} onClose={onClose} />
    </Modal>
  );
}

/** Keys as the keyboard of the language names them. */
function useWords(): (rows: readonly PlainRow[]) => readonly Row[] {
  const t = useT();
  const names: Readonly<Record<string, string>> = {
    ctrl: t('key.ctrl'),
    shift: t('key.shift'),
    alt: t('key.alt'),
    delete: t('key.delete'),
    space: t('key.space'),
    letters: t('shortcuts.letters'),
  };
  return (rows) =>
    rows.map(([keys, text]) => [
      keys.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? name),
      t(text),
    ]);
}

function Part({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }) {
  return (
    <section>
      <Text component="h3" c="dimmed" fz="xs" fw={500} mb={6}>
        {title}
      </Text>
      <dl className={classes.keys}>
        {rows.map(([keys, text]) => (
          <div key={keys} className={classes.row}>
            <dt>
              <kbd className={classes.key}>{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function SingleKeys({ isOn, onClose }: { readonly isOn: boolean; readonly onClose: () => void }) {
  const t = useT();
  const { workspace } = useSession();
  return (
    <Text c="dimmed" fz="xs" mt="sm">
      {t(isOn ? 'shortcuts.on' : 'shortcuts.off')}{' '}
      <Link to="/$workspace/settings/profile" params={{ workspace }} onClick={onClose}>
        {t('profile.title')}
      </Link>
    </Text>
  );
}
