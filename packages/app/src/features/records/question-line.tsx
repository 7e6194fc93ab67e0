// The line below the tools, there only when it has something to say: a chip for each filter, and in a narrow window that the
// list differs from its view. So chips never move a tool, and an order moves no row.

import type { ObjectDefinition } from '@workspace-records/client';
import { later } from '../../lib/later.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './records-page.module.css';
import type { ListView } from './use-view.ts';
import { hasChanges, isKeepable, ViewChanges } from './views/view-changes.tsx';
import type { OpenDialog } from './views/view-menu.tsx';

/** Loaded after the line, which keeps its height meanwhile. */
const FilterBar = later(() => import('../../editing/filters/filter-bar.tsx'));

interface QuestionLineProps {
  readonly object: ObjectDefinition;
  readonly list: ListView;
  readonly isUnfolded: boolean;
  /** True: the changes of the view are beside the title. */
  readonly isRoomy: boolean;
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** Puts the focus on the first button of the row above, which stays. */
function focusTools(): void {
  document.querySelector<HTMLElement>('[data-tools] button:not([aria-pressed])')?.focus();
}

export function QuestionLine({ object, list, isUnfolded, isRoomy, onDialog }: QuestionLineProps) {
  const { view, change } = list;
  const { where } = view;
  const isNarrow = useIsNarrow();
  const hasChips = where.length > 0 && (!isNarrow || isUnfolded);
  const showsChanges = !isRoomy && (hasChanges(list) || (!isNarrow && isKeepable(list)));
  if (!hasChips && !showsChanges) return null;
  return (
    <div className={classes.line}>
      {hasChips && (
        <FilterBar
          {...{ object, where }}
          // In the row of tools, where there is room.
          hasNew={isNarrow}
          onEmptied={focusTools}
          onChange={(next) => change({ ...view, where: next })}
        />
      )}
      {showsChanges && <ViewChanges {...{ object, list, onDialog }} />}
    </div>
  );
}
