// The required results of writes to gadgets, from the rules of the interface and not from the code: a small workspace
// in memory that answers like the service. Records are named by the ids the service gives.

/** A record as the rules see it; fields that are not set are null. */
export interface Gadget {
  readonly id: string;
  readonly author: number;
  version: number;
  status: string;
  fields: Record<string, unknown>;
}

export interface Actor {
  readonly name: string;
  readonly userId: number;
  /** Ids of all people who share a team with the user, and the user. */
  readonly colleagues: readonly number[];
  readonly grant: {
    readonly [action in 'create' | 'read' | 'update' | 'delete' | 'parts']?: Reach;
  };
  readonly assigns: boolean;
  /** Fields that may not be read, and fields that may only be read. */
  readonly hidden: readonly string[];
  readonly fixed: readonly string[];
}

type Reach = 'own' | 'team' | 'organisation';
type Fields = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly action: string;
  readonly id?: string;
  readonly fields?: Fields;
  readonly status_id?: string;
  readonly target?: string;
  readonly match?: Fields;
  readonly association_id?: string;
  readonly target_id?: string;
  readonly precondition?: { readonly any_of: readonly string[] } | undefined;
}

/** Where and why a request fails; `param` undefined means that it is not foretold. */
export interface Refusal {
  readonly code: string;
  readonly param?: string | undefined;
}

/** The effect of one operation. */
export interface Effect {
  readonly kind: 'none' | 'create' | 'update' | 'delete' | 'link' | 'unlink';
  readonly id: string | undefined;
  readonly set: Record<string, unknown>;
  readonly action: string;
  readonly status?: string;
  readonly link?: readonly [relationship: string, from: string, to: string];
}

export interface AuditRow {
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
  readonly user_id: number;
}

export interface World {
  readonly gadgets: Map<string, Gadget>;
  /** Id → author. */
  readonly parts: ReadonlyMap<string, number>;
  /** `relationship from to`; links of gadgets with gadgets in both directions. */
  readonly links: Set<string>;
  readonly audit: AuditRow[];
  readonly people: {
    readonly active: readonly number[];
    readonly north: readonly number[];
    readonly dora: number;
  };
}

const STAGES = ['plan', 'record', 'permission', 'precondition', 'rules'] as const;
type Stage = (typeof STAGES)[number];

const TRANSITIONS: Readonly<Record<string, readonly string[]>> = {
  new: ['built', 'new', 'scrapped'],
  built: ['sold'],
  sold: ['built', 'new'],
  scrapped: [],
};

const DEFAULTS: Fields = { rating: 3, due: '2030-01-01T00:00:00.000Z', x_level: 'red' };
const NESTED = ['x_text', 'x_level'];
/** Relationship → other object, and which ends hold one link at most. */
const LINKS: Readonly<
  Record<string, { readonly to: string; readonly from_one?: true; readonly to_one?: true }>
> = {
  'link.uses': { to: 'parts' },
  'link.badge': { to: 'parts', from_one: true, to_one: true },
  'link.bin': { to: 'parts', from_one: true },
  'link.spares': { to: 'parts', to_one: true },
  'link.twins': { to: 'gadgets', from_one: true, to_one: true },
  'link.peers': { to: 'gadgets' },
};
const REFERENCES: Readonly<Record<string, { readonly key: string; readonly to: string }>> = {
  'ref.a_reference': { key: 'a_reference', to: 'parts' },
  'ref.model_id': { key: 'model_id', to: 'gadgets' },
};

/** The value as it is stored, or `undefined` when the rules of its field refuse it. */
function storedOf(key: string, value: unknown): unknown {
  if (value === null || value === '') return null;
  switch (key) {
    case 'code':
      return typeof value === 'string' && /^[A-Z0-9]{2,5}$/.test(value) ? value : undefined;
    case 'rating':
      return typeof value === 'number' && value >= 1 && value <= 5 ? value : undefined;
    case 'x_level':
      return ['red', 'green'].includes(String(value)) ? value : undefined;
    case 'a_integer':
    case 'a_user':
    case 'owner_user_id':
      return typeof value === 'number' ? value : undefined;
    default:
      return typeof value === 'string' ? value : undefined;
  }
}

const KNOWN = new Set([
  ...['name', 'code', 'rating', 'secret', 'a_text', 'a_integer', 'a_user', 'serial', 'status'],
  ...['a_reference', 'model_id', 'owner_user_id', ...NESTED],
]);
const READ_ONLY = ['serial', 'status'];

export function tokenOf({ version, id }: Gadget): string {
  return `${version}-${id.slice(-12)}`;
}

