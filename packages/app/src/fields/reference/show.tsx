import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRecordName } from '../../lib/record-names.ts';
import { objectsQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../../ui/object-icon.ts';
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
      className={classes.reference}
      preload={false}
      tabIndex={tabIndex}
    >
      <ObjectIcon type={type} />
      <span className={classes.line}>{name}</span>
    </Link>
  );
}

/** Objects are known once the navigation is shown. */
function ObjectIcon({ type }: { readonly type: string }) {
  const { data: objects } = useQuery(objectsQuery(useSession()));
  const object = objects?.find(({ object_type }) => object_type === type);
  return object === undefined ? null : <Icon name={iconOf(object)} size={14} />;
}

export const reference: FieldShow = { Show, width: 190, isSorted: false };
