// A part of a request whose form the planner checks and not its route: problems inside have codes of their own. The
// OpenAPI document shows the form nevertheless.

import Type from 'typebox';

/** The keyword for the schema that the document shows instead. */
export const SHOWN = 'x-shown';

/** A value of a JSON type, shown as another schema, which may refer to itself by the name. */
export function shownAs<Value>($id: string, type: 'object', shown: object): Type.TUnsafe<Value> {
  return Type.Unsafe<Value>({ $id, type, [SHOWN]: shown });
}