function within({ userId, colleagues }: Actor, reach: Reach | undefined, owner: unknown): boolean {
  if (reach === undefined) return false;
  if (reach === 'organisation') return true;
  return reach === 'own' ? owner === userId : colleagues.includes(owner as number);
}

export function canRead(actor: Actor, owner: unknown): boolean {
  return within(actor, actor.grant.read, owner);
}

interface OperationUnderTest {
  readonly world: World;
  readonly actor: Actor;
  readonly operations: readonly Operation[];
  readonly index: number;
  readonly operation: Operation;
  report(stage: Stage, code: string, param?: string): void;
}

/** All effects, or the refusal: the earliest stage of any operation decides, then their order. */
export function validate(
  world: World,
  actor: Actor,
  operations: readonly Operation[],
  batch: boolean,
): readonly Effect[] | Refusal {
  const found: { readonly stage: Stage; readonly refusal: Refusal }[] = [];
  const cases = operations.map((operation, index): OperationUnderTest => {
    const prefix = batch ? `operations[${index}]` : '';
    const report: OperationUnderTest['report'] = (stage, code, param) => {
      const path = [prefix, param].filter((part) => part !== '' && part !== undefined).join('.');
      found.push({ stage, refusal: { code, param: path } });
    };
    return { world, actor, operations, index, operation, report };
  });
  const ids = operations.map(({ id }) => id);
  for (const one of cases) {
    plan(one);
    const { id } = one.operation;
    const isRepeated = id !== undefined && id !== 'no id' && ids.indexOf(id) < one.index;
    if (isRepeated) one.report('plan', 'validation_failed', 'id');
  }
  const planned = found.map(({ refusal }) => refusal);
  const isRefusal = ({ code }: Refusal) => /^(?:permission_denied|write_not_supported)$/.test(code);
  const first = (batch ? planned.find(isRefusal) : undefined) ?? planned[0];
  if (first !== undefined) return first;
  const effects = cases.map((one) => effectOf(one, batch));
  for (const stage of STAGES) {
    const hit = found.find((one) => one.stage === stage);
    if (hit !== undefined) return hit.refusal;
  }
  return effects as readonly Effect[];
}

function plan(one: OperationUnderTest): void {
  const { actor, operation, report } = one;
  const { action } = operation;
  const needed = { create: ['create'], delete: ['delete'], upsert: ['create', 'update'] }[action];
  const actions = (needed ?? ['update']) as readonly (keyof Actor['grant'])[];
  if (actions.every((each) => actor.grant[each] === undefined)) {
    report('plan', 'permission_denied');
    return;
  }
  if (action === 'upsert') {
    if (operation.target !== 'gadgets') {
      report('plan', 'validation_failed', 'target');
      return;
    }
    planMatch(one);
  }
  planKeys(one);
  if (action === 'link' || action === 'unlink') planAssociation(one);
}

function planMatch({ actor, operation, report }: OperationUnderTest): void {
  const match = operation.match as Fields;
  const keys = Object.keys(match).sort();
  if (keys.length === 0 || keys.length > 3) {
    report('plan', 'validation_failed', 'match');
    return;
  }
  for (const key of keys) {
    if (!KNOWN.has(key)) report('plan', 'invalid_filter', `match.${key}`);
    else if (actor.hidden.includes(key)) report('plan', 'permission_denied', `match.${key}`);
    else if (!READ_ONLY.includes(key) && (storedOf(key, match[key]) ?? null) === null) {
      report('plan', 'invalid_filter', `match.${key}`);
    }
  }
}

function planKeys({ actor, operation, report }: OperationUnderTest): void {
  const { fields = {}, match = {} } = operation;
  for (const [key, param] of keysOf(fields)) {
    if (!KNOWN.has(key)) report('plan', 'invalid_filter', param);
    else if ([...actor.hidden, ...actor.fixed].includes(key)) {
      report('plan', 'permission_denied', param);
    }
  }
  for (const key of Object.keys(match).sort()) {
    if (!Object.hasOwn(fields, key) || READ_ONLY.includes(key)) continue;
    const value = storedOf(key, fields[key]);
    const isPlanned = ![...actor.hidden, ...actor.fixed].includes(key) && KNOWN.has(key);
    const matched = storedOf(key, match[key]) ?? null;
    if (isPlanned && matched !== null && value !== undefined && value !== matched) {
      report('plan', 'validation_failed', `match.${key}`);
    }
  }
}

/** Keys as they are written, those of `custom_fields` behind the others. */
function keysOf(fields: Fields): readonly (readonly [key: string, param: string])[] {
  const { custom_fields: custom = {}, ...direct } = fields;
  return [
    ...Object.keys(direct).map((key) => [key, `fields.${key}`] as const),
    ...Object.keys(custom as Fields).map((key) => [key, `fields.custom_fields.${key}`] as const),
  ];
}

