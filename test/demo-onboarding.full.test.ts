// The onboarding projects of the demo through the interface: types with fields of their own, trees of tasks, the gate
// that only managers pass, comments and their notifications.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoWorld, type Line, linesOf, openDemoWorld, pipelineLines } from './demo-world.ts';

const items = linesOf('onboarding_items.csv');
const comments = linesOf('onboarding_comments.csv');
/** Of these days, on deals and tasks. */
const recent = ['deal_comments', 'task_comments'].flatMap((name) => linesOf(`${name}.csv`));
const projects = items.filter(({ type }) => type === 'Project');
const tasks = items.filter(({ type }) => type === 'Task');
const managers = new Map(
  linesOf('sales_teams.csv').map(({ sales_agent, manager }) => [sales_agent, String(manager)]),
);
const ITEMS = '/objects/work_items/records';
const teamOf = (name: unknown) => managers.get(String(name)) ?? String(name);

let demo: DemoWorld;
beforeAll(async () => {
  demo = await openDemoWorld();
});
afterAll(() => demo?.close());

async function found(public_id: string | undefined) {
  const { body } = await demo.admin.get(`${ITEMS}?filter[public_id]=${public_id}&limit=2`);
  expect(body.data).toHaveLength(1);
  return (await demo.admin.get(`${ITEMS}/${body.data[0].id}`)).body.data;
}

/** How often each person is mentioned. */
function mentionsIn(lines: readonly Line[]): ReadonlyMap<string, number> {
  const mentioned = new Map<string, number>();
  for (const { mentions = '' } of lines) {
    for (const name of mentions.split(', ').filter((one) => one !== '')) {
      mentioned.set(name, (mentioned.get(name) ?? 0) + 1);
    }
  }
  return mentioned;
}

describe('the files', () => {
  test('have forty projects of won deals, 300 tasks and 200 comments', () => {
    expect([projects.length, tasks.length, comments.length]).toEqual([40, 300, 200]);
    const deals = new Map(pipelineLines().map((line) => [line.opportunity_id, line]));
    for (const { opportunity, account, assignee, created } of projects) {
      const deal = deals.get(opportunity);
      expect([deal?.deal_stage, deal?.account, deal?.sales_agent]).toEqual([
        ...['Won', account, assignee],
      ]);
      expect(created?.slice(0, 10)).toBe(deal?.close_date);
    }
  });

  test("name people of the demo only, who work on their own team's projects", () => {
    const byId = new Map(items.map((line) => [line.id, line]));
    for (const { item, author, mentions = '' } of comments) {
      const team = teamOf(byId.get(item)?.assignee);
      for (const name of [author, ...mentions.split(', ').filter((one) => one !== '')]) {
        expect([team, managers.get(String(name)) ?? team]).toEqual([team, team]);
        expect([...managers.keys(), ...managers.values()]).toContain(name);
      }
    }
  });
});

