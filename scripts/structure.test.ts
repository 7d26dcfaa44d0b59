import { describe, expect, it } from 'vitest'
import { plantProject } from './planted-project.ts'
import { checkStructure, longFiles } from './structure.ts'

const migration = 'server/db/migrations/0001-first.ts'
const list = 'server/db/personal-data.ts'
const personalData = (text: string) => `export const personalData = { ${text} }`

describe('the structure script', () => {
  it.each([
    [
      'a file of another name in a domain',
      'server/domains/media/service.ts',
      '',
      'the files of a domain are',
    ],
    ['one in a sub-folder', 'server/domains/commerce/offers/types.ts', '', 'the files of a domain are'],
    ['an unknown domain', 'server/domains/shop/data.ts', '', 'the domains are identity'],
    ['helpers', 'server/http/helpers.ts', '', 'name it after what it does'],
    ['a folder of utils', 'client/utils/dates.ts', '', 'name it after what it does'],
    ['a barrel', 'client/ui/index.tsx', '', 'import the file itself'],
    ['calls of no domain', 'contract/routes/shop/carts.ts', '', 'the calls stand by domain'],
    ['calls that nobody handles', 'contract/routes/media/albums.ts', '', 'its calls are handled in'],
    ['handlers of no calls', 'server/domains/media/albums/routes.ts', '', 'its calls are declared in'],
    [
      'a page under another name',
      'client/features/media/Discover.tsx',
      'export function Component() {}',
      'the file of a page is called',
    ],
    [
      'a page of one feature in the app',
      'client/app/pages/DiscoverPage.tsx',
      "import { Wall } from '../../features/media/parts/Wall.tsx'\nexport function Component() {}",
      'a page of one feature stands in client/features/',
    ],
    [
      'code that comes later without a boundary',
      'client/features/media/Player.tsx',
      "import { type ComponentType, lazy } from 'react'\nconst Controls = lazy(load)",
      "takes React's lazy; use lazyPart",
    ],
    [
      'the same by its whole name',
      'client/ui/Chart.tsx',
      'const Bars = React.lazy(load)',
      "takes React's lazy",
    ],
    [
      'a reading whose failure takes the page away',
      'client/features/gate/RegionList.tsx',
      'if (error) return <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />',
      'shows that a reading failed; client/ui/Fetched.tsx',
    ],
    [
      'the same by another name',
      'client/features/gate/RegionList.tsx',
      'const list = useQuery(query)\nconst again = list.refetch\nreturn <ErrorState error={error} onRetry={again} />',
      'shows that a reading failed; client/ui/Fetched.tsx',
    ],
    [
      'rules that read the clock',
      'server/domains/media/rules.ts',
      'export const now = () => new Date()',
      'rules are pure',
    ],
    [
      'the clock of the database',
      'server/domains/media/data.ts',
      'export const query = sql`delete from media where deleted_at < now()`',
      "now() is the database's clock",
    ],
    [
      'its other name',
      'server/db/audit.ts',
      'export const query = sql`select CURRENT_TIMESTAMP`',
      "CURRENT_TIMESTAMP is the database's clock",
    ],
    ['the clock of the system', 'main.ts', 'run(args, new Date())', "new Date() is the system's clock"],
    ['one in the server', 'server/http/limits.ts', 'const at = Date.now()', 'Date.now( is the system'],
    [
      'the presence of a role',
      'server/domains/promotion/actions.ts',
      'export const isCounted = (visitor) => !visitor?.role',
      'asks whether there is a role',
    ],
    [
      'a condition on a role',
      'server/domains/promotion/actions.ts',
      'if (visitor.role) forget()',
      'asks whether there is a role',
    ],
    [
      'a comparison with a role',
      'client/app/shell.ts',
      "export const shown = (role: string) => role === 'finance'",
      'compares with the role finance',
    ],
    [
      'one in a query',
      'server/domains/site/data.ts',
      "export const find = (db) => db.where('role', '=', 'superadmin')",
      'compares with the role superadmin',
    ],
    [
      'one in SQL',
      'server/domains/site/data.ts',
      "export const find = sql`select from users where role in ('reviewer', 'support')`",
      'compares with the role reviewer',
    ],
    [
      'a question in a query whether there is a role',
      'server/domains/site/data.ts',
      "export const find = (db) => db.where('users.role', 'is not', null)",
      'asks whether there is a role',
    ],
    [
      'the same in SQL',
      'server/domains/site/data.ts',
      'export const find = sql`select from users where role is not null`',
      'asks whether there is a role',
    ],
    [
      'who owns what, asked elsewhere',
      'server/domains/messaging/data.ts',
      'export const paid = sql`exists (select from entitlements where plan_id is not null)`',
      'reads entitlements; ask',
    ],
    [
      'the same by the query builder',
      'server/domains/commerce/data.ts',
      "export const grants = (db) => db.selectFrom('entitlement_media as held')",
      'reads entitlement_media; ask',
    ],
    [
      'who subscribes, asked elsewhere',
      'server/domains/profiles/data.ts',
      'export const fans = sql`select fan_id from subscriptions where fan_id = 1`',
      'reads subscriptions; ask server/domains/identity/customers',
    ],
    [
      'the same by the query builder, in a join',
      'server/domains/messaging/data.ts',
      "export const fans = (db) => db.selectFrom('users').innerJoin('subscriptions as own', 'fan_id', 'id')",
      'reads subscriptions; ask server/domains/identity/customers',
    ],
  ])('refuses %s', async (_name, path, text, problem) => {
    using project = plantProject({ [path]: text })
    expect(await checkStructure(project.folder)).toEqual([expect.stringContaining(`${path}: ${problem}`)])
  })

  it.each([
    ['a table without an entry', 'create table users (id int)', '', 'table users is missing'],
    ['one made in Kysely', `db.schema.createTable('users')`, '', 'table users is missing'],
    [
      'a renamed one',
      'create table a (); alter table a rename to users',
      `a: 'erased'`,
      'table users is missing',
    ],
    [
      'an entry without a table',
      'create table users ()',
      `users: 'erased', fans: 'erased'`,
      'no migration creates fans',
    ],
    [
      'an entry of a dropped table',
      'create table users (); create table b (); drop table b',
      `users: 'erased', b: 'erased'`,
      'no migration creates b',
    ],
    ['an entry without a reason', 'create table users ()', `users: 'kept: '`, 'users is'],
  ])('refuses %s in the list of personal data', async (_name, sql, entries, problem) => {
    using project = plantProject({
      [migration]: `export const text = \`${sql}\``.replaceAll('`db', 'db'),
      [list]: personalData(entries),
    })
    expect((await checkStructure(project.folder)).join('\n')).toContain(problem)
  })

  it('refuses migrations without that list', async () => {
    using project = plantProject({ [migration]: 'create table users ()' })
    expect(await checkStructure(project.folder)).toEqual([expect.stringContaining(`${list} is missing`)])
  })

  it('is content with a project that keeps to it', async () => {
    using project = plantProject({
      'contract/index.ts': '',
      'client/ui/lazy-part.tsx': "import { lazy } from 'react'",
      'client/ui/Fetched.tsx': '<ErrorState onRetry={() => void refetch()} />',
      'client/features/media/Player.tsx': '<><ErrorState onRetry={play} /><Again onClick={load} /></>',
      'client/features/media/Item.tsx':
        'const item = useQuery(query)\nreturn <ErrorState error={item.error} />',
      'client/app/router.tsx':
        "import { use } from 'react'\nconst page = { lazy: () => import('./Page.tsx') }",
      'server/domains/commerce/offers/rules.ts': 'export const isOver = (at: Date, now: Date) => at < now',
      'server/domains/commerce/offers/redeem.test.ts': '\n'.repeat(320),
      [migration]: 'create table if not exists users (); create unlogged table rate_limits ()',
      [list]: personalData(`users: 'kept: money records stay', rate_limits: 'none'`),
    })
    expect(await checkStructure(project.folder)).toEqual([])
  })

  it.each([
    ['a document that is not there', 'docs/gone.md', 'cites docs/gone.md, which is not there'],
    ['a heading that is not there', 'docs/product.md, Prices', 'docs/product.md has no such heading'],
    ['the same over two lines', 'docs/product.md,\n * Prices', 'docs/product.md has no such heading'],
  ])('refuses a comment that cites %s', async (_name, cited, problem) => {
    using project = plantProject({
      'docs/product.md': '# What\n\n## Money made\n',
      'server/main.ts': `/**\n * Why (${cited}).\n */`,
      'server/app.ts': '/** Why (docs/product.md, Money\n * made). */',
    })
    expect(await checkStructure(project.folder)).toEqual([
      expect.stringMatching(new RegExp(`^server/main.ts: .*${problem}`)),
    ])
  })

  it('refuses a document that names a file that is not there, or not by its whole path', async () => {
    using project = plantProject({
      'server/a.test.ts': '',
      'docs/security.md':
        '`server/a.test.ts`, `a.test.ts`, `node bench/gone.ts`, `server/*/c.test.ts`, `rules.ts`',
    })
    expect(await checkStructure(project.folder)).toEqual([
      'docs/security.md: names a.test.ts, which is not there.',
      'docs/security.md: names bench/gone.ts, which is not there.',
    ])
  })

  it('refuses a decision record without its alternatives', async () => {
    using project = plantProject({
      'docs/decisions/001-first.md': 'Context: a.\n\nDecision: b.\n\nConsequences: c.',
      'docs/decisions/002-second.md': 'Context: a.\n\nDecision: b.\n\nAlternatives: c.\n\nConsequences: d.',
      'main.ts': '',
    })
    expect(await checkStructure(project.folder)).toEqual([
      expect.stringContaining(
        '001-first.md: a decision record has the parts Context, Decision, Alternatives',
      ),
    ])
  })

  it('names long files without refusing them', async () => {
    using project = plantProject({ 'sandbox/mail/plugin.ts': '\n'.repeat(401), 'main.ts': '\n'.repeat(400) })
    expect(longFiles(project.folder)).toEqual([
      expect.stringContaining('sandbox/mail/plugin.ts has 401 lines'),
    ])
    expect(await checkStructure(project.folder)).toEqual([])
  })

  it('fails where there is nothing to read', async () => {
    using project = plantProject({})
    expect(await checkStructure(project.folder)).toEqual(['There is no file to check.'])
  })
})
