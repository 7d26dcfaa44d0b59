import { describe, expect, it } from 'vitest'
import { plantProject } from './planted-project.ts'
import { checkTableWriters } from './table-writers.ts'

const list = {
  'server/db/tables/owners.ts': `export const owners = { users: 'domains/identity', media: 'domains/media', installation: 'db' }`,
}

describe('the check of who writes which table', () => {
  it.each([
    ['an insert', `db.insertInto('users')`, 'writes users'],
    ['an update', `db\n    .updateTable("users")`, 'writes users'],
    ['a removal', `db.deleteFrom('users as gone')`, 'writes users'],
    ['a removal in SQL', 'sql`delete from users where id = 1`', 'writes users'],
    ['an insert in SQL', 'sql`\n  INSERT INTO "users" (id) values (1)`', 'writes users'],
    ['an update in SQL', 'sql`update users set name = 1`', 'writes users'],
    ['an update of an alias in SQL', 'sql`update users as people set name = 1`', 'writes users'],
    ['a table of nobody', `db.insertInto('orders')`, 'does not name'],
    ['a table that is named while it runs', 'db.insertInto(table)', `can't be read`],
    ['one that is named while it runs in SQL', 'sql`delete from $' + '{sql.table(table)}`', `can't be read`],
  ])('refuses %s by another domain', async (_name, text, problem) => {
    using project = plantProject({ ...list, 'server/domains/media/actions.ts': text })
    expect(await checkTableWriters(project.folder)).toEqual([
      expect.stringMatching(new RegExp(`^server/domains/media/actions.ts: .*${problem}`)),
    ])
  })

  it.each([
    [
      'a Db',
      'export async function drop(db: Db) {\n  await sql`delete from users`.execute(\n    db,\n  )\n}',
    ],
    [
      'the pool of a context',
      'export const drop = (context: Context) =>\n  sql`delete from users`.execute(context.db)',
    ],
    [
      'a Db in a nested statement',
      'function drop({ db }: Context) {\n  return sql`update users set name = $' +
        '{of(sql`a`)}`.execute(db)\n}',
    ],
  ])('refuses SQL that writes by %s', async (_name, text) => {
    using project = plantProject({ ...list, 'server/domains/identity/actions.ts': text })
    expect(await checkTableWriters(project.folder)).toEqual([
      expect.stringMatching('^server/domains/identity/actions.ts: drop writes by a Db'),
    ])
  })

  it('lets SQL write by a transaction, and read by a Db', async () => {
    const text = `export function forget(db: Db) {
  await sql\`select from users\`.execute(db)
  return db.transaction().execute((tx) => sql\`delete from users\`.execute(tx))
}

export async function drop(tx: Tx) {
  await sql\`delete from users\`.execute(tx)
}`
    using project = plantProject({ ...list, 'server/domains/identity/actions.ts': text })
    expect(await checkTableWriters(project.folder)).toEqual([])
  })

  it('lets owners write, everybody read, and tests and sample data do what they want', async () => {
    using project = plantProject({
      ...list,
      'server/domains/media/uploads/actions.ts': `db.insertInto('media')`,
      'server/domains/media/data.ts': `db.selectFrom('users'); // never insert into users\n sql\`select * from users for update of media\``,
      'server/db/clock.ts': 'sql`update installation set a = 1`',
      'server/domains/media/media.test.ts': `db.insertInto('users')`,
      'server/sample/load.ts': `db.insertInto('users')`,
    })
    expect(await checkTableWriters(project.folder)).toEqual([])
  })

  it('fails without the list, and where there is nothing to read', async () => {
    using project = plantProject({ 'server/a.ts': '' })
    expect(await checkTableWriters(project.folder)).toEqual([expect.stringContaining('is missing')])
    using empty = plantProject({})
    expect(await checkTableWriters(empty.folder)).toEqual(['There is no file of the server to check.'])
  })
})
