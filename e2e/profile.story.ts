import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type Fanfare, startFanfare } from './fanfare.ts'
import { axeViolations, looksFinished } from './looks.ts'
import { apiOf, freshName, joins, logIn, mailsTo } from './people.ts'
import { openShop } from './shop.ts'
import { openWindow, PHONE } from './window.ts'

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

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a04030' } })
    .png()
    .toBuffer()

test('a creator edits the profile, with pictures cut to their shape', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/edit')
  await looksFinished(window)
  await page.getByLabel('First name').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Enter your first name.')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Bio').fill('One\nTwo')
  await page.getByRole('textbox', { name: 'Menu' }).fill('Prints')
  await page.getByRole('button', { name: 'Add a link' }).click()
  await page.getByLabel('Text of link 1').fill('Shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Each link needs both text and URL.')
  await page.getByLabel('URL of link 1').fill('example.test/shop')
  for (const [label, width, height, isSmall] of [
    ['Cover photo', 300, 200, true],
    ['Profile photo', 900, 600, false],
    ['Cover photo', 1600, 900, false],
  ] as const) {
    await page
      .locator(`input[aria-label="${label}"]`)
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await picture(width, height) })
    await page.getByRole('dialog').getByRole('slider').waitFor()
    await page.locator('[data-testid="cropper"]').waitFor()
    // All edges of the frame are in sight, with the picture around them.
    const beside = await page.locator('[data-testid="cropper"]').evaluate((frame) => {
      const area = frame.closest('[data-testid="container"]')?.parentElement?.getBoundingClientRect()
      return frame.getBoundingClientRect().left - (area?.left ?? 0)
    })
    expect(beside).toBeGreaterThanOrEqual(12)
    const small = page.getByText('This photo is small, so it will look blurry there.')
    await expect.poll(() => small.count()).toBe(isSmall ? 1 : 0)
    expect(await axeViolations(window)).toEqual([])
    await page.getByRole('button', { name: 'Use photo' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/api/users/editprofile', async (route) => {
    await arrived
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('progressbar', { name: 'Uploading photos' }).waitFor()
  expect(await axeViolations(window)).toEqual([])
  arrive()
  await window.sees('Your profile has been updated!')
  expect(await page.getByRole('progressbar').count()).toBe(0)
  expect(window.complaints()).toEqual([])

  await window.open(`/users/${creator.username}`)
  await window.sees('Ada')
  expect(await page.getByRole('link', { name: 'Shop', exact: true }).getAttribute('href')).toBe(
    'https://example.test/shop',
  )
  const natural = () =>
    page
      .locator('img[src^="/files/profile/"]')
      .evaluateAll((found) => found.map((image) => (image as HTMLImageElement).naturalWidth))
  await expect.poll(natural).toEqual(expect.arrayContaining([384, 1560]))

  // To oneself an empty tab speaks of oneself.
  await window.open(`/users/${creator.username}?tab=subscriptions`)
  await window.sees('You haven’t created any subscriptions yet.')
  await page.getByRole('link', { name: 'Create a subscription' }).waitFor()
  // What marks the chosen tab is not cut off by what scrolls the tabs.
  const cutOff = await page
    .getByRole('tablist')
    .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(cutOff).toBe(0)

  // Somebody who has just signed up has authenticated.
  await window.open('/dashboard/edit')
  await page.getByLabel('Email').fill(`moved-${creator.email}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await window.sees('Please check your email to verify the address.')
  expect(await page.getByLabel('Email').inputValue()).toBe(`moved-${creator.email}`)
  await window.close()
})

test('a visitor’s first look needs no call: the document brings the answers and the colors', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { scheme: 'dark' })
  const calls: string[] = []
  window.page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  for (const path of ['/', '/discover', `/users/${creator.username}`, '/login']) await window.open(path)
  expect(calls).toEqual([])
  await window.page.getByRole('radio', { name: 'Light' }).check({ force: true })
  const document = await window.page.request.get('/login')
  expect(await document.text()).toContain('data-mantine-color-scheme="light"')
  await window.close()
})

test('nothing that somebody writes about themselves runs as a program', async () => {
  const payloads = [
    `<img src=x onerror="globalThis.ran=1">`,
    `"><script>globalThis.ran=1</script>`,
    `</title><svg onload="globalThis.ran=1">`,
    `{{constructor.constructor('globalThis.ran=1')()}}`,
  ]
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const watcher = await openWindow(browser, fanfare.origin, { person: await joins(fanfare.origin, 'fan') })
  const visitor = await openWindow(browser, fanfare.origin)
  for (const payload of payloads) {
    const { page } = window
    await window.open('/dashboard/edit')
    for (const label of ['First name', 'Last name (optional)', 'Bio', 'Menu', 'Limits'])
      await page.getByRole('textbox', { name: label }).fill(payload.slice(0, 60))
    if ((await page.getByLabel('Text of link 1').count()) === 0)
      await page.getByRole('button', { name: 'Add a link' }).click()
    await page.getByLabel('Text of link 1').fill(payload)
    await page.getByLabel('URL of link 1').fill('javascript:globalThis.ran=1')
    await page.getByRole('button', { name: 'Save' }).click()
    await window.sees('Enter a URL that starts with https:// or http://')
    await page.getByLabel('URL of link 1').fill(`https://example.test/?${payload}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await window.sees('Your profile has been updated!')
    for (const seen of [window, watcher, visitor]) {
      await seen.open(`/users/${creator.username}`)
      for (const link of await seen.page.locator('a[href*="example.test"]').all()) await link.hover()
      for (const note of await seen.page.locator('summary').all()) await note.click()
      expect(await seen.page.evaluate(() => 'ran' in globalThis)).toBe(false)
    }
    await window.open('/dashboard')
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  }
  const complaints = [window, watcher, visitor].flatMap((seen) => seen.complaints())
  expect(complaints).toEqual([])
  for (const seen of [window, watcher, visitor]) await seen.close()
})

test('a fan finds a creator, follows, blocks, and takes it back', async () => {
  const [fan, creator] = [
    await joins(fanfare.origin, 'fan'),
    await joins(fanfare.origin, 'creator', freshName('wombat')),
  ]
  const window = await openWindow(browser, fanfare.origin, { person: fan })
  const { page } = window
  await window.open('/searchusers')
  await page.getByLabel('Username').fill('WOMBAT')
  await page.getByRole('link', { name: creator.username }).waitFor()
  await looksFinished(window)
  await page.getByRole('link', { name: creator.username }).click()
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Share profile' }).click()
  await window.sees('Link copied')
  const follow = page.getByRole('button', { name: 'Follow', exact: true })
  await follow.click()
  await window.sees('1 follower')
  await page.getByRole('button', { name: 'Following' }).click()
  await page.getByRole('menuitem', { name: 'Unfollow' }).click()
  await page.getByText('1 follower').waitFor({ state: 'detached' })
  await follow.click()
  await page.getByRole('button', { name: 'Following' }).waitFor()
  await looksFinished(window)
  await window.open('/dashboard/following')
  await page.getByRole('link', { name: creator.username }).waitFor()
  await looksFinished(window)
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Block ${creator.username}` }).click()
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await page.getByRole('button', { name: `Unblock ${creator.username}` }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/privacy')
  await looksFinished(window)
  const blocked = await openWindow(browser, fanfare.origin, { person: creator })
  await blocked.open(`/users/${fan.username}`)
  await blocked.sees('We couldn’t find this person')
  await window.open(`/users/${creator.username}`)
  await window.sees('Blocked by you')
  expect(await page.getByRole('button', { name: 'Follow', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Unblock ${creator.username}` }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  await window.open('/dashboard/privacy')
  await window.sees('You haven’t blocked anyone')
  await window.open('/dashboard/following')
  await window.sees('You’re not following anyone yet')
  expect(window.complaints()).toEqual([])
  await window.close()
  await blocked.close()
})

test('a person and an item are reported from where they are, by a message that says what it is about', async () => {
  const { creator, free } = await openShop(fanfare.origin)
  const fan = await joins(fanfare.origin, 'fan')
  const window = await openWindow(browser, fanfare.origin, { person: fan, phone: true })
  const { page } = window
  const message = page.getByRole('textbox', { name: 'Message' })
  await window.open(`/users/${creator.username}`)
  await page.getByRole('button', { name: `More about ${creator.username}` }).click()
  await page.getByRole('menuitem', { name: `Report ${creator.username}` }).click()
  await window.settled()
  expect(await message.inputValue()).toContain(`${fanfare.origin}/users/${creator.username}`)
  await window.open(`/media/${free}`)
  await page.getByRole('link', { name: 'Report this photo' }).click()
  await window.settled()
  expect(await message.inputValue()).toContain(`${fanfare.origin}/media/${free}`)
  await page.getByRole('button', { name: 'Send' }).click()
  await window.sees('Tell us what’s wrong.')
  await message.press('ControlOrMeta+End')
  await message.pressSequentially('It isn’t hers.')
  await page.getByRole('button', { name: 'Send' }).click()
  await window.sees('Your message has been sent.')
  // An address of another site is never put into anybody's words.
  await window.open('/contact?about=//elsewhere.example')
  expect(await message.inputValue()).toBe('')

  const owner = await openWindow(browser, fanfare.origin, { person: creator })
  await owner.open(`/media/${free}`)
  await owner.page.getByRole('link', { name: 'Edit this media' }).waitFor()
  expect(await owner.page.getByRole('link', { name: 'Report this photo' }).count()).toBe(0)
  expect([...window.complaints(), ...owner.complaints()]).toEqual([])
  await Promise.all([window.close(), owner.close()])
})

test('a fan is found by a creator who knows the whole name, to be blocked, and by everybody once the fan says so', async () => {
  const [fan, creator] = [
    await joins(fanfare.origin, 'fan', freshName('bilby')),
    await joins(fanfare.origin, 'creator'),
  ]
  const found = await openWindow(browser, fanfare.origin, { person: creator })
  const search = found.page.getByLabel('Username')
  await found.open('/searchusers')
  await search.fill(fan.username.slice(0, -1))
  await found.sees(`No results for “${fan.username.slice(0, -1)}”`)
  await search.fill(fan.username)
  await found.sees('Private profile')
  expect(await found.page.getByRole('link', { name: fan.username }).count()).toBe(0)
  await looksFinished(found)
  await found.page.getByRole('button', { name: `More about ${fan.username}` }).click()
  await found.page.getByRole('menuitem', { name: `Block ${fan.username}` }).click()
  await found.page.getByRole('button', { name: 'Block', exact: true }).click()
  await found.page.getByRole('button', { name: `Unblock ${fan.username}` }).click()
  await found.sees('You haven’t blocked anyone')

  const window = await openWindow(browser, fanfare.origin, { person: fan })
  await window.open('/dashboard/privacy')
  await window.page.getByRole('switch', { name: 'Let everyone find me' }).check()
  await window.sees('Everyone can find you now.')
  await looksFinished(window)
  await found.open(`/searchusers?filter=${fan.username}`)
  await found.page.getByRole('link', { name: fan.username }).click()
  await found.page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  for (const seen of [found, window]) {
    expect(seen.complaints()).toEqual([])
    await seen.close()
  }
})

test('a suspended profile offers an operator neither a subscription nor Follow', async () => {
  const [operator, creator] = [await joins(fanfare.origin, 'fan'), await joins(fanfare.origin, 'creator')]
  const sold = { title: 'Members club', price: '$9.99' }
  await apiOf(fanfare.origin, creator).call(
    routes.createSubscription,
    { body: sold },
    { idempotencyKey: crypto.randomUUID() },
  )
  const window = await openWindow(browser, fanfare.origin, { person: operator, viewport: PHONE })
  const offers = window.page.getByRole('button', { name: /^(Subscribe|Follow$)/ })
  await window.open(`/users/${creator.username}`)
  await expect.poll(() => offers.count()).toBe(2)
  await database.query(`update users set role = 'superadmin' where id = $1`, [operator.id])
  await database.query(
    `update users set suspended_at = now(), suspension_reason = 'Stolen photos' where id = $1`,
    [creator.id],
  )
  await window.open(`/users/${creator.username}`)
  await window.sees(/Suspended on .*: Stolen photos/)
  await window.sees('Members club')
  expect(await offers.count()).toBe(0)
  await window.close()
})

test('a fan’s referral link leads a visitor to the sign-up', async () => {
  const fan = await joins(fanfare.origin, 'fan')
  const { referralCode } = await apiOf(fanfare.origin, fan).call(routes.me, {})
  const visitor = await openWindow(browser, fanfare.origin)
  await visitor.open(`/users/${fan.username}?ref=${referralCode}`)
  await visitor.page.waitForURL('**/signup')
  await expect.poll(() => visitor.page.locator(`input[value="${fan.username}"]`).count()).toBe(1)
  await visitor.close()
})

test('a creator keeps places out and downloads the own data', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const { page } = window
  await window.open('/dashboard/privacy')
  await page.getByRole('combobox', { name: 'US states' }).fill('tex')
  await page.getByRole('option', { name: 'Texas' }).click()
  await page.getByRole('heading', { name: 'Privacy' }).click()
  await page.getByRole('button', { name: 'Save regions' }).click()
  await window.sees('Saved')
  await page.getByRole('button', { name: 'Request your data' }).click()
  const link = page.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toBe('my-data.zip')
  await window.open('/dashboard/privacy')
  await window.sees('Texas')
  await looksFinished(window)
  expect(window.complaints()).toEqual([])
  await window.close()
})

test('somebody without a picture has one letter everywhere, and an operator’s home begins with the tools', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  await database.query("update users set first_name = 'Zoe' where id = $1", [creator.id])
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  await window.open(`/users/${creator.username}`)
  const letters = await window.page.locator('span[class*="avatar"]').allInnerTexts()
  expect(letters.length).toBeGreaterThan(1)
  expect(new Set(letters)).toEqual(new Set(['C']))
  await window.close()

  const operator = await joins(fanfare.origin, 'fan')
  await database.query("update users set role = 'superadmin' where id = $1", [operator.id])
  const home = await openWindow(browser, fanfare.origin, { person: operator })
  await home.open('/dashboard')
  await home.sees('You run this site. What needs you comes first.')
  expect(await home.page.getByRole('heading', { name: 'New for you' }).count()).toBe(0)
  expect(home.complaints()).toEqual([])
  await home.close()
})

test('a deleted profile is gone at once, and logging in brings it back', async () => {
  const creator = await joins(fanfare.origin, 'creator')
  const window = await openWindow(browser, fanfare.origin, { person: creator })
  const visitor = await openWindow(browser, fanfare.origin)
  const { page } = window
  await window.open('/dashboard')
  await page.getByRole('button', { name: 'DELETE PROFILE' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'DELETE PROFILE' }).click()
  await window.sees(/Subscriptions you pay for end and aren’t refunded.*Your subscribers lose access/)
  // As long as the server lets a login take it back, not the 30 days until everything is gone.
  await window.sees(/For 28 days, logging in brings everything back/)
  // What the page asks for meanwhile is refused, as the session is over before the answer comes.
  await page.route('**/api/users/deleterequest/*', async (route) => {
    const response = await route.fetch()
    const refused = page.waitForResponse((answer) => answer.status() === 401)
    await page.evaluate(() => globalThis.dispatchEvent(new Event('visibilitychange')))
    await refused
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Delete my profile' }).click()
  await window.sees('Your account will be deleted within 30 days.')
  await window.sees('Changed your mind? Log in before')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.waitForURL('**/login')
  await visitor.open(`/users/${creator.username}`)
  await visitor.sees('We couldn’t find this person')

  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Password', { exact: true }).fill(creator.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  await window.sees('You logged in, so your account won’t be deleted.')
  await visitor.open(`/users/${creator.username}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  expect(await visitor.page.getByText('We couldn’t find this person').count()).toBe(0)
  await expect
    .poll(async () => (await mailsTo(fanfare.origin, creator.email)).map(({ subject }) => subject))
    .toContainEqual(expect.stringContaining('Your account won’t be deleted'))
  // Whoever uses this browser next isn't welcomed back by it.
  await page.getByText('You logged in, so your account').waitFor({ state: 'detached' })
  expect(await logIn(fanfare.origin, creator)).not.toBe('')
  await window.close()
  await visitor.close()
})
