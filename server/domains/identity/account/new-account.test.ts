import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { Refused } from '../../../testing/api.ts'
import { buildCreator, buildFan, buildUser } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness?.stop())

let count = 0
function form(changes: Record<string, unknown> = {}) {
  const username = `ada${++count}`
  const email = `${username}@example.test`
  const person = {
    firstName: 'Ada',
    email,
    username,
    redditUsername: username,
    password: 'correct horse',
    isCreator: 'false',
  }
  return { ...person, ...changes }
}

const send = (body: unknown) => harness.api.visitor().send('POST', '/users/signup', { body })
const accountOf = (email: string) =>
  harness.context.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function signUp(changes: Record<string, unknown> = {}) {
  const body = form(changes)
  const { status, body: answer } = await send(body)
  expect(status).toBe(200)
  return { ...body, email: body.email.trim().toLowerCase(), token: (answer as { token: string }).token }
}

describe('referrals', () => {
  test('a known code, in any case, names the referrer and is kept', async () => {
    const referrer = await signUp()
    const { referral_code: code, id } = await accountOf(referrer.email)
    const typed = code.toUpperCase()
    expect(await harness.api.visitor().call(routes.referrer, { params: { code: typed } })).toEqual({
      username: referrer.username,
      others: 0,
    })
    const referred = await signUp({ referralCode: typed, sharedReferralCode: 'team-a' })
    expect(await accountOf(referred.email)).toMatchObject({ referred_by: id, referred_by_shared: null })
  })

  test('a shared code is kept, unless one person’s code came with it or nobody of it is left', async () => {
    const maker = await buildCreator(harness)
    const { _id, referralCode } = await harness.api
      .as(maker)
      .call(routes.createSharedCode, { body: { title: 'Team', participantIds: [] } })
    const sharedReferralCode = referralCode.toUpperCase()
    const shared = await signUp({ sharedReferralCode })
    expect(await accountOf(shared.email)).toMatchObject({ referred_by: null, referred_by_shared: _id })
    const { referral_code } = await accountOf(maker.email)
    const both = await signUp({ referralCode: referral_code, sharedReferralCode })
    expect(await accountOf(both.email)).toMatchObject({ referred_by: maker.id, referred_by_shared: null })
    // Neither code works in the other's place.
    const mixed = await signUp({ referralCode, sharedReferralCode: referral_code })
    expect(await accountOf(mixed.email)).toMatchObject({ referred_by: null, referred_by_shared: null })
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', '=', maker.id)
      .execute()
    const late = await signUp({ sharedReferralCode })
    expect(await accountOf(late.email)).toMatchObject({ referred_by: null, referred_by_shared: null })
  })

  test('an unknown or empty code does not stop anybody', async () => {
    const person = await signUp({ referralCode: 'nobody00', sharedReferralCode: '' })
    expect(await accountOf(person.email)).toMatchObject({ referred_by: null, referred_by_shared: null })
    const empty = await signUp({ referralCode: '' })
    expect((await accountOf(empty.email)).referred_by).toBeNull()
  })

  test('asking for an unknown code, or the code of somebody hidden, is a 404', async () => {
    const hidden = await buildUser(harness)
    const { referral_code: code } = await accountOf(hidden.email)
    await harness.context.db
      .updateTable('users')
      .set({ deletion_requested_at: harness.clock.now() })
      .where('id', '=', hidden.id)
      .execute()
    for (const asked of ['nobody00', code]) {
      const refusal = await harness.api
        .visitor()
        .call(routes.referrer, { params: { code: asked } })
        .catch((error) => error)
      expect(refusal).toBeInstanceOf(Refused)
      expect(refusal).toMatchObject({ status: 404, code: 'user_not_found' })
    }
  })
})

test('the age confirmed by the visit is carried onto the account', async () => {
  const visitor = harness.api.visitor()
  await visitor.call(routes.confirmAge, {})
  const body = form()
  await visitor.send('POST', '/users/signup', { body })
  expect((await accountOf(body.email)).age_confirmed_at).not.toBeNull()
  const other = await signUp()
  expect((await accountOf(other.email)).age_confirmed_at).toBeNull()
  const forged = form()
  await harness.api
    .visitor()
    .send('POST', '/users/signup', { body: forged, headers: { cookie: 'age=yes~forged' } })
  expect((await accountOf(forged.email)).age_confirmed_at).toBeNull()
})

test('media links follow the new session', async () => {
  const visitor = harness.api.visitor()
  await visitor.send('POST', '/users/signup', { body: form() })
  expect(visitor.cookies.get('media_viewer')).toMatch(/^s\./)
})

test('a body that claims more than its fields changes nothing of them', async () => {
  const claims = {
    role: fc.constantFrom('superadmin', true, 1),
    email_verified_at: fc.constantFrom('2020-01-01T00:00:00.000Z', true),
    verifiedEmail: fc.constant('verified'),
    emailVerified: fc.constant(true),
    unlockedMedia: fc.array(fc.uuid(), { minLength: 1 }),
    age_approved_at: fc.constant('2020-01-01T00:00:00.000Z'),
    ageApproved: fc.constant(true),
    ageConfirmedAt: fc.constant('2020-01-01T00:00:00.000Z'),
    hidden_at: fc.constant('2020-01-01T00:00:00.000Z'),
    referred_by: fc.uuid(),
    referral_code: fc.constant('mine0000'),
    passwordHash: fc.constant('$argon2id$'),
    _id: fc.uuid(),
    id: fc.uuid(),
    __proto__: fc.constant({ role: 'superadmin' }),
  }
  await fc.assert(
    fc.asyncProperty(fc.record(claims, { requiredKeys: [] }), async (claimed) => {
      const { email, token } = await signUp(claimed)
      const account = await accountOf(email)
      expect(account).toMatchObject({
        role: null,
        email_verified_at: null,
        age_approved_at: null,
        age_confirmed_at: null,
        hidden_at: null,
        referred_by: null,
      })
      expect(account.referral_code).not.toBe('mine0000')
      expect(Object.values(claimed)).not.toContain(account.id)
      expect(await harness.api.as({ token }).call(routes.me, {})).toMatchObject({
        role: null,
        unlockedMedia: [],
        verifiedEmail: 'unverified',
      })
    }),
    { numRuns: 25 },
  )
})

test('who said no to being a creator becomes one later, once their email is verified, whom everybody finds', async () => {
  const { token, username } = await signUp()
  await expect(harness.api.as({ token }).call(routes.becomeCreator, {})).rejects.toBeInstanceOf(Refused)
  const fan = await buildFan(harness)
  const [own, stranger] = [harness.api.as(fan), harness.api.as(await buildFan(harness))]
  const found = async () => {
    const { items } = await stranger.call(routes.searchUsers, { query: { filter: fan.username } })
    return items.map((person) => [person._id, person.isCreator])
  }
  const sells = () => own.call(routes.watermark, {})
  await expect(sells()).rejects.toMatchObject({ code: 'creators_only' })
  expect(await found()).toEqual([])
  await own.call(routes.becomeCreator, {})
  await own.call(routes.becomeCreator, {})
  expect(await own.call(routes.me, {})).toMatchObject({ isCreator: true })
  await sells()
  expect(await found()).toEqual([[fan.id, true]])
  expect(await harness.api.as({ token }).call(routes.me, {})).toMatchObject({ username, isCreator: false })
})
