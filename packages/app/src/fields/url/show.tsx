import { useLinkTabIndex } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

/** A link to the web only: other schemes could run something, or open another program. */
function Show({ value }: ShowProps) {
  const address = String(value);
  const tabIndex = useLinkTabIndex();
  if (!/^https?:\/\//i.test(address)) return <span className={classes.line}>{address}</span>;
  return (
    <a
      className={classes.address}
      tabIndex={tabIndex}
      href={address}
      target="_blank"
      rel="noreferrer noopener"
    >
      {address.replace(/^https?:\/\//i, '')}
    </a>
  );
}

export const url: FieldShow = { Show, width: 200 };