function planAssociation({ actor, operation, report }: OperationUnderTest): void {
  const association = String(operation.association_id);
  if (association.startsWith('inv.')) {
    report('plan', 'write_not_supported', 'association_id');
    return;
  }
  const known = LINKS[association] ?? REFERENCES[association];
  const isReadable = known?.to === 'gadgets' || actor.grant.parts !== undefined;
  if (known === undefined || !isReadable) report('plan', 'record_not_found', 'association_id');
}

function effectOf(one: OperationUnderTest, batch: boolean): Effect | undefined {
  const { world, actor, operation, report } = one;
  if (operation.action === 'create') return createOf(one);
  if (operation.action === 'upsert') return upsertOf(one);
  const gadget = world.gadgets.get(String(operation.id));
  if (gadget === undefined || !canRead(actor, gadget.fields.owner_user_id)) {
    report('record', 'record_not_found', batch ? 'id' : 'record_id');
    return undefined;
  }
  const action = operation.action === 'delete' ? 'delete' : 'update';
  if (!within(actor, actor.grant[action], gadget.fields.owner_user_id)) {
    report('permission', 'permission_denied');
    return undefined;
  }
  const { precondition } = operation;
  if (precondition !== undefined && !precondition.any_of.includes(tokenOf(gadget))) {
    report('precondition', 'stale_record');
  }
  const { id } = gadget;
  if (operation.action === 'delete') return { kind: 'delete', id, set: {}, action: 'delete' };
  if (operation.action === 'status') return statusOf(one, gadget);
  if (operation.action === 'update') return updateOf(one, gadget);
  return linkOf(one, gadget);
}

/** Values of the fields in their stored form; reports values that the rules refuse. */
function writtenOf(one: OperationUnderTest): Record<string, unknown> {
  const { operation, report } = one;
  const fields: Fields = operation.fields ?? {};
  const custom = (fields.custom_fields ?? {}) as Fields;
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(operation.match ?? {}).sort()) {
    values[key] = storedOf(key, operation.match?.[key]);
  }
  for (const [key, param] of keysOf(fields)) {
    const value = storedOf(key, param.includes('custom_fields') ? custom[key] : fields[key]);
    if (READ_ONLY.includes(key) || value === undefined) report('rules', 'invalid_write', param);
    else values[key] = value;
  }
  return values;
}

const paramOf = (key: string) =>
  NESTED.includes(key) ? `fields.custom_fields.${key}` : `fields.${key}`;

function checkValues(one: OperationUnderTest, values: Fields, id?: string): void {
  const { actor, world, report } = one;
  for (const [key, value] of Object.entries(values)) {
    if (value === null) continue;
    const isUser = key === 'a_user' || key === 'owner_user_id';
    if (isUser && value !== actor.userId && !world.people.active.includes(value as number)) {
      report('rules', 'invalid_write', paramOf(key));
    }
    const to = { a_reference: 'parts', model_id: 'gadgets' }[key];
    if (to !== undefined && value === id) report('rules', 'invalid_write', paramOf(key));
    else if (to !== undefined && (!isThere(one, to, value) || isDeletedBefore(one, value))) {
      report('rules', 'invalid_write', paramOf(key));
    }
  }
}

function isDeletedBefore({ operations, index }: OperationUnderTest, target: unknown): boolean {
  return operations.slice(0, index).some(({ action, id }) => action === 'delete' && id === target);
}

/** True when the caller may read the record. */
function isThere({ world, actor }: OperationUnderTest, objectType: string, id: unknown): boolean {
  if (objectType === 'gadgets') {
    const gadget = world.gadgets.get(String(id));
    return gadget !== undefined && canRead(actor, gadget.fields.owner_user_id);
  }
  const author = world.parts.get(String(id));
  return author !== undefined && within(actor, actor.grant.parts, author);
}

function createOf(one: OperationUnderTest): Effect {
  const { actor, report } = one;
  const written = writtenOf(one);
  // Values that the client sends come first: of two broken rules the first one is reported.
  const added = Object.entries({ ...DEFAULTS, owner_user_id: actor.userId });
  const missing = added.filter(([key]) => !(key in written));
  const set: Record<string, unknown> = { ...written, ...Object.fromEntries(missing) };
  const { owner_user_id: owner } = set;
  if (owner !== actor.userId && !(actor.assigns && within(actor, actor.grant.create, owner))) {
    report('permission', 'permission_denied', 'fields.owner_user_id');
  }
  checkValues(one, set);
  const isSent = one.operation.fields !== undefined && 'name' in one.operation.fields;
  const isRefused = isSent && storedOf('name', one.operation.fields?.name) === undefined;
  if ((set.name ?? null) === null && !isRefused) report('rules', 'invalid_write', 'fields.name');
  return { kind: 'create', id: undefined, set, action: 'create' };
}

