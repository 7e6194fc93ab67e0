import { Link } from '@tanstack/react-router';
import { useRecordName } from '../../lib/record-names.ts';
import { useSession } from '../../lib/session.ts';
import { useLinkTabIndex } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import classes from '../fields.module.css';

function Show({ value, field }: ShowProps) {
  const { workspace } = useSession();
  const tabIndex = useLinkTabIndex();
  const type = String(field.constraints?.reference_object_type);
  const id = String(value);
  const { name, isPending } = useRecordName(type, id);
  // A record that the person may not read is not a link: it would lead nowhere.
  if (name === undefined) {
    return (
      <span className={`${classes.line} ${classes.dim}`}>{isPending ? '' : id.slice(0, 8)}</span>
    );
  }
  return (
    <Link
      to="/$workspace/o/$type/$id"
      params={{ workspace, type, id }}
      className={classes.line}
      preload={false}
      tabIndex={tabIndex}
    >
      {name}
    </Link>
  );
}

export const reference: FieldShow = { Show, width: 190, isSorted: false };
