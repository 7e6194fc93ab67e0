import type { Parsed } from './field-edit.ts';
import type { ShowProps } from './field-kind.ts';
import { useLinkTabIndex } from './field-place.ts';
import classes from './fields.module.css';
import { textual } from './plain.tsx';

/** The rule of the service. */
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\.]+$/u;

function parse(typed: string): Parsed {
  const value = typed.trim();
  return EMAIL.test(value) ? { value } : { problem: 'edit.notEmail' };
}

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

export const email = textual(parse, {
  name: 'type.email',
  example: 'type.emailExample',
  icon: 'M2 3.500h12v9H2zm0 .5 6 5 6-5',
  Show,
  width: 260,
  isLink: true,
  firstOn: { linked: 5 },
  input: { inputMode: 'email' },
});