function updateOf(one: OperationUnderTest, gadget: Gadget): Effect {
  const { actor, report } = one;
  const present: Fields = { ...gadget.fields, status: gadget.status };
  const set = Object.fromEntries(
    Object.entries(writtenOf(one)).filter(([key, value]) => value !== (present[key] ?? null)),
  );
  if ('owner_user_id' in set && set.owner_user_id !== actor.userId && !actor.assigns) {
    report('permission', 'permission_denied', 'fields.owner_user_id');
  }
  checkValues(one, set, gadget.id);
  if ('name' in set && set.name === null) report('rules', 'invalid_write', 'fields.name');
  const kind = Object.keys(set).length === 0 ? 'none' : 'update';
  return { kind, id: gadget.id, set, action: 'update' };
}

function statusOf(one: OperationUnderTest, gadget: Gadget): Effect {
  const { actor, world, operation, report } = one;
  const status = String(operation.status_id);
  const isListed = TRANSITIONS[gadget.status]?.includes(status) === true;
  const { north, dora } = world.people;
  const approvers = status === 'built' ? north : [dora];
  const isOwn = [gadget.author, gadget.fields.owner_user_id].includes(actor.userId);
  const isApprover = approvers.includes(actor.userId) && !isOwn;
  const isGated = gadget.status === 'sold' && !isApprover;
  if (!isListed || isGated) report('rules', 'invalid_write', 'status_id');
  return { kind: 'update', id: gadget.id, set: {}, action: 'status', status };
}

function linkOf(one: OperationUnderTest, gadget: Gadget): Effect | undefined {
  const { operation, report } = one;
  const { id } = gadget;
  const action = operation.action as 'link' | 'unlink';
  const association = String(operation.association_id);
  const target = String(operation.target_id);
  const reference = REFERENCES[association];
  if (action === 'unlink' && reference !== undefined) {
    if (gadget.fields[reference.key] === target) {
      return { kind: 'update', id, set: { [reference.key]: null }, action };
    }
    report('precondition', 'stale_record', 'target_id');
    return undefined;
  }
  const objectType = (reference ?? LINKS[association])?.to as string;
  const isGone = action === 'link' && isDeletedBefore(one, target);
  if (!isThere(one, objectType, target) || isGone) {
    report('rules', 'record_not_found', 'target_id');
    return undefined;
  }
  if (action === 'link' && target === id) {
    report('rules', 'invalid_write', 'target_id');
    return undefined;
  }
  if (reference !== undefined) {
    const isSame = gadget.fields[reference.key] === target;
    return { kind: isSame ? 'none' : 'update', id, set: { [reference.key]: target }, action };
  }
  return { kind: action, id, set: {}, action, link: [association.slice(5), id, target] };
}

/** Problems of an upsert with and without a match. */
function refuseOwn({ operation, report }: OperationUnderTest): boolean {
  const { match = {}, fields = {} } = operation;
  const custom = (fields.custom_fields ?? {}) as Fields;
  const wrong = keysOf(fields).filter(([key, param]) => {
    const given = param.includes('custom_fields') ? custom[key] : fields[key];
    return READ_ONLY.includes(key) || storedOf(key, given) === undefined;
  });
  const matched = Object.keys(match).filter((key) => READ_ONLY.includes(key));
  const params = [...matched.map((key) => `match.${key}`), ...wrong.map(([, param]) => param)];
  for (const param of params) report('rules', 'invalid_write', param);
  return params.length > 0;
}

