import { afterAll, beforeAll, expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../contract/audit.ts'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { looksFinished } from './looks.ts'
import { apiOf, joins, type Person } from './people.ts'
import { openWindow } from './window.ts'

let database: StoryDatabase
let fanfare: Fanfare
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startFanfare(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

async function superadmin(name?: string): Promise<Person> {
  const person = await joins(fanfare.origin, 'fan', name)
  await database.query("update users set role = 'superadmin' where id = $1", [person.id])
  return person
}

test('a superadmin sees who did what and why, and finds it by whom, by what, and by day', async () => {
  const [operator, fan, other] = [
    await superadmin(),
    await joins(fanfare.origin, 'fan'),
    await joins(fanfare.origin, 'fan'),
  ]
  const window = await openWindow(browser, fanfare.origin, { person: operator })
  const { page } = window
  await window.open('/dashboard/payments')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await window.sees('No entries yet')
  await looksFinished(window, 'audit-none')

  const admin = apiOf(fanfare.origin, operator)
  const reason = 'Posts pictures of someone else'
  await admin.call(routes.suspendPerson, { body: { userId: fan.id, reason } })
  await admin.call(routes.reinstatePerson, { body: { userId: fan.id, reason: 'The pictures were theirs' } })
  await admin.call(routes.setRole, { body: { userId: other.id, role: 'support', reason: 'New colleague' } })
  await page.reload()
  const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem')
  await window.sees(`${operator.username} changed the role of ${other.username} from no role to support.`)
  expect(await entries.count()).toBe(3)
  expect(await entries.first().innerText()).toContain('Reason: New colleague')

  // By the keyboard alone.
  await page.getByLabel('About').focus()
  await page.keyboard.type(fan.username)
  await page.waitForURL(`**/dashboard/audit?about=${fan.username}`)
  await window.sees(`${operator.username} reinstated ${fan.username}.`)
  await expect.poll(() => entries.count()).toBe(2)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Account sus')
  await expect.poll(() => entries.count()).toBe(1)
  await window.sees(`Reason: ${reason}`)
  await looksFinished(window, 'audit-filtered')
  await page.getByLabel('By').selectOption('The server')
  await window.sees('No entries match these filters')
  await looksFinished(window, 'audit-no-results')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => entries.count()).toBe(3)
  expect(await page.getByLabel('About').inputValue()).toBe('')

  await page.getByLabel('From').fill('2020-01-02')
  await page.getByLabel('To').fill('2020-01-01')
  await window.sees('Choose a day on or after the first one.')
  await page.getByLabel('To').fill('2020-01-02')
  await window.sees('No entries match these filters')
  // What is looked for stands in the address, so that Back leads to it.
  await page.getByLabel('To').fill('')
  await page.getByRole('link', { name: fan.username }).first().click()
  await page.waitForURL(`**/users/${fan.username}`)
  await page.goBack()
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('2020-01-02')
  expect(await entries.count()).toBe(3)

  await page.route('**/api/admin/auditactors', (route) => route.abort())
  await window.open(`/dashboard/audit?by=${operator.id}`)
  await window.sees('We couldn’t load the names. Reload the page to try again.')
  expect(await page.getByLabel('By').inputValue()).toBe(operator.id)
  expect(await entries.count()).toBe(3)
  await looksFinished(window, 'audit-no-names')
  await page.unroute('**/api/admin/auditactors')

  await page.route('**/api/admin/audit?*', (route) => route.abort())
  await page.reload()
  await window.sees('We couldn’t load the audit log')
  await page.unroute('**/api/admin/audit?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await window.sees(`${operator.username} suspended ${fan.username}.`)
  await window.close()
})

test('every kind of entry reads as a sentence, and a long log comes page by page', async () => {
  const [operator, creator] = [await superadmin(), await joins(fanfare.origin, 'creator')]
  const kinds = AUDIT_ACTIONS.map((action, n) => ({ action, n, ...aboutOf(action, creator) }))
  await database.query(
    `insert into audit_log (actor_id, action, target_kind, target_id, reason, detail, occurred_at)
      select $1, action, kind, id, 'A reason that is as long as one that people write, with what they were told', detail,
        now() + n * interval '1 second'
      from jsonb_to_recordset($2::jsonb) as kinds (action text, kind text, id text, detail jsonb, n int)`,
    [operator.id, JSON.stringify(kinds)],
  )
  const window = await openWindow(browser, fanfare.origin, { person: operator })
  const { page } = window
  await window.open(`/dashboard/audit?by=${operator.id}`)
  const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem')
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return entries.count()
    })
    .toBe(AUDIT_ACTIONS.length)
  const sentences = await entries.locator('p:first-child').allInnerTexts()
  for (const sentence of sentences)
    expect(sentence).toMatch(new RegExp(`^${operator.username} [a-z][^{}]+[^ ]\\.$`))
  expect(new Set(sentences).size).toBe(AUDIT_ACTIONS.length)
  await looksFinished(window, 'audit-kinds')
  await window.close()
})

/** What an entry of this kind may be about. */
function aboutOf(action: string, creator: Person) {
  const [domain = ''] = action.split('.')
  const detail = {
    ...{ cents: 1250, count: 3, days: 14, subreddit: 'Gardens', month: '2026-10', from: null, to: 'finance' },
    ...{ customerId: creator.id, creatorId: creator.id, name: 'Texas' },
  }
  const kinds: Record<string, [string, string]> = {
    ...{ media: ['media', crypto.randomUUID()], order: ['order', crypto.randomUUID()] },
    ...{ dispute: ['order', crypto.randomUUID()], finding: ['finding', crypto.randomUUID()] },
    ...{ adjustment: ['adjustment', crypto.randomUUID()], payout: ['payout', crypto.randomUUID()] },
    ...{ payouts: ['payouts', 'bank'], 'message-report': ['message-report', crypto.randomUUID()] },
    ...{ subscription: ['subscription', crypto.randomUUID()], region: ['region', 'US-TX'] },
    ...{ senators: ['state', 'TX'], keys: ['installation', 'installation'] },
    ...{ forum: ['installation', 'installation'], 'subreddit-list': ['subreddit-list', crypto.randomUUID()] },
    ...{ subreddits: ['subreddit', 'subreddits'], 'subreddit-tag': ['subreddit', 'cozy'] },
    subreddit: /edited|deleted/.test(action)
      ? ['subreddit', 'Gardens']
      : ['subreddit_affiliate', crypto.randomUUID()],
  }
  const [kind, id] =
    action === 'payouts.downloaded'
      ? ['payout_export', crypto.randomUUID()]
      : (kinds[domain] ?? ['user', creator.id])
  return { kind, id, detail }
}
