import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../testing/api.ts'
import { buildCreator, buildFan, buildMedia, type Person } from '../testing/builders.ts'
import { type Harness, startHarness } from '../testing/harness.ts'

let harness: Harness
let creator: Person
let path: string
let list: string
let open: string
let locked: string
beforeAll(async () => {
  harness = await startHarness({
    environment: {
      GEO_REGION_HEADER: 'x-region',
      GEO_COUNTRY_HEADER: 'x-country',
      TRUST_PROXY: '127.0.0.1',
      SANDBOX_TOKEN: 'only the operator knows',
    },
  })
  creator = await buildCreator(harness)
  path = `/users/${creator.username}`
  list = `/api/media/profile?creatorId=${creator.id}`
  open = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
  locked = await buildMedia(harness, creator)
})
afterAll(() => harness?.stop())

const ALWAYS = ['/api/config', '/api/users/age-verified']

const ENTITIES: Record<string, string> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' }

/** A page's initial data, by address. */
async function answersOf(api: Api, page: string, init?: RequestInit): Promise<Record<string, unknown>> {
  const html = await (await api.fetch(page, init)).text()
  const [, json = ''] = /<template id="initial-data">(.*?)<\/template>/s.exec(html) ?? []
  const text = json.replace(/&(quot|lt|gt|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
  return JSON.parse(text) as Record<string, unknown>
}

async function ofAge(): Promise<Api> {
  const api = harness.api.visitor()
  await api.send('POST', '/users/age-verified', { body: {} })
  return api
}

type List = { items: { _id: string; locked?: boolean; url?: string }[] }

describe('the document of a page', () => {
  test('brings what its script asks for first, as the calls themselves answer', async () => {
    const api = await ofAge()
    const answers = await answersOf(api, path)
    expect(Object.keys(answers).toSorted()).toEqual(
      [
        ...ALWAYS,
        `/api/users/u/${creator.username}`,
        list,
        `/api/users/subscriptions?userId=${creator.id}`,
      ].toSorted(),
    )
    for (const [address, answer] of Object.entries(answers).filter(([address]) => address !== list))
      expect(answer, address).toEqual((await api.send('GET', address.slice(4))).body)
    expect(itemsOf(answers)).toEqual([
      { _id: locked, locked: true },
      { _id: open, locked: false },
    ])
  })

  test('gives its browser the cookie that its links are bound to, and the links open for nobody else', async () => {
    const api = harness.api.visitor()
    const age = (await ofAge()).cookies.get('age') ?? ''
    api.cookies.set('age', age)
    const [, item] = ((await answersOf(api, path))[list] as List).items
    expect((await api.fetch(item?.url ?? '')).status).toBe(200)
    expect((await (await ofAge()).fetch(item?.url ?? '')).status).toBe(403)
  })

  test('holds no content for somebody who has not said their age, or is where content is withheld', async () => {
    const location = '/api/users/location'
    expect(Object.keys(await answersOf(harness.api.visitor(), path))).toEqual([...ALWAYS, location])
    const headers = { 'x-country': 'US', 'x-region': 'Texas' }
    const restricted = await answersOf(await ofAge(), path, { headers })
    expect(Object.keys(restricted)).toEqual([...ALWAYS, location])
    expect(restricted[location]).toMatchObject({ region: 'Texas', restricted: true })
  })

  test('gives a browser whose session ended a visit of its own, with links that open', async () => {
    const person = await buildFan(harness)
    const api = harness.api.as(person)
    await api.send('GET', '/auth/me')
    await harness.context.db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    const visitor = await ofAge()
    visitor.cookies.set('media_viewer', api.cookies.get('media_viewer') ?? '')
    const { body } = await visitor.send('GET', list.slice(4))
    const [, item] = (body as List).items
    expect((await visitor.fetch(item?.url ?? '')).status).toBe(200)
    expect(Object.keys(await answersOf(visitor, path))).toContain(list)
  })

  test('is answered to HEAD as to GET, without a body', async () => {
    for (const page of [path, '/', '/robots.txt']) {
      const { status, headers } = await fetch(harness.origin + page, { method: 'HEAD' })
      expect([page, status]).toEqual([page, 200])
      expect(headers.get('content-type')).toMatch(/^text\//)
    }
    expect((await fetch(`${harness.origin}/nothing-here`, { method: 'HEAD' })).status).toBe(404)
  })

  test('holds nothing for a browser that somebody is logged in with, whose token it does not know', async () => {
    const api = harness.api.as(creator)
    await api.send('GET', '/auth/me')
    expect(await answersOf(api, path)).toEqual({})
  })

  test.each([
    ['/users/nobody-of-this-name', 200],
    ['/media/none', 200],
    ['/login', 200],
    ['/nothing-here', 404],
    ['/users/%E0%A4%A', 400],
  ])('of %s holds no content', async (page, status) => {
    const response = await (await ofAge()).fetch(page)
    expect(response.status).toBe(status)
    expect(await response.text()).not.toMatch(/"items"|"username"/)
  })

  test('can’t be ended by what people write', async () => {
    const bio = '</template><script>alert(1)</script><!-- &quot;'
    await harness.context.db.updateTable('profiles').set({ bio }).where('user_id', '=', creator.id).execute()
    const api = await ofAge()
    const html = await (await api.fetch(path)).text()
    expect(html.split('id="initial-data"')[1]?.match(/<[^ >]*/g)).toEqual(['</template', '</body'])
    expect((await answersOf(api, path))[`/api/users/u/${creator.username}`]).toMatchObject({ bio })
  })
})

function itemsOf(answers: Record<string, unknown>) {
  return (answers[list] as List).items.map(({ _id, locked = false }) => ({ _id, locked }))
}
