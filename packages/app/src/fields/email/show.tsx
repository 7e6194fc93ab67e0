import { useLinkTabIndex } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value }: ShowProps) {
  const address = String(value);
  const tabIndex = useLinkTabIndex();
  return (
    <a
      className={classes.address}
      tabIndex={tabIndex}
      href={`mailto:${encodeURIComponent(address)}`}
    >
      {address}
    </a>
  );
}

export const email: FieldShow = { Show, width: 260 };