function upsertOf(one: OperationUnderTest): Effect | undefined {
  const { world, actor, operations, index, operation, report } = one;
  if (refuseOwn(one)) return undefined;
  const match = Object.entries(operation.match as Fields).map(
    ([key, value]) => [key, storedOf(key, value)] as const,
  );
  const fits = (fields: Fields) => match.every(([key, value]) => (fields[key] ?? null) === value);
  const isHit = ({ fields }: Gadget) => fits(fields) && canRead(actor, fields.owner_user_id);
  const hits = [...world.gadgets.values()].filter(isHit);
  if (hits.length > 1) {
    report('rules', 'conflict', 'match');
    return undefined;
  }
  const [hit] = hits;
  const isElsewhere = operations.some((other, place) => {
    if (place === index) return false;
    if (other.id !== undefined) {
      if (other.id === hit?.id) return true;
      const gadget = world.gadgets.get(other.id);
      const isMade = hit === undefined && place < index && gadget !== undefined;
      return isMade && fits(laterFields(other, gadget));
    }
    if (other.action === 'upsert' && hit !== undefined && place < index) {
      const same = Object.entries(other.match as Fields);
      if (same.every(([key, value]) => hit.fields[key] === storedOf(key, value))) return true;
    }
    return place < index && hit === undefined && fits(laterFields(other, undefined));
  });
  if (isElsewhere) {
    report('rules', 'conflict', 'match');
    if (hit === undefined) return undefined;
  }
  if (actor.grant[hit === undefined ? 'create' : 'update'] === undefined) {
    report('permission', 'permission_denied');
    return undefined;
  }
  if (hit !== undefined) {
    if (within(actor, actor.grant.update, hit.fields.owner_user_id)) return updateOf(one, hit);
    report('permission', 'permission_denied');
    return undefined;
  }
  for (const [key] of match) {
    if (actor.fixed.includes(key)) report('permission', 'permission_denied', `match.${key}`);
  }
  return createOf(one);
}

/** Fields after an earlier operation of the same batch. */
function laterFields({ action, fields = {}, match = {} }: Operation, gadget: Gadget | undefined) {
  const before: Fields = gadget?.fields ?? DEFAULTS;
  if (action === 'delete') return {};
  const { custom_fields: custom = {}, ...direct } = fields;
  return { ...before, ...match, ...direct, ...(custom as Fields) };
}

/** Apply effects in their order; a refusal when two records would share what only one may have. */
export function apply(
  world: World,
  actor: Actor,
  effects: readonly Effect[],
  ids: readonly string[],
): Refusal | undefined {
  for (const [index, effect] of effects.entries()) {
    const id = ids[index] as string;
    const refusal = applyOne(world, actor, effect, id);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function applyOne(world: World, actor: Actor, effect: Effect, id: string): Refusal | undefined {
  const { kind, set, action } = effect;
  const note = (record_id: string, changed_fields: readonly string[], as = action) =>
    world.audit.push({ record_id, action: as, changed_fields, user_id: actor.userId });
  if (kind === 'none') return undefined;
  if (kind === 'link' || kind === 'unlink') return applyLink(world, effect, id, note);
  if (kind === 'delete') {
    world.gadgets.delete(id);
    for (const link of world.links) if (link.includes(id)) world.links.delete(link);
    for (const other of world.gadgets.values()) {
      if (other.fields.model_id !== id) continue;
      other.fields.model_id = null;
      other.version += 1;
      note(other.id, ['model_id'], 'update');
    }
    note(id, []);
    return undefined;
  }
  const isTaken = [...world.gadgets.values()].some(
    (other) => other.id !== id && (set.code ?? null) !== null && other.fields.code === set.code,
  );
  if (isTaken) return { code: 'conflict' };
  if (kind === 'create') {
    world.gadgets.set(id, {
      id,
      author: actor.userId,
      version: 1,
      status: 'new',
      fields: { ...set },
    });
    note(
      id,
      Object.keys(set).filter((key) => set[key] !== null),
    );
    return undefined;
  }
  const gadget = world.gadgets.get(id) as Gadget;
  gadget.version += 1;
  if (effect.status !== undefined) gadget.status = effect.status;
  Object.assign(gadget.fields, set);
  note(id, effect.status === undefined ? Object.keys(set) : ['status']);
  return undefined;
}

function applyLink(
  world: World,
  { kind, link, action }: Effect,
  id: string,
  note: (id: string, keys: readonly string[], as: string) => void,
): Refusal | undefined {
  const [relationship, from, to] = link as readonly [string, string, string];
  const { from_one, to_one, to: objectType } = LINKS[`link.${relationship}`] ?? { to: '' };
  const ends =
    objectType === 'gadgets'
      ? [
          [from, to],
          [to, from],
        ]
      : [[from, to]];
  const names = ends.map(([a, b]) => `${relationship} ${a} ${b}`);
  const isLinked = world.links.has(names[0] as string);
  if ((kind === 'link') === isLinked) return undefined;
  if (kind === 'unlink') for (const name of names) world.links.delete(name);
  else {
    const isTaken = [...world.links].some((name) => {
      const [key, a, b] = name.split(' ');
      if (key !== relationship) return false;
      return ends.some(([x, y]) => (from_one && a === x) || (to_one && b === y));
    });
    if (isTaken) return { code: 'conflict' };
    for (const name of names) world.links.add(name);
  }
  note(id, [`link.${relationship}`], action);
  return undefined;
}
