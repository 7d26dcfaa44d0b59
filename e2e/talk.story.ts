import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../contract/index.ts'
import { openBrowser, type StoryBrowser } from './browser.ts'
import { attached, connected, marked, openChat } from './chatting.ts'
import { createStoryDatabase, type StoryDatabase } from './database.ts'
import { type FanfareProcess, startProcess } from './fanfare.ts'
import { CARDS, payByCard } from './paying.ts'
import { apiOf, joins, logIn } from './people.ts'
import { movingPicture, picture } from './pictures.ts'
import { openShop } from './shop.ts'
import { waitUntil } from './waiting.ts'

const FOLLOWERS = 5_000
/** When the writing to them stands still, as a batch is about to say whom it wrote to. */
const MIDDLE = FOLLOWERS / 2

let database: StoryDatabase
let fanfare: FanfareProcess
let browser: StoryBrowser

beforeAll(async () => {
  database = await createStoryDatabase()
  ;[fanfare, browser] = await Promise.all([startProcess(database.environment), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await fanfare?.dispose()
  await database?.dispose()
})

/** Lets so many people follow somebody. */
async function follow(creatorId: string): Promise<void> {
  await database.query(
    `with people as (
       insert into users (email, username, first_name, reddit_username, password_hash, is_creator, email_verified_at,
         referral_code, created_at)
       select name || '@example.test', name, 'F', name, 'x', false, now(), name, now()
       from (select 'follower' || number as name from generate_series(1, $2::int) as number) as each returning id
     )
     insert into follows (follower_id, following_id, created_at) select id, $1, now() from people`,
    [creatorId, FOLLOWERS],
  )
}

/** Has a mass message wait in the middle, until what it answers is called. */
async function holdInTheMiddle(): Promise<() => Promise<void>> {
  await database.query(`
    create table middle ();
    create function waits() returns trigger language plpgsql as
      $$ begin lock table middle in row exclusive mode; return new; end $$;
    create trigger waits before update on mass_messages
      for each row when (old.sent >= ${MIDDLE}) execute function waits()`)
  return database.lockTable('middle')
}

test('a creator and a fan with two devices talk through a restart, sell and buy, while thousands are written to', async () => {
  const { origin } = fanfare
  const { creator } = await openShop(origin)
  const fan = await joins(origin, 'fan')
  const desk = await openChat(browser, origin, { person: fan, other: creator })
  await desk.says('Hello from my desk')
  await marked(desk, 'Hello from my desk', 'Sent')
  const seller = await openChat(browser, origin, { person: creator, other: fan })
  const second = { ...fan, token: await logIn(origin, fan) }
  const phone = await openChat(browser, origin, { person: second, other: creator, phone: true })
  await seller.hears('Hello from my desk')
  await phone.hears('Hello from my desk')
  await fanfare.end('SIGKILL')
  await phone.sees('Connecting…')
  await phone.page.locator('input[type=file]').setInputFiles([await picture(5)])
  await phone.says('A photo from my phone')
  // The code that a page fetches ahead is due while nobody answers; what shares it must come later all the same.
  await seller.page.waitForFunction(() => performance.now() > 10_000)
  await seller.says('Written meanwhile')
  await fanfare.restart()
  for (const side of [seller, desk, phone]) {
    await connected(side)
    await side.hears('Written meanwhile')
  }
  await seller.hears('A photo from my phone')
  await desk.hears('A photo from my phone')
  expect(await attached(seller, 'A photo from my phone').count()).toBe(1)
  await seller.page.locator('input[type=file]').setInputFiles([await movingPicture()])
  await seller.says('A video back')
  for (const side of [desk, phone]) {
    await side.hears('A video back')
    expect(await attached(side, 'A video back').count()).toBe(1)
  }

  await seller.page.getByRole('button', { name: 'Attach from your library' }).click()
  const library = seller.page.getByRole('dialog')
  await library.getByRole('checkbox', { name: 'For members' }).check()
  await library.getByRole('button', { name: /^Attach/ }).click()
  await seller.page.getByLabel('Price').fill('12.50')
  await seller.says('Only for you')
  await phone.page.getByRole('button', { name: 'Unlock for $12.50' }).click()
  await payByCard(phone.page, CARDS.approved)
  await phone.sees('Processed Transaction')
  await phone.page.getByRole('button', { name: 'Done' }).click()
  await desk.message('Only for you').getByText('Bought for $12.50').waitFor()
  await seller.message('Only for you').getByText('Sold for $12.50').waitFor()

  await follow(creator.id)
  const goOn = await holdInTheMiddle()
  const api = apiOf(origin, creator)
  const { _id } = await api.call(
    routes.saveMassMessage,
    { body: { audience: 'followers', content: 'News for everybody' } },
    { idempotencyKey: crypto.randomUUID() },
  )
  const sent = async () => {
    const query = 'select sent, status from mass_messages where id = $1'
    const [row] = await database.query<{ sent: number; status: string }>(query, [_id])
    return row ?? { sent: 0, status: 'gone' }
  }
  // The next batch has written to its people by then or soon, and holds what it wrote.
  const held = { sent: MIDDLE, status: 'sending' }
  await expect.poll(sent).toEqual(held)
  for (let count = 1; count <= 3; count++) {
    await desk.says(`Question ${count}.`)
    for (const side of [seller, phone]) await side.hears(`Question ${count}.`)
    await seller.says(`Answer ${count}.`)
    for (const side of [desk, phone]) await side.hears(`Answer ${count}.`)
  }
  expect(await sent()).toEqual(held)
  await goOn()
  await waitUntil(async () => (await sent()).status !== 'sending')
  expect(await sent()).toEqual({ sent: FOLLOWERS, status: 'sent' })
  const rows = await database.query<{ people: number }>(
    'select count(distinct conversation_id)::int as people from messages where mass_message_id = $1',
    [_id],
  )
  expect(rows).toEqual([{ people: FOLLOWERS }])
  await seller.says('All quiet here')
  await phone.hears('All quiet here')
  await marked(seller, 'All quiet here', 'Read')
  await Promise.all([seller.close(), desk.close(), phone.close()])
})