test('projects and tasks are counted by type and status', async () => {
  const body = {
    group_by: ['work_item_type_id', 'status'],
    filters: { work_item_type_id: { ne: 'task' } },
    metrics: [{ name: 'items', op: 'count' }],
    limit: 50,
  };
  const { body: answer } = await demo.admin.post(`${ITEMS}/aggregate`, body);
  const counts = new Map<string, number>();
  for (const { type, status } of items) {
    const key = `${type === 'Project' ? 'onboarding_project' : 'onboarding_task'} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const told = answer.data.map((group: Line) => [
    `${group.work_item_type_id} ${group.status}`,
    Number(group.items),
  ]);
  expect(new Map(told)).toEqual(counts);
});

test('the tasks of a project are a tree below it', async () => {
  const [project = {}] = projects;
  const { id, fields } = await found(project.id);
  expect(fields).toMatchObject({
    health: project.health,
    go_live_on: project.go_live,
    phase: null,
  });
  const path = (item: string) =>
    `${ITEMS}/${item}/relationships/inv.work_items.parent_work_item_id?limit=100`;
  const below = async (item: string): Promise<readonly string[]> => {
    const { body } = await demo.admin.get(path(item));
    const children = body.data as readonly { id: string; display: string }[];
    const deeper = await Promise.all(children.map((child) => below(child.id)));
    return [...children.map(({ display }) => display), ...deeper.flat()];
  };
  const ids = new Set([project.id]);
  for (const { id: task, parent } of tasks) if (ids.has(parent)) ids.add(task);
  const titles = tasks.filter((task) => ids.has(task.id)).map(({ title }) => title);
  expect(titles.length).toBeGreaterThan(6);
  expect([...(await below(id))].sort()).toEqual(titles.sort());
});

test('each type has fields of its own, and numbers continue', async () => {
  const create = (fields: object) => demo.admin.post(ITEMS, { fields });
  const task = { work_item_type_id: 'onboarding_task', title: 'Say hello' };
  const made = await create({ ...task, phase: 'prepare' });
  expect([made.status, made.body.data.public_id]).toEqual([201, 'TASK-301']);
  expect((await create({ ...task, health: 'good' })).status).toBe(422);
  const project = { work_item_type_id: 'onboarding_project', title: 'Another one' };
  const { body } = await create(project);
  expect([body.data.public_id, body.data.status]).toEqual(['ONB-41', 'planned']);
});

test('/search finds a project by its number and by its company', async () => {
  const [project = {}] = projects;
  for (const query of [project.id, project.title]) {
    const { body } = await demo.admin.get(`/search?q=${encodeURIComponent(String(query))}`);
    const urls = body.data.map(({ url }: { url: string }) => url);
    expect(urls).toContain(`/app/demo/o/work_items/${project.id}`);
  }
});

test('only the manager accepts a task that is in review', async () => {
  const waiting = tasks.find(({ status }) => status === 'in_review') as Line;
  const { id } = await found(waiting.id);
  const accept = { status_id: 'done' };
  for (const client of [demo.admin, await demo.as(String(waiting.assignee))]) {
    const refused = await client.post(`${ITEMS}/${id}/status`, accept);
    expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'approval_required']);
  }
  const manager = await demo.as(teamOf(waiting.assignee));
  const accepted = await manager.post(`${ITEMS}/${id}/status`, accept);
  expect([accepted.status, accepted.body.data.status]).toEqual([200, 'done']);
});

describe('comments', () => {
  const byItem = new Map(comments.map(({ item }) => [String(item), [] as Line[]]));
  for (const comment of comments) byItem.get(String(comment.item))?.push(comment);

  test('are listed in the order of their times, with their authors', async () => {
    const busiest = [...byItem].sort(([, a], [, b]) => b.length - a.length).slice(0, 5);
    expect(busiest[0]?.[1].length).toBeGreaterThan(2);
    for (const [item, said] of busiest) {
      const { id } = await found(item);
      const { body } = await demo.admin.get(`${ITEMS}/${id}/comments?order=asc`);
      const listed = body.data as readonly {
        readonly body: string;
        readonly author: { readonly name: string };
        readonly created_at: string;
      }[];
      expect(
        listed.map(({ body: text, author, created_at }) => [text, author.name, created_at]),
      ).toEqual(
        said.map(({ text, author, created }) => [text, author, created?.replace('+0000', 'Z')]),
      );
    }
  });

  test('have notified the mentioned people', async () => {
    const mentioned = mentionsIn(comments);
    expect([...mentioned.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(60);
    const rows = await demo.own.rows(`select u.name, count(*)::integer as times
      from ws_demo._notifications n join ws_demo._users u on u.id = n.user_id
      group by u.name`);
    const all = mentionsIn([...comments, ...recent]);
    expect(new Map(rows.map(({ name, times }) => [name, times]))).toEqual(all);
    const [name, times] = [...mentioned].sort(([, a], [, b]) => b - a)[0] as [string, number];
    const { body } = await (await demo.as(name)).get('/notifications?limit=100');
    expect(body.data).toHaveLength(all.get(name) ?? 0);
    const moments = new Set(comments.map(({ created }) => created?.replace('+0000', 'Z')));
    const notified = body.data.filter(({ created_at }: Line) => moments.has(created_at));
    expect(notified).toHaveLength(times);
    for (const { kind, read_at, object_type } of notified) {
      expect([kind, read_at, object_type]).toEqual(['mention', null, 'work_items']);
    }
  });

  test('are read by every reader of the item: the team of its owner', async () => {
    const [project = {}] = projects;
    const { id } = await found(project.id);
    const stranger = [...managers].find(([, boss]) => boss !== teamOf(project.assignee));
    const path = `${ITEMS}/${id}/comments`;
    const other = await demo.as(String(stranger?.[0]));
    expect((await other.get(path)).status).toBe(404);
    const colleague = [...managers].find(
      ([name, boss]) => boss === teamOf(project.assignee) && name !== project.assignee,
    );
    expect((await (await demo.as(String(colleague?.[0]))).get(path)).status).toBe(200);
  });
});
