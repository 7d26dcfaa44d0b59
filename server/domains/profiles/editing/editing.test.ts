import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../../contract/errors.ts'
import { routes } from '../../../../contract/index.ts'
import { TooManyWaiting } from '../../../ports/video/port.ts'
import { buildCreator, buildFan, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { emailsTo, leave } from '../../../testing/security.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    environment: {
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
    },
  })
})
afterAll(() => harness?.stop())

const TAKEN = 'Something went wrong. Username and email must be unique across the entire site.'

type Fields = Record<string, string | Blob>

const fieldsOf = (person: Person, changes: Fields = {}): Fields => ({
  id: person.id,
  firstName: 'Ada',
  lastName: 'Byron',
  username: person.username,
  redditUsername: '/u/ada',
  email: person.email,
  ...changes,
})

async function edit(person: Person, fields: Fields): Promise<{ status: number; body: ErrorBody }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = await fetch(`${harness.origin}/api/users/editprofile`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as ErrorBody }
}

const me = (person: Person) => harness.api.as(person).call(routes.me, {})
const picture = async (width: number, height: number) =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: '#884422' } })
        .withExif({ IFD0: { Artist: 'somebody private' } })
        .jpeg()
        .toBuffer(),
    ),
  ])
const storedPictures = (person: Person) =>
  readdir(join(harness.context.config.DATA_DIR, 'media', 'profile', person.id)).catch(() => [])

/** As if the person had just re-authenticated. */
const prove = (person: Person) =>
  harness.context.db
    .updateTable('sessions')
    .set({ reauthenticated_at: harness.clock.now() })
    .where('user_id', '=', person.id)
    .execute()

