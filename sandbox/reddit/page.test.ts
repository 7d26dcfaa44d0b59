import { afterEach, beforeEach, expect, test } from 'vitest'
import { startForum, type TestForum } from './testing.ts'

let forum: TestForum
beforeEach(async () => {
  forum = await startForum()
})
afterEach(() => forum.close())

test.each(['', 'subreddits', 'accounts', 'messages', 'faults'])(
  'the page /%s is there, without script',
  async (tab) => {
    const response = await forum.send(`/${tab}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).toContain('aria-current="page"')
  },
)

test('what people write stays text, and a button acts and comes back', async () => {
  const ann = await forum.connect('Ann_Baker')
  const { id } = (await ann.submit({ title: '<b>"A lamp"' })).json.data
  const html = await (await forum.send('/')).text()
  expect(html).toContain('&#60;b&#62;&#34;A lamp&#34;')
  expect(html).not.toContain('<b>')
  const response = await forum.send(`/admin/posts/${id}/remove`, { fields: {} })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/sandbox/reddit/'])
  expect((await forum.admin('GET', '/posts')).items[0].removal).toBe('moderator')
})

test('the forms for faults, limits and messages are understood', async () => {
  const fault = { kind: 'html', path: '', account: '', status: '502', delayMilliseconds: '0', times: '' }
  for (const [path, fields] of [
    ['faults?page=faults', fault],
    ['limits?page=faults', { budget: '5', postingSeconds: '9', requirementErrors: 'status' }],
    ['messages?page=messages', { from: 'Sam_Fan', to: 'Ann_Baker', subject: 'Hello', body: 'Hi' }],
  ] as const)
    expect((await forum.send(`/admin/${path}`, { fields })).status).toBe(303)
  expect((await forum.admin('GET', '/faults')).items).toMatchObject([
    { kind: 'html', path: null, times: null },
  ])
  expect(await forum.admin('GET', '/limits')).toMatchObject({ budget: 5, requirementErrors: 'status' })
})

test.each([
  ['/posts/nothing/remove', {}, 404],
  ['/subreddits/Gardens', { color: 'red' }, 400],
  ['/faults', { kind: 'fire' }, 400],
])('the admin endpoint refuses %s', async (path, body, status) => {
  const response = await fetch(`${forum.base}/admin${path}`, { method: 'POST', body: JSON.stringify(body) })
  expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String) }])
})

test('a post is made by hand on a page that its address fills in, refused with the reason, and shown to people', async () => {
  const query = new URLSearchParams({ type: 'LINK', title: 'A <lamp>', url: 'https://example.test/lamp' })
  const html = await (await forum.send(`/r/Lanterns/submit?${query}`)).text()
  expect(html).toContain('value="A &#60;lamp&#62;"')
  const fields = { username: 'Ann_Baker', title: 'A <lamp>', url: 'https://example.test/lamp' }
  const response = await forum.send('/r/Lanterns/submit', { fields })
  expect(response.status).toBe(303)
  const path = response.headers.get('location')?.replace('/sandbox/reddit', '') ?? ''
  const post = await (await forum.send(path)).text()
  expect(post).toContain('Posted in r/Lanterns by Ann_Baker')
  expect(post).not.toContain('<lamp>')
  const again = await (await forum.send('/r/Lanterns/submit', { fields })).text()
  expect(again).toContain('ALREADY_SUB')
  expect((await forum.admin('GET', '/posts')).items).toHaveLength(1)
})
