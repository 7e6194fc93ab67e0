// "Why can she see this?": the rights of a person, and the roles that grant each of them (docs/decisions.md,
// D226). The report itself is model/rights/access-report.ts.

import Type from 'typebox';
import { ApiError } from '../../errors.ts';
import { requirePersonById } from '../../flow/people/people-flow.ts';
import { requireDirectoryAdministrator } from '../../model/rights/access.ts';
import { reportAccess, reportForOneself } from '../../model/rights/access-report.ts';
import { defineRoute } from '../context.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, nullable, responseOf } from '../shapes.ts';
import { noParams, SmallId } from './administration-shapes.ts';

const roles = Type.Array(Type.String(), { description: 'Keys of the roles that grant it.' });
const Flag = Type.Object({ allowed: Type.Boolean(), roles }, { $id: 'GrantedRight' });

const ActionAccess = Type.Object(
  {
    reach: nullable(Type.Enum(['own', 'team', 'organisation'])),
    supported: Type.Boolean({ description: 'False: the object does not support the action.' }),
    roles,
  },
  { $id: 'GrantedAction' },
);

const AccessShape = Type.Object(
  {
    user: Type.Object({
      id: Type.Integer(),
      name: nullable(Type.String()),
      email: Type.String(),
      kind: Type.Enum(['user', 'agent']),
      active: Type.Boolean({ description: 'False: none of this can be used.' }),
      roles: Type.Array(Type.String()),
    }),
    administrator: Flag,
    developer: Flag,
    directory: Flag,
    assign_owner: Flag,
    objects: Type.Array(
      Type.Object({
        object_type: Type.String(),
        name: Type.String(),
        actions: Type.Object({
          create: ActionAccess,
          read: ActionAccess,
          update: ActionAccess,
          delete: ActionAccess,
        }),
        fields: Type.Array(
          Type.Object({
            key: Type.String(),
            name: Type.String(),
            access: Type.Enum(['none', 'read', 'write']),
            roles,
          }),
        ),
      }),
    ),
  },
  { $id: 'Access' },
);

export const getAccess = defineRoute({
  method: 'GET',
  path: '/access',
  operationId: 'getAccess',
  tag: 'Administration',
  summary: 'Explain the access of a person',
  description: [
    'For each action the reach, for each field the access, and the roles that grant them. Your own access',
    'omits fields that you cannot read. The access of other people and of agents is for administrators with',
    'the scope `users:read`. Scopes of keys can restrict it further.',
  ].join(' '),
  scope: 'workspace:read',
  params: noParams,
  query: Type.Object(
    {
      user_id: Type.Optional(
        Type.Integer({ ...SmallId, description: 'Id of the person or agent; you when left out.' }),
      ),
      object_type: Type.Optional(ObjectType),
    },
    closed,
  ),
  status: 200,
  result: responseOf(AccessShape),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'user_not_found'],
  async handle({ model, caller, query }, { db }) {
    const { user_id = caller.user.id, object_type } = query;
    if (user_id !== caller.user.id) requireDirectoryAdministrator(caller);
    const objects = object_type === undefined ? undefined : [model.objects.get(object_type)];
    const known = objects?.filter((object) => object !== undefined);
    if (known?.length === 0) throw new ApiError('object_not_available', { param: 'object_type' });
    const person = await requirePersonById(db, model.schema, user_id);
    const { id, name, email, kind, active, roles: held } = person;
    const report = reportAccess(model, held, known);
    const shown = caller.access.administrator ? report : reportForOneself(report);
    return { body: { data: { user: { id, name, email, kind, active, roles: held }, ...shown } } };
  },
});
