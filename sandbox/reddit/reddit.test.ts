import { afterEach, beforeEach, expect, test } from 'vitest'
import { startForum, type TestForum } from './testing.ts'

let forum: TestForum
let ann: Awaited<ReturnType<TestForum['connect']>>
beforeEach(async () => {
  forum = await startForum()
  ann = await forum.connect('Ann_Baker')
})
afterEach(() => forum.close())

type Wire = { data: Record<string, unknown> }
const errorsOf = async (fields: Record<string, string>) =>
  (await ann.submit(fields)).json.errors.map(([code, , field]: string[]) => [code, field])
const names = (listing: { data: { children: Wire[] } }) => listing.data.children.map(({ data }) => data.name)

test('every spelling of a path and of a name is the same call', async () => {
  for (const path of ['/r/Gardens/about', '/r/gardens/about/', '/r/GARDENS/about.json'])
    expect((await ann.get(path)).data.display_name).toBe('Gardens')
})

test.each([
  ['QuietCorner', 403, 'private'],
  ['OldMill', 404, 'banned'],
])('%s answers %i', async (name, status, reason) => {
  const response = await ann.raw(`/r/${name}/about`)
  expect([response.status, (await response.json()).reason]).toEqual([status, reason])
})

test('an unknown subreddit leads to the search', async () => {
  const response = await ann.raw('/r/NotThereAtAll/about')
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toContain('/subreddits/search?q=NotThereAtAll')
})

test('flair is a bare array, or 403 where nobody may choose', async () => {
  expect(await ann.get('/r/Gardens/api/link_flair_v2')).toHaveLength(4)
  expect((await ann.raw('/r/PaperBoats/api/link_flair_v2')).status).toBe(403)
})

test('a walk through the search ends with a null, and meets each name once', async () => {
  const seen: unknown[] = []
  let after = ''
  do {
    const page = await ann.get(`/subreddits/search?q=gardens&limit=5&after=${after}`)
    seen.push(...names(page))
    after = page.data.after ?? ''
  } while (after !== '')
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThan(10)
})

test('a private subreddit shows little in lists', async () => {
  const { data } = await ann.get('/api/info?sr_name=QuietCorner')
  expect(data.children[0].data).toMatchObject({ subreddit_type: 'private', subscribers: null, over18: null })
})

test('posts of a private subreddit are shown to its members and to who made them alone', async () => {
  const bob = await forum.connect('Bob_Miller')
  await forum.admin('POST', '/accounts/Ann_Baker', { contributesTo: ['QuietCorner'] })
  const { json } = await ann.submit({ sr: 'QuietCorner' })
  const { id, name } = json.data
  const lists = [`/api/info?id=${name}`, `/by_id/${name}`, '/user/Ann_Baker/submitted']
  for (const path of lists) {
    expect(names(await ann.get(path))).toEqual([name])
    expect(names(await bob.get(path))).toEqual([])
  }
  expect((await ann.raw(`/comments/${id}`)).status).toBe(200)
  expect((await bob.raw(`/comments/${id}`)).status).toBe(403)
  await forum.admin('POST', '/accounts/Bob_Miller', { moderates: ['QuietCorner'] })
  expect(names(await bob.get(lists[0] ?? ''))).toEqual([name])
})

test('text comes escaped unless raw_json asks for it as it is', async () => {
  await ann.submit({ title: 'Lamps & <lights>' })
  const title = async (query: string) =>
    (await ann.get(`/user/Ann_Baker/submitted${query}`)).data.children[0].data.title
  expect(await title('')).toBe('Lamps &amp; &lt;lights&gt;')
  expect(await title('?raw_json=1')).toBe('Lamps & <lights>')
})

test.each([
  ['no title', { title: ' ' }, [['NO_TEXT', 'title']]],
  ['no subreddit of this name', { sr: 'NotThereAtAll' }, [['SUBREDDIT_NOEXIST', 'sr']]],
  ['text where only links go', { sr: 'Ceramics' }, [['NO_SELFS', 'sr']]],
  [
    'a link where only text goes',
    { sr: 'SlowBread', kind: 'link', url: 'https://a.example/1' },
    [['NO_LINKS', 'sr']],
  ],
  ['a private subreddit', { sr: 'QuietCorner' }, [['SUBREDDIT_NOTALLOWED', 'sr']]],
  ['native media', { sr: 'Lanterns', kind: 'image' }, [['SUBREDDIT_NOTALLOWED', 'sr']]],
  ['no link', { kind: 'link' }, [['NO_URL', 'url']]],
  [
    'another domain',
    { sr: 'Ceramics', kind: 'link', url: 'https://redgifs.com.example/a' },
    [['SUBMIT_VALIDATION_LINK_WHITELIST', 'link']],
  ],
  [
    'all requirements at once',
    { sr: 'Gardens', title: 'free trial' },
    [
      ['SUBMIT_VALIDATION_FLAIR_REQUIRED', 'flair'],
      ['SUBMIT_VALIDATION_TITLE_BLACKLISTED_STRING', 'title'],
      ['SUBMIT_VALIDATION_TITLE_REQUIREMENT', 'title'],
    ],
  ],
])('a submission is refused: %s', async (_name, fields, errors) => {
  expect(await errorsOf(fields)).toEqual(errors)
  expect((await forum.admin('GET', '/posts')).items).toEqual([])
})

