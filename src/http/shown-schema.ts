// A part of a request whose form the planner checks and not its route: what is wrong inside has codes of its
// own. The OpenAPI document shows the form nevertheless.

import Type from 'typebox';

/** The keyword of a schema that has what the document shows in its place. */
export const SHOWN = 'x-shown';

/** A value of a JSON type, shown as another schema, which may refer to itself by the name. */
export function shownAs<Value>($id: string, type: 'object', shown: object): Type.TUnsafe<Value> {
  return Type.Unsafe<Value>({ $id, type, [SHOWN]: shown });
}
