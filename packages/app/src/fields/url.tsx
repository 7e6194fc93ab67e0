import { withScheme } from '../../../tables/src/text-shapes.ts';
import type { Parsed } from './field-edit.ts';
import type { ShowProps } from './field-kind.ts';
import { useLinkTabIndex } from './field-place.ts';
import classes from './fields.module.css';
import { ShowLine, textual } from './plain.tsx';

/** The rule of the service; an address without a scheme gets one. */
function parse(typed: string): Parsed {
  const value = withScheme(typed.trim());
  const isUrl = /^https?:\/\/[^\s/?#]\S*$/i.test(value) && URL.canParse(value);
  return isUrl ? { value } : { problem: 'edit.notUrl' };
}

/** A link to the web only: other schemes could run something, or open another program. */
function Show(props: ShowProps) {
  const address = String(props.value);
  const tabIndex = useLinkTabIndex();
  if (!/^https?:\/\//i.test(address)) return <ShowLine {...props} />;
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

export const url = textual(parse, {
  name: 'type.url',
  example: 'type.urlExample',
  icon: 'M6.700 9.300l2.600-2.600M7.300 4.700l1-1a2.800 2.800 0 0 1 4 4l-1 1M8.700 11.300l-1 1a2.800 2.800 0 0 1-4-4l1-1',
  Show,
  width: 200,
  isLink: true,
  input: { inputMode: 'url' },
});