/** Everything of people and profiles: what a refusal must leave as it was. */
async function rows(): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5((select string_agg(users::text, ',' order by id) from users) ||
      (select string_agg(profiles::text, ',' order by user_id) from profiles)) as hash`.execute(
    harness.context.db,
  )
  return rows[0]?.hash ?? ''
}

describe('an edit', () => {
  test('changes every field, and says so', async () => {
    const creator = await buildCreator(harness)
    const username = `new.${creator.username}`
    const links = JSON.stringify([{ text: 'Shop', link: 'https://example.test/a' }])
    const { status, body } = await edit(
      creator,
      fieldsOf(creator, { username, bio: 'Hello\nyou', menu: 'Prints', limits: 'None', links }),
    )
    expect([status, body]).toEqual([
      200,
      { message: 'Your profile has been updated!', verifiedEmail: 'verified' },
    ])
    const shown = await me(creator)
    expect(shown).toMatchObject({
      firstName: 'Ada',
      lastName: 'Byron',
      username,
      redditUsername: 'ada',
      bio: 'Hello\nyou',
      menu: 'Prints',
      limits: 'None',
      links: [{ text: 'Shop', link: 'https://example.test/a' }],
    })
    expect(shown.links[0]?._id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('leaves what is not sent, and is open to people whose email is not confirmed', async () => {
    const person = await buildUser(harness, { verified: false })
    await edit(person, fieldsOf(person, { bio: 'First' }))
    expect((await edit(person, fieldsOf(person))).status).toBe(200)
    expect((await me(person)).bio).toBe('First')
    const before = await me(person)
    expect((await edit(person, {})).status).toBe(200)
    expect(await me(person)).toEqual(before)
    expect((await edit(person, { firstName: 'Grace' })).status).toBe(200)
    expect(await me(person)).toEqual({ ...before, firstName: 'Grace' })
  })

  test('crops pictures to 1:1 and 4:1 without metadata; a new one replaces the old', async () => {
    const fan = await buildFan(harness, { discoverable: true })
    const first = await edit(
      fan,
      fieldsOf(fan, {
        profileImage: await picture(900, 300),
        profileHeroImage: await picture(300, 900),
      }),
    )
    expect(first.status).toBe(200)
    const shown = await me(fan)
    const sizes: [string | null, number, number][] = [
      [shown.profileImage, 384, 384],
      [shown.profileHeroImage, 1560, 390],
    ]
    for (const [address, width, height] of sizes) {
      const response = await harness.api.visitor().fetch(address ?? '')
      expect(response.headers.get('content-type')).toBe('image/webp')
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'webp' })
      expect(bytes.includes('somebody private')).toBe(false)
    }
    expect(await storedPictures(fan)).toHaveLength(2)
    await edit(fan, fieldsOf(fan, { profileImage: await picture(64, 64) }))
    const after = await me(fan)
    expect(after.profileImage).not.toBe(shown.profileImage)
    expect(after.profileHeroImage).toBe(shown.profileHeroImage)
    expect(await storedPictures(fan)).toHaveLength(2)
    expect((await harness.api.visitor().fetch(shown.profileImage ?? '')).status).toBe(404)
  })

  test('of the email address asks for a confirmation once and tells the present one', async () => {
    const fan = await buildFan(harness)
    await prove(fan)
    const email = `moved.${fan.email}`
    const { body } = await edit(fan, fieldsOf(fan, { email: email.toUpperCase() }))
    expect(body).toMatchObject({ verifiedEmail: 'unverified' })
    expect(await me(fan)).toMatchObject({ email: fan.email, pendingEmail: email, verifiedEmail: 'verified' })
    // Saving the form again asks for nothing new.
    await edit(fan, fieldsOf(fan, { email }))
    await harness.runJobs()
    const mails = async (to: string) => {
      const response = await fetch(
        `${harness.sandboxOrigin}/sandbox/mail/messages?to=${encodeURIComponent(to)}`,
      )
      return ((await response.json()) as { items: { subject: string }[] }).items.map(({ subject }) => subject)
    }
    expect(await mails(email)).toEqual([expect.stringContaining('Verify your email')])
    expect(await mails(fan.email)).toEqual([expect.stringContaining('Your email is about to change')])
  })

  const links = (...given: unknown[]) => ({ links: JSON.stringify(given) })
  test.each<[what: string, status: number, code: string, changes: Fields]>([
    ['without a first name', 400, 'invalid_input', { firstName: ' ' }],
    ['without a username', 400, 'invalid_input', { username: '' }],
    ['without a forum username', 400, 'invalid_input', { redditUsername: '/u/' }],
    ['with a wrong email address', 400, 'invalid_input', { email: 'nobody' }],
    ['in another’s name', 403, 'not_yourself', { id: '01890000-0000-7000-8000-000000000000' }],
    [
      'of the email address without a factor',
      403,
      'reauthentication_required',
      { email: 'moved@example.test' },
    ],
    ['of the menu by a fan', 403, 'creators_only', { menu: 'Prints' }],
    ['of the limits by a fan', 403, 'creators_only', { limits: 'None' }],
    ['with links that are no JSON', 400, 'invalid_input', { links: '[' }],
    ['with a link without text', 400, 'invalid_input', links({ text: '', link: 'https://a.test' })],
    ['with a link without address', 400, 'invalid_input', links({ text: 'a', link: '' })],
    ['with a script as link', 400, 'invalid_input', links({ text: 'a', link: 'javascript:alert(1)' })],
    ['with hidden script', 400, 'invalid_input', links({ text: 'a', link: ' java\tscript:alert(1)' })],
    ['with data as link', 400, 'invalid_input', links({ text: 'a', link: 'data:text/html,a' })],
    ['with a link to another scheme', 400, 'invalid_input', links({ text: 'a', link: '//a.test' })],
    [
      'with eleven links',
      400,
      'invalid_input',
      links(...Array.from({ length: 11 }, () => ({ text: 'a', link: 'https://a.test' }))),
    ],
    ['with a page as picture', 400, 'media_type_unsupported', { profileImage: new Blob(['<html>']) }],
    ['with an empty picture', 400, 'media_empty', { profileImage: new File([], 'a.png') }],
    [
      'with a picture of 11 MB',
      413,
      'upload_too_large',
      { profileImage: new Blob([new Uint8Array(11 * 1024 ** 2)]) },
    ],
    [
      'with three files',
      413,
      'body_too_large',
      { profileImage: new Blob(['a']), profileHeroImage: new Blob(['b']), other: new Blob(['c']) },
    ],
  ])('%s is refused and changes nothing', async (_what, status, code, changes) => {
    const fan = await buildFan(harness)
    const before = await rows()
    const answer = await edit(fan, fieldsOf(fan, changes))
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await rows()).toBe(before)
    expect(await storedPictures(fan)).toEqual([])
  })

  test('while pictures of the same person are being cut, or too many wait, has to come again', async () => {
    const [fan, other] = [await buildFan(harness), await buildFan(harness)]
    const pictured = async (person: Person) => fieldsOf(person, { profileImage: await picture(64, 64) })
    const { processor } = harness.context
    const answers: [number, string | undefined][] = []
    const ask = async (person: Person) => {
      const { status, body } = await edit(person, await pictured(person))
      answers.push([status, body.code])
    }
    harness.context.processor = {
      ...processor,
      async crop(input) {
        harness.context.processor = {
          ...processor,
          crop: () => Promise.reject(new TooManyWaiting()),
        }
        await ask(fan)
        await ask(other)
        return processor.crop(input)
      },
    }
    try {
      await ask(fan)
    } finally {
      harness.context.processor = processor
    }
    await ask(fan)
    const busy = [429, 'rate_limited']
    expect(answers).toEqual([busy, busy, [200, undefined], [200, undefined]])
    expect(await storedPictures(other)).toEqual([])
  })

  test('to a taken username is refused, and keeps no picture', async () => {
    const [fan, other] = [await buildFan(harness), await buildFan(harness)]
    const before = await rows()
    const profileImage = await picture(64, 64)
    const taken = fieldsOf(fan, { username: other.username.toUpperCase(), profileImage })
    const { status, body } = await edit(fan, taken)
    expect([status, body]).toEqual([409, { error: TAKEN, code: 'profile_taken' }])
    expect(await rows()).toBe(before)
    expect(await storedPictures(fan)).toEqual([])
  })

  test('to a taken email address is answered as any other, and only its holder hears of it', async () => {
    const [fan, other] = [await buildFan(harness), await buildFan(harness)]
    await prove(fan)
    const { status, body } = await edit(fan, fieldsOf(fan, { email: other.email.toUpperCase() }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ verifiedEmail: 'unverified' })
    expect(await me(fan)).toMatchObject({ email: fan.email, pendingEmail: other.email })
    expect((await emailsTo(harness, other.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Someone tried to use your email'),
    ])
  })

  test('by ten people at once to the same username succeeds for one', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => buildFan(harness)))
    const answers = await Promise.all(
      people.map((person) => edit(person, fieldsOf(person, { username: 'the.same' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('carries nothing else in, whatever else is sent', async () => {
    const fan = await buildFan(harness)
    await edit(fan, fieldsOf(fan))
    const columns = Object.keys(
      await harness.context.db
        .selectFrom('users')
        .innerJoin('profiles', 'profiles.user_id', 'users.id')
        .selectAll()
        .where('users.id', '=', fan.id)
        .executeTakeFirstOrThrow(),
    )
    const spelled = columns.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
    const names = [
      ...new Set([...columns, ...spelled, 'unlockedMedia', 'verifiedEmail', 'price', '__proto__']),
    ]
    const known = Object.keys(fieldsOf(fan)).concat('bio', 'menu', 'limits', 'links', 'recognizable')
    const before = await rows()
    const stranger = fc.constantFrom(...names.filter((name) => !known.includes(name)))
    const value = fc.constantFrom('true', 'superadmin', '2026-01-01T00:00:00Z', '1', fan.id, 'x.webp')
    await fc.assert(
      fc.asyncProperty(fc.dictionary(stranger, value, { minKeys: 1, maxKeys: 10 }), async (extra) => {
        const { status } = await edit(fan, { ...fieldsOf(fan), ...extra })
        expect([200, 400]).toContain(status)
        expect(await rows()).toBe(before)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a picture of a profile', () => {
  const atPlace = (country: string) => ({ 'x-country': country })
  /** The answer to a browser with this person's cookie, or without one. */
  async function answered(address: string, person?: Person, headers: Record<string, string> = {}) {
    const api = person ? harness.api.as(person) : harness.api.visitor()
    if (person) await api.call(routes.me, {})
    const response = await api.fetch(address, { headers })
    await response.arrayBuffer()
    return response
  }
  async function pictured(person: Person): Promise<string> {
    await edit(person, fieldsOf(person, { profileImage: await picture(40, 40) }))
    return (await me(person)).profileImage ?? ''
  }
  const statusOf = async (...request: Parameters<typeof answered>) => (await answered(...request)).status

  test('is there where the profile is, and for those for whom it is', async () => {
    const [creator, fan, blocked] = [
      await buildCreator(harness),
      await buildFan(harness),
      await buildFan(harness),
    ]
    const address = await pictured(creator)
    // A crawler for link previews has neither cookie nor place.
    for (const place of [{}, atPlace('US'), atPlace('DE')])
      expect(await statusOf(address, undefined, place)).toBe(200)
    const own = harness.api.as(creator)
    await own.call(routes.block, { body: { blockedId: blocked.id } })
    await own.call(routes.setGeoBlock, { body: { countries: ['DE'], states: [] } })
    const german = await answered(address, undefined, atPlace('DE'))
    expect([german.status, german.headers.get('cache-control')]).toEqual([404, 'private, no-store'])
    expect(await statusOf(address, fan, atPlace('DE'))).toBe(404)
    expect(await statusOf(address, blocked)).toBe(404)
    expect(await statusOf(address, creator, atPlace('DE'))).toBe(200)
    for (const place of [{}, atPlace('US')]) {
      expect(await statusOf(address, undefined, place)).toBe(200)
      expect(await statusOf(address, fan, place)).toBe(200)
    }
  })

  test('is kept by the browser for minutes, then asked about and not sent again; gone with the profile', async () => {
    const creator = await buildCreator(harness)
    const address = await pictured(creator)
    const first = await answered(address)
    expect(first.headers.get('cache-control')).toBe('private, max-age=300')
    const kept = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect(await statusOf(address, undefined, kept)).toBe(304)
    expect(await statusOf(address, undefined, { 'if-none-match': '"another.webp"' })).toBe(200)
    await leave(harness, creator)
    expect(await statusOf(address, undefined, kept)).toBe(404)
  })
})
