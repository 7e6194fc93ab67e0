// SQL that belongs to a field type, as data: text written in the source with places in braces, such as
// `{column} = {value}`. Only sql/ fills the places and makes statements of it. Pure.

declare const WRITTEN: unique symbol;

/** Text that the source has literally: a value cannot become one, so a value never becomes SQL. */
export type SqlText = string & { readonly [WRITTEN]: true };

/** Template tag that takes no substitutions. */
export function sqlText({ raw }: TemplateStringsArray): SqlText {
  return raw[0] as SqlText;
}
