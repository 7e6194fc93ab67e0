// Single keys: which of them are meant for the page, and not for what has the focus. Pure but for the document.

interface KeyPress
  extends Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented'> {
  readonly target: EventTarget | null;
  readonly isComposing: boolean;
  readonly repeat: boolean;
}

/** The elements in which letters are typed, choose, or edit a cell. */
const TYPED =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], [data-editor], [role=grid], [role=dialog], [role=menu], [role=listbox], [role=combobox]';

/** Undefined: it is not for the page. */
export function pageKeyOf(press: KeyPress): string | undefined {
  const { key, ctrlKey, metaKey, altKey, defaultPrevented, isComposing, repeat } = press;
  if (ctrlKey || metaKey || altKey || defaultPrevented || isComposing || repeat) return undefined;
  if ([...key].length !== 1 || key === ' ') return undefined;
  const { target } = press;
  return target instanceof Element && target.closest(TYPED) !== null ? undefined : key;
}
