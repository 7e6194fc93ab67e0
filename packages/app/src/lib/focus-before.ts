// The focus from before a dialog that a menu has opened: the menu is gone by the time the dialog closes.

/** Call it while the dialog opens; the function gives the focus back. */
export function focusBefore(): () => void {
  const focused = document.activeElement;
  return () => {
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  };
}