test('requirement errors come with status 400 when the switch says so', async () => {
  await forum.admin('POST', '/limits', { requirementErrors: 'status' })
  const response = await ann.raw('/api/submit', {
    api_type: 'json',
    sr: 'Gardens',
    kind: 'self',
    title: 'short',
  })
  expect([response.status, (await response.json()).reason]).toEqual([400, 'SUBMIT_VALIDATION_FLAIR_REQUIRED'])
})

test('a link may be one to this machine, and is one', async () => {
  const kind = 'link'
  expect(await errorsOf({ kind, url: 'http://localhost:4000/media/lake' })).toEqual([])
  expect(await errorsOf({ kind, url: 'http://lake/media' })).toEqual([['BAD_URL', 'url']])
})

test('a link goes once, with resubmit again, but not within the days of reposts', async () => {
  const link = { kind: 'link', url: 'https://www.redgifs.com/watch/slowcat' }
  expect(await errorsOf(link)).toEqual([])
  expect(await errorsOf(link)).toEqual([['ALREADY_SUB', 'url']])
  expect(await errorsOf({ ...link, resubmit: 'True' })).toEqual([])
  const ceramics = { ...link, sr: 'Ceramics', resubmit: '1' }
  expect(await errorsOf(ceramics)).toEqual([])
  expect(await errorsOf(ceramics)).toEqual([['SUBMIT_VALIDATION_REPOST', 'link']])
  forum.advance(30 * 86_400)
  const later = await forum.connect('Ann_Baker')
  expect((await later.submit(ceramics)).json.errors).toEqual([])
})

test('flair, banned accounts and accounts in time-out', async () => {
  const [flair] = await ann.get('/r/Gardens/api/link_flair_v2')
  const post = { sr: 'Gardens', title: 'Roses in the morning [OC]' }
  expect(await errorsOf({ ...post, flair_id: flair.id })).toEqual([])
  expect(await errorsOf({ ...post, flair_id: 'nothing' })).toEqual([['BAD_FLAIR_TEMPLATE_ID', 'flair']])
  await forum.admin('POST', '/accounts/Ann_Baker', { bannedIn: ['Gardens'] })
  expect(await errorsOf(post)).toEqual([['SUBREDDIT_NOTALLOWED_BANNED', 'sr']])
  await forum.admin('POST', '/accounts/Ann_Baker', { suspended: true })
  expect(await errorsOf(post)).toEqual([['IN_TIMEOUT', null]])
})

test('a young account waits between posts', async () => {
  await forum.admin('POST', '/accounts/Ann_Baker', { ageDays: 3 })
  expect(await errorsOf({})).toEqual([])
  forum.advance(60)
  const { json } = await ann.submit({})
  expect(json).toMatchObject({
    ratelimit: 540,
    errors: [['RATELIMIT', expect.stringMatching(/9 minutes/), 'ratelimit']],
  })
  forum.advance(540)
  expect(await errorsOf({})).toEqual([])
})

test('a post is removed in silence, approved, edited and deleted', async () => {
  const { id, name } = (await ann.submit({ title: 'A lamp [remove]' })).json.data
  const read = async () => (await ann.get(`/api/info?id=${name}`)).data.children[0].data
  expect((await read()).removed_by_category).toBeNull()
  forum.advance(60)
  expect(await read()).toMatchObject({ removed_by_category: 'automod_filtered', is_robot_indexable: false })
  await forum.admin('POST', `/posts/${id}/approve`, {})
  expect((await read()).removed_by_category).toBeNull()
  await ann.post('/api/editusertext', { thing_id: name, text: 'Better' })
  expect((await read()).selftext).toBe('Better')
  expect(await ann.post('/api/del', { id: name })).toEqual({})
  expect(await read()).toMatchObject({ author: '[deleted]', removed_by_category: 'deleted' })
})

test('a score grows with the clock', async () => {
  const { id } = (await ann.submit({})).json.data
  const score = async () => (await ann.get(`/comments/${id}`))[0].data.children[0].data.score
  const first = await score()
  forum.advance(43_200)
  expect(await score()).toBeGreaterThan(first)
})

