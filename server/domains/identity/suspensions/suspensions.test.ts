import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import {
  buildCreator,
  buildFan,
  buildMedia,
  buildOffer,
  buildUser,
  type Person,
} from '../../../testing/builders.ts'
import { cardToken } from '../../../testing/gateway.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'
import { beginLongAnswer } from '../../../testing/long-answer.ts'
import { buildAccount, emailsTo, PASSWORD } from '../../../testing/security.ts'
import { suspendPerson } from './actions.ts'

let harness: Harness
let operator: Person
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildAccount(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error) => (error instanceof Refused ? `${error.status} ${error.code}` : error),
  )
const suspend = ({ id }: Person, by: Person = operator) =>
  refusalOf(
    harness.api.as(by).call(routes.suspendPerson, { body: { userId: id, reason: 'Stolen pictures' } }),
  )
const reinstate = ({ id }: Person, by: Person = operator) =>
  refusalOf(
    harness.api.as(by).call(routes.reinstatePerson, { body: { userId: id, reason: 'They were hers' } }),
  )
const logIn = ({ email }: Person, password = PASSWORD) =>
  refusalOf(harness.api.visitor().call(routes.login, { body: { email, password } }))
const sessionsOf = ({ id }: Person) =>
  harness.context.db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()

describe('a suspension', () => {
  test('ends every session at once, and logging in is refused with its reason to who knows the password', async () => {
    const person = await buildAccount(harness)
    const api = harness.api.as(person)
    await api.call(routes.me, {})
    expect(await suspend(person)).toBe('accepted')
    expect(await sessionsOf(person)).toEqual([])
    expect(await refusalOf(api.call(routes.me, {}))).toBe('401 not_authenticated')
    expect(await logIn(person)).toBe('403 account_suspended')
    expect(await logIn(person, 'a wrong password')).toBe('401 login_failed')
    expect(await sessionsOf(person)).toEqual([])
    expect(await reinstate(person)).toBe('accepted')
    expect(await logIn(person)).toBe('accepted')
  })

  test('is told by email with what the log-in says, as is its end, and neither with the reason', async () => {
    const person = await buildAccount(harness)
    const mails = async () => {
      const sent = await emailsTo(harness, person.email)
      expect(JSON.stringify(sent)).not.toMatch(/Stolen pictures|They were hers/)
      return sent.map(({ subject }) => subject)
    }
    await suspend(person)
    expect(await mails()).toEqual([expect.stringContaining('Your account is suspended')])
    expect((await emailsTo(harness, person.email))[0]?.text).toContain('if you think this is a mistake')
    await reinstate(person)
    expect((await mails())[0]).toContain('Your account is no longer suspended')
    // One that was refused tells nothing.
    expect(await reinstate(person)).toBe('409 not_suspended')
    expect(await mails()).toHaveLength(2)
  })

  test('in the moment of a login leaves no session behind', async () => {
    const person = await buildAccount(harness)
    const { db, clock } = harness.context
    let login: Promise<string> | undefined
    await db.transaction().execute(async (transaction) => {
      await suspendPerson(transaction, {
        actor: { id: operator.id, role: 'superadmin' },
        userId: person.id,
        reason: 'Spam',
        now: clock.now(),
      })
      login = logIn(person)
      await expect.poll(() => waitingForLocks(db)).toBe(1)
    })
    expect(await login).toBe('403 account_suspended')
    expect(await sessionsOf(person)).toEqual([])
  })

  test('makes a session void that somehow outlived it', async () => {
    const person = await buildFan(harness)
    await harness.context.db
      .updateTable('users')
      .set({ suspended_at: harness.clock.now(), suspension_reason: 'Spam' })
      .where('id', '=', person.id)
      .execute()
    expect(await refusalOf(harness.api.as(person).call(routes.me, {}))).toBe('401 not_authenticated')
  })

  test('kills media links that are open, ends sales, and leaves to buyers what they bought', async () => {
    const [creator, fan, buyer] = [
      await buildCreator(harness),
      await buildFan(harness),
      await buildFan(harness),
    ]
    const free = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
    const single = await buildMedia(harness, creator, { showInStore: true })
    const buy = async (person: Person) =>
      refusalOf(
        harness.api.as(person).call(routes.purchase, {
          body: { kind: 'single', itemId: single, ...(await cardToken(harness)) },
        }),
      )
    expect(await buy(buyer)).toBe('accepted')
    const [visitor, api, owner] = [harness.api.visitor(), harness.api.as(fan), harness.api.as(creator)]
    const open = await Promise.all(
      [visitor, api, owner].map(async (one) => ({
        one,
        url: (await one.call(routes.media, { params: { mediaId: free } })).url ?? '',
      })),
    )
    for (const { one, url } of open) expect((await one.fetch(url)).status).toBe(200)
    expect(await suspend(creator)).toBe('accepted')
    for (const { one, url } of open) expect((await one.fetch(url)).status).toBe(403)
    expect(await buy(fan)).toBe('404 item_not_found')
    const bought = harness.api.as(buyer)
    const media = await bought.call(routes.media, { params: { mediaId: single } })
    expect(media).toMatchObject({ owned: true, locked: false })
    expect((await bought.fetch(media.url ?? '')).status).toBe(200)
    expect(await reinstate(creator)).toBe('accepted')
    for (const { one, url } of open.slice(0, 2)) expect((await one.fetch(url)).status).toBe(200)
    expect(await buy(fan)).toBe('accepted')
  })

  test('cuts off what is being downloaded of the person’s media within 5 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const free = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
    const download = await beginLongAnswer(harness, harness.api.as(fan), free)
    const own = await beginLongAnswer(harness, harness.api.as(creator), free)
    expect(await suspend(creator)).toBe('accepted')
    vi.advanceTimersByTime(5000)
    await Promise.all([expect(download.rest()).rejects.toThrow(), expect(own.rest()).rejects.toThrow()])
  })

  test('closes the addresses of uploads, whole or in ranges, also to what is being sent', async () => {
    const creator = await buildCreator(harness)
    const { signedUrls, destFileNames } = await harness.api
      .as(creator)
      .call(routes.startUpload, { body: { fileNames: ['a.mp4', 'b.mp4', 'c.mp4'] } })
    const [whole = '', ranged = '', sending = ''] = signedUrls
    const put = async (address: string, body: BodyInit, headers: Record<string, string> = {}) => {
      const answer = await fetch(harness.origin + address, {
        method: 'PUT',
        body,
        headers,
        duplex: 'half',
      } as RequestInit)
      return [answer.status, ((await answer.json()) as { code?: string }).code]
    }
    const range = (from: number) => ({ 'content-range': `bytes ${from}-${from + 99}/200` })
    const bytes = new Uint8Array(100)
    expect((await put(ranged, bytes, range(0)))[0]).toBe(308)
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    const underWay = put(sending, body.readable)
    await writer.write(bytes)
    const inProgress = harness.context.db
      .selectFrom('uploads')
      .select('id')
      .where('id', '=', destFileNames[2] ?? '')
      .where('reserved_bytes', 'is not', null)
    await expect.poll(() => inProgress.execute()).toHaveLength(1)
    const stored = () => harness.context.storage.size(`uploads/${destFileNames[2]}.whole/1`)
    expect(await suspend(creator)).toBe('accepted')
    expect(await put(whole, bytes)).toEqual([404, 'upload_not_found'])
    expect(await put(ranged, bytes, range(100))).toEqual([404, 'upload_not_found'])
    await writer.close()
    expect(await underWay).toEqual([404, 'upload_not_found'])
    expect(await stored()).toBeNull()
    expect(await reinstate(creator)).toBe('accepted')
    expect((await put(ranged, bytes, range(100)))[0]).toBe(200)
    expect((await put(whole, bytes))[0]).toBe(200)
  })

  test('is shown to operators alone, with its reason, who find the person and their media as before', async () => {
    const [creator, fan] = [await buildCreator(harness), await buildFan(harness)]
    const mediaId = await buildMedia(harness, creator, { mustUnlock: false })
    await suspend(creator)
    const support = await buildUser(harness, { role: 'support' })
    const profileOf = (person: Person) =>
      harness.api.as(person).call(routes.profileById, { params: { id: creator.id } })
    for (const person of [operator, support]) {
      expect(await profileOf(person)).toMatchObject({ suspended: { reason: 'Stolen pictures' } })
      const { items } = await harness.api
        .as(person)
        .call(routes.searchUsers, { query: { filter: creator.username } })
      expect(items).toMatchObject([{ _id: creator.id, suspended: true }])
      const feed = await harness.api
        .as(person)
        .call(routes.profileMedia, { query: { creatorId: creator.id } })
      expect(feed.items.map(({ _id }) => _id)).toEqual([mediaId])
    }
    expect(await refusalOf(profileOf(fan))).toBe('404 user_not_found')
    await reinstate(creator)
    expect(await profileOf(fan)).not.toHaveProperty('suspended')
    expect(await profileOf(operator)).not.toHaveProperty('suspended')
  })

  test('leaves operators, who find the person, nothing to follow and no offer to redeem', async () => {
    const creator = await buildCreator(harness)
    const offerId = await buildOffer(harness, creator, { type: 'freeBundle' })
    const api = harness.api.as(operator)
    const follow = () => refusalOf(api.call(routes.toggleFollow, { body: { followingId: creator.id } }))
    const redeem = () => refusalOf(api.call(routes.redeemOffer, { body: { offerId } }))
    await suspend(creator)
    expect([await follow(), await redeem()]).toEqual(['404 user_not_found', '404 offer_not_found'])
    await reinstate(creator)
    expect([await follow(), await redeem()]).toEqual(['accepted', 'accepted'])
    // Who follows from before stops all the same.
    await suspend(creator)
    expect(await follow()).toBe('accepted')
  })

  test('is recorded with who, when and why; an empty reason is refused', async () => {
    const person = await buildFan(harness)
    for (const reason of ['', '  ', 'x'])
      expect(
        await refusalOf(
          harness.api.as(operator).call(routes.suspendPerson, { body: { userId: person.id, reason } }),
        ),
      ).toBe('400 invalid_input')
    await suspend(person)
    await reinstate(person)
    const log = await harness.context.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'reason'])
      .where('target_id', '=', person.id)
      .orderBy('id')
      .execute()
    expect(log).toEqual([
      { actor_id: operator.id, action: 'user.suspended', reason: 'Stolen pictures' },
      { actor_id: operator.id, action: 'user.reinstated', reason: 'They were hers' },
    ])
  })

  test('is refused of oneself, of an operator by who can’t hand out roles, of nobody, and twice', async () => {
    const reviewer = await buildAccount(harness, { role: 'reviewer' })
    const person = await buildFan(harness)
    expect(await suspend(operator)).toBe('409 last_superadmin')
    expect(await suspend(reviewer, reviewer)).toBe('409 suspend_yourself')
    expect(await suspend(operator, reviewer)).toBe('409 last_superadmin')
    expect(await suspend(await buildUser(harness, { role: 'support' }), reviewer)).toBe(
      '403 permission_required',
    )
    expect(await suspend({ ...person, id: crypto.randomUUID() })).toBe('404 user_not_found')
    expect(await reinstate(person)).toBe('409 not_suspended')
    expect(await suspend(person, reviewer)).toBe('accepted')
    expect(await suspend(person)).toBe('409 already_suspended')
  })
})
