// Whether keys belong to something other than the record: a field, a menu, a dialog.

const ELSEWHERE =
  'input, textarea, select, [contenteditable], [data-editor], [role=menu], [role=dialog], [role=listbox], [role=tablist]';

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ELSEWHERE) !== null;
}