test('the inbox mixes messages and comments; a reply joins the thread', async () => {
  const post = (await ann.submit({})).json.data.name
  const message = await forum.admin('POST', '/messages', { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Hello' })
  forum.advance(1)
  const comment = await forum.admin('POST', '/comments', { from: 'Sam_Fan', parent: post, body: 'Nice' })
  expect(names(await ann.get('/message/inbox'))).toEqual([comment.name, message.name])
  const reply = await ann.post('/api/comment', { thing_id: message.name, text: 'Thanks' })
  expect(reply.json.data.things[0].data).toMatchObject({ parent_id: message.name, subject: 're: Hello' })
  const threads = await ann.get('/message/messages')
  expect(threads.data.children[0].data.replies.data.children).toHaveLength(1)
  const sam = await forum.connect('Sam_Fan')
  expect(names(await sam.get('/message/unread'))).toEqual([reply.json.data.things[0].data.name])
})

test('deleting hides on one side, and a block keeps later messages out', async () => {
  const { name } = await forum.admin('POST', '/messages', { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Hello' })
  const sam = await forum.connect('Sam_Fan')
  expect(await ann.post('/api/block', { id: name })).toEqual({})
  expect(await ann.post('/api/del_msg', { id: name })).toEqual({})
  expect(names(await ann.get('/message/inbox'))).toEqual([])
  expect(names(await sam.get('/message/sent'))).toEqual([name])
  await forum.admin('POST', '/messages', { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Again' })
  expect(names(await ann.get('/message/inbox'))).toEqual([])
})

test('what the move to chat changed can be switched on', async () => {
  const { name } = await forum.admin('POST', '/messages', { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Hello' })
  await forum.admin('POST', '/limits', { messagesMoved: 'on', placeholderReplies: 'on' })
  expect((await ann.raw('/message/messages')).status).toBe(302)
  const { json } = await ann.post('/api/comment', { thing_id: name, text: 'Thanks' })
  expect(json.data.things[0].data).toMatchObject({ id: 'zzzzzzzzzzzz', dest: 'Ann_Baker' })
})

test('the budget is shared by all accounts, and full again after ten minutes', async () => {
  await forum.admin('POST', '/limits', { budget: 2 })
  const sam = await forum.connect('Sam_Fan')
  expect((await ann.raw('/api/v1/me')).headers.get('x-ratelimit-remaining')).toBe('1.0')
  expect((await sam.raw('/api/v1/me')).headers.get('x-ratelimit-reset')).toBe('600')
  expect((await ann.raw('/api/v1/me')).status).toBe(429)
  forum.advance(600)
  expect((await ann.raw('/api/v1/me')).status).toBe(200)
})

test.each([
  ['status', 503, 0],
  ['statusAfter', 503, 1],
  ['html', 502, 0],
  ['tooMany', 429, 0],
])('a fault of kind %s', async (kind, status, posts) => {
  await forum.admin('POST', '/faults', { kind, status, path: '/api/submit', account: 'Ann_Baker' })
  const fields = { api_type: 'json', sr: 'Lanterns', kind: 'self', title: 'A lamp' }
  expect((await ann.raw('/api/submit', fields)).status).toBe(status)
  expect((await forum.admin('GET', '/posts')).items).toHaveLength(posts)
  expect((await ann.raw('/api/submit', fields)).status).toBe(200)
  expect((await forum.admin('GET', '/requests?path=/api/submit')).count).toBe(2)
})

test.each([
  ['/api/submit', 'DOMAIN_BANNED'],
  ['/api/submit', 'SUBREDDIT_RATELIMIT'],
  ['/api/submit', 'BAD_CAPTCHA'],
  ['/api/submit', 'POST_GUIDANCE_VALIDATION_FAILED'],
  ['/api/comment', 'THREAD_LOCKED'],
  ['/api/compose', 'RESTRICTED_TO_PM'],
])('%s can refuse with %s, in both shapes', async (path, code) => {
  const fault = { kind: 'refuse', path, code, message: 'Not here.' }
  await forum.admin('POST', '/faults', fault)
  const fields = { sr: 'Lanterns', kind: 'self', title: 'A lamp' }
  expect(await ann.post(path, fields)).toEqual({ json: { errors: [[code, 'Not here.', null]] } })
  await forum.admin('POST', '/faults', { ...fault, status: 400 })
  const raw = await ann.raw(path, { api_type: 'json', ...fields })
  expect([raw.status, await raw.json()]).toMatchObject([400, { reason: code, explanation: 'Not here.' }])
  expect((await forum.admin('GET', '/posts')).items).toEqual([])
})

test('a dropped connection, half an answer, and faults that are cleared', async () => {
  await forum.admin('POST', '/faults', { kind: 'drop', times: null })
  await expect(ann.raw('/api/v1/me')).rejects.toThrow()
  await forum.admin('DELETE', '/faults')
  await forum.admin('POST', '/faults', { kind: 'malformed' })
  await expect(ann.get('/api/v1/me')).rejects.toThrow(SyntaxError)
  expect((await ann.get('/api/v1/me')).name).toBe('Ann_Baker')
})

test('a library that does not say who it is gets turned away', async () => {
  const response = await forum.send('/api/v1/me', { headers: { 'user-agent': 'python-requests/2.32' } })
  expect(response.status).toBe(429)
})
