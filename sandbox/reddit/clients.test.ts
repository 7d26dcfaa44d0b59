import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AGENT, CLIENT, REDIRECT, startForum, type TestForum } from './testing.ts'

/** As much of snoowrap as is used here: its own types name promises that TypeScript can't await. */
type Snoo = {
  refreshToken: string
  getMe(): Promise<{ name: string }>
  getSubreddit(name: string): {
    fetch(): Promise<{ display_name: string; subscribers: number }>
    getRules(): Promise<{ rules: { short_name: string }[] }>
    getLinkFlairTemplates(): Promise<{ flair_template_id: string }[]>
  }
  searchSubreddits(options: { query: string; limit: number }): Promise<{ display_name: string }[]>
  submitSelfpost(post: object): Promise<{ name: string }>
  submitLink(post: object): Promise<{ name: string }>
  getUser(name: string): { fetch(): Promise<{ name: string; link_karma: number }> }
  getSubmission(id: string): { fetch(): Promise<{ title: string }>; delete(): Promise<unknown> }
  getContentByIds(ids: string[]): Promise<{ author: { name: string } }[]>
  getInbox(options: object): Promise<Message[]>
  getUnreadMessages(): Promise<Message[]>
  revokeRefreshToken(): Promise<unknown>
}
type Message = {
  name: string
  body: string
  reply(text: string): Promise<{ parent_id: string }>
  deleteFromInbox(): Promise<unknown>
  blockAuthor(): Promise<unknown>
}
type RawRequest = (options: { baseUrl: string }) => unknown
type SnooClass = {
  prototype: { rawRequest: RawRequest }
  fromAuthCode(options: object): Promise<Snoo>
}
/** As much of snoots. */
type Snoots = {
  me: { fetch(): Promise<{ name: string }> }
  subreddits: {
    fetch(name: string): Promise<{ name: string; subscribers: number }>
    postText(name: string, title: string, body: string): Promise<string>
  }
  posts: { fetch(id: string): Promise<{ title: string; score: number }>; delete(id: string): Promise<void> }
}
type SnootsClass = {
  fromAuthCode(options: object, code: string, redirectUri: string): Promise<Snoots>
}
type BuildOptions = (query: object) => Promise<{ prefixUrl: string }>

const require = createRequire(import.meta.url)
const SnooClient: SnooClass = require('snoowrap')
const { Client: SnootsClient }: { Client: SnootsClass } = require('snoots')
const {
  Gateway,
}: { Gateway: { prototype: { buildOptions: BuildOptions } } } = require('snoots/dist/gateway/gateway.js')

const { rawRequest } = SnooClient.prototype
const { buildOptions } = Gateway.prototype
let forum: TestForum

beforeAll(async () => {
  forum = await startForum()
  SnooClient.prototype.rawRequest = function (options) {
    return rawRequest.call(this, { ...options, baseUrl: forum.base })
  }
  Gateway.prototype.buildOptions = async function (query) {
    return { ...(await buildOptions.call(this, query)), prefixUrl: forum.base }
  }
})
afterAll(async () => {
  SnooClient.prototype.rawRequest = rawRequest
  Gateway.prototype.buildOptions = buildOptions
  await forum.close()
})

const codeFor = async (username: string) => {
  const response = await forum.decide({ username })
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

test('snoowrap does its work', async () => {
  const snoo = await SnooClient.fromAuthCode({
    code: await codeFor('Ann_Baker'),
    redirectUri: REDIRECT,
    userAgent: AGENT,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  })
  expect((await snoo.getMe()).name).toBe('Ann_Baker')
  const gardens = snoo.getSubreddit('Gardens')
  expect(await gardens.fetch()).toMatchObject({ display_name: 'Gardens', subscribers: 1_250_000 })
  expect((await gardens.getRules()).rules).toHaveLength(3)
  const [flair] = await gardens.getLinkFlairTemplates()
  const found = await snoo.searchSubreddits({ query: 'gardens', limit: 3 })
  expect(found[0]?.display_name).toBe('Gardens')

  await expect(
    snoo.submitSelfpost({ subredditName: 'Gardens', title: 'Roses', text: 'Red' }),
  ).rejects.toThrow(/SUBMIT_VALIDATION/)
  const post = await snoo.submitSelfpost({
    subredditName: 'Gardens',
    title: 'Roses in the morning [OC]',
    text: 'Red',
    flairId: flair?.flair_template_id,
  })
  const id = post.name.slice(3)
  expect((await snoo.getSubmission(id).fetch()).title).toBe('Roses in the morning [OC]')
  expect((await snoo.getContentByIds([post.name]))[0]?.author.name).toBe('Ann_Baker')

  const link = { subredditName: 'Lanterns', title: 'A lamp', url: 'https://example.test/lamp' }
  const { name: linked } = await snoo.submitLink(link)
  expect((await snoo.getSubmission(linked.slice(3)).fetch()).title).toBe('A lamp')
  await expect(snoo.submitLink({ ...link, resubmit: false })).rejects.toThrow(/ALREADY_SUB/)
  expect(await snoo.getUser('ann_baker').fetch()).toMatchObject({ name: 'Ann_Baker', link_karma: 812 })
  await snoo.getSubmission(linked.slice(3)).delete()

  await forum.admin('POST', '/messages', { from: 'Sam_Fan', to: 'Ann_Baker', body: 'Hello' })
  const [message] = await snoo.getInbox({ filter: 'messages' })
  expect(await snoo.getUnreadMessages()).toHaveLength(1)
  expect(await message?.reply('Thanks')).toMatchObject({ parent_id: message?.name })
  await message?.blockAuthor()
  await message?.deleteFromInbox()
  expect(await snoo.getInbox({ filter: 'inbox' })).toHaveLength(0)

  await snoo.getSubmission(id).delete()
  expect((await forum.admin('GET', '/posts')).items[0].removal).toBe('deleted')
  const { refreshToken } = snoo
  await snoo.revokeRefreshToken()
  expect((await forum.token({ grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(400)
})

test('snoots does its work', async () => {
  const options = { userAgent: AGENT, creds: { clientId: CLIENT.id, clientSecret: CLIENT.secret } }
  const snoots = await SnootsClient.fromAuthCode(options, await codeFor('Bea_Miller'), REDIRECT)
  expect((await snoots.me.fetch()).name).toBe('Bea_Miller')
  expect((await snoots.subreddits.fetch('Lanterns')).subscribers).toBe(21_000)
  const id = await snoots.subreddits.postText('Lanterns', 'A lamp', 'It glows')
  expect((await snoots.posts.fetch(id)).title).toBe('A lamp')
  await expect(snoots.subreddits.postText('Ceramics', 'A cup', 'Blue')).rejects.toThrow(/NO_SELFS/)
  await snoots.posts.delete(id)
  const { items } = await forum.admin('GET', '/posts')
  expect(items.find(({ title }: { title: string }) => title === 'A lamp').removal).toBe('deleted')
})
