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
  expect(html).toContain('&lt;b&gt;&quot;A lamp&quot;')
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
  expect(html).toContain('value="A &lt;lamp&gt;"')
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

test('a moderator edits rules, flair and requirements, closes the subreddit, and bans', async () => {
  const ann = await forum.connect('Ann_Baker')
  const form = {
    type: 'public',
    rules: 'Be kind: No insults: none.\nNew rule: Lamps only.',
    flair: 'Lamp\nCandle',
    flairRequired: 'yes',
    minLength: '12',
    maxLength: '',
    required: '[OC]',
  }
  expect((await forum.send('/r/Lanterns/moderate', { fields: form })).status).toBe(303)
  expect(await forum.admin('GET', '/subreddits/Lanterns')).toMatchObject({
    rules: [
      { name: 'Be kind', description: 'No insults: none.' },
      { name: 'New rule', description: 'Lamps only.' },
    ],
    flair: [{ text: 'Lamp' }, { text: 'Candle' }],
    requirements: {
      is_flair_required: true,
      title_text_min_length: 12,
      title_text_max_length: null,
      title_required_strings: ['[OC]'],
    },
  })
  const html = await (await forum.send('/r/Lanterns/moderate')).text()
  expect(html).toContain('New rule: Lamps only.')
  await forum.send('/r/Lanterns/moderate', { fields: { username: 'Ann_Baker' } })
  const refused = await ann.submit({ sr: 'Lanterns', title: 'A lamp in the hall [OC]' })
  expect(refused.json.errors[0][0]).toBe('SUBREDDIT_NOTALLOWED_BANNED')
  await forum.send('/r/Lanterns/moderate', { fields: { username: 'Ann_Baker', banned: 'false' } })
  await forum.send('/r/Lanterns/moderate', { fields: { ...form, type: 'private' } })
  expect((await forum.admin('GET', '/subreddits/Lanterns')).type).toBe('private')
  expect((await forum.admin('GET', '/accounts')).items[0].bannedIn).toEqual([])
})

test('scores are set and messages answered on the pages', async () => {
  const ann = await forum.connect('Ann_Baker')
  const { id } = (await ann.submit({ title: 'A lamp' })).json.data
  expect(await (await forum.send('/')).text()).toContain(`/posts/${id}/score`)
  await forum.send(`/admin/posts/${id}/score`, { fields: { score: '321' } })
  expect((await forum.admin('GET', '/posts')).items[0].score).toBe(321)
  await forum.send('/admin/messages', { fields: { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Hello' } })
  const page = await (await forum.send('/messages')).text()
  const parent = /name="parent" value="(t4_[a-z0-9]+)"/.exec(page)?.[1] ?? ''
  await forum.send('/admin/messages?page=messages', {
    fields: { from: 'Ann_Baker', to: 'Sam_Fan', parent, body: 'Welcome' },
  })
  expect(await (await forum.send('/messages')).text()).toContain('re: Hello')
})
