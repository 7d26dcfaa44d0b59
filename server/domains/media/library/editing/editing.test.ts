import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
let creator: Person
let operator: Person
const REASON = 'Asked for by its creator'
let tagIds: string[]

beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
  const tags = await harness.context.db.selectFrom('tags').select('id').orderBy('name').execute()
  tagIds = tags.map(({ id }) => id)
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
})

const ABSENT = '01890000-0000-7000-8000-00000000dead'
const stored = (mediaId: string) =>
  harness.context.db.selectFrom('media').selectAll().where('id', '=', mediaId).executeTakeFirstOrThrow()
const edit = (person: Person, body: (typeof routes.editMedia.body)['_input']) =>
  harness.api.as(person).call(routes.editMedia, { body })
const bulk = (person: Person, body: (typeof routes.bulkEditMedia.body)['_input']) =>
  harness.api.as(person).call(routes.bulkEditMedia, { body })
const addGif = (person: Person, redGif = 'bravetinyfox') =>
  harness.api.as(person).call(routes.addRedGif, { body: { redGif } })
const audited = (targetId: string) =>
  harness.context.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason', 'detail'])
    .where('target_id', '=', targetId)
    .orderBy('id')
    .execute()
const indexed = async (mediaId: string) => {
  const rows = await harness.context.db
    .selectFrom('media_tags')
    .select('tag_id')
    .where('media_id', '=', mediaId)
    .execute()
  return rows.map((row) => row.tag_id).sort()
}

describe('tags of an item', () => {
  it('are those that were sent, once each, and are found by the index', async () => {
    const mediaId = await buildMedia(harness, creator)
    const [one = '', two = '', three = ''] = tagIds
    expect(await edit(creator, { mediaId, tagIds: [two, one, two] })).toMatchObject({ tagIds: [two, one] })
    expect(await edit(creator, { mediaId, title: 'Other' })).toMatchObject({ tagIds: [two, one] })
    expect(await edit(creator, { mediaId, tagIds: [three] })).toMatchObject({ tagIds: [three] })
    expect(await indexed(mediaId)).toEqual([three])
    expect(await edit(creator, { mediaId, tagIds: [] })).toMatchObject({ tagIds: [] })
    expect(await indexed(mediaId)).toEqual([])
  })

  it('must exist, else nothing changes', async () => {
    const mediaId = await buildMedia(harness, creator)
    const before = await stored(mediaId)
    const refused = edit(creator, { mediaId, title: 'New', tagIds: [tagIds[0] ?? '', ABSENT] })
    await expect(refused).rejects.toMatchObject({ status: 404, code: 'tag_not_found' })
    expect(await stored(mediaId)).toEqual(before)
    expect(await indexed(mediaId)).toEqual([])
  })
})

describe('who is depicted', () => {
  const addPerformer = async (person: Person, name: string) =>
    (await harness.api.as(person).call(routes.addPerformer, { body: { name } }))._id

  it('is the creator alone until others are named, and told to owner and operator only', async () => {
    const mediaId = await buildMedia(harness, creator, { mustUnlock: false, showInSearch: true })
    const alex = await addPerformer(creator, 'Alex')
    expect(await edit(creator, { mediaId })).toMatchObject({ performerIds: [creator.id] })
    const named = [creator.id, alex]
    expect(await edit(creator, { mediaId, performerIds: [...named, alex] })).toMatchObject({
      performerIds: named,
    })
    for (const [api, told] of [
      [harness.api.as(creator), named],
      [harness.api.as(operator), named],
      [harness.api.as(await buildFan(harness)), []],
      [harness.api.visitor(), []],
    ] as const) {
      const { items } = await api.call(routes.profileMedia, { query: { creatorId: creator.id } })
      // A list names nobody, to whomever it is shown.
      expect(items).toHaveLength(1)
      expect(items[0]).not.toHaveProperty('performerIds')
      expect((await api.call(routes.media, { params: { mediaId } })).performerIds).toEqual(told)
    }
  })

  it('are the owner’s own people, whoever edits; else nothing changes', async () => {
    const mediaId = await buildMedia(harness, creator)
    const alex = await addPerformer(creator, 'Alex')
    const foreign = await addPerformer(await buildCreator(harness), 'Kim')
    const before = await stored(mediaId)
    for (const [person, id] of [
      [creator, foreign],
      [creator, ABSENT],
      [creator, operator.id],
      [operator, operator.id],
    ] as const) {
      const refused = edit(person, { mediaId, performerIds: [creator.id, id], reason: REASON })
      await expect(refused).rejects.toMatchObject({ status: 404, code: 'performer_not_found' })
    }
    expect(await stored(mediaId)).toEqual(before)
    expect(await edit(operator, { mediaId, performerIds: [alex], reason: REASON })).toMatchObject({
      performerIds: [alex],
    })
  })

  it('can be chosen from a list that starts with oneself and has every name once', async () => {
    const api = harness.api.as(creator)
    const names = ['kim', 'Alex', 'KIM', 'Ärla', 'ärla']
    const added = await Promise.all(names.map((name) => api.call(routes.addPerformer, { body: { name } })))
    expect(new Set(added.map(({ _id }) => _id)).size).toBe(3)
    const { items } = await api.call(routes.performers, {})
    expect(items[0]).toEqual({ _id: creator.id, name: creator.username, self: true })
    expect(items.slice(1).map(({ name }) => name.toLowerCase())).toEqual(['alex', 'kim', 'ärla'])
    expect(items.slice(1).some(({ self }) => self)).toBe(false)
    const others = await harness.api.as(await buildCreator(harness)).call(routes.performers, {})
    expect(others.items).toHaveLength(1)
  })
})

describe('an external gif', () => {
  it('takes another link, and needs no title', async () => {
    const { _id: mediaId } = await addGif(creator)
    const changed = await edit(creator, {
      mediaId,
      title: '',
      redGif: 'https://www.redgifs.com/watch/OtherGif',
      mustUnlock: false,
    })
    expect(changed).toMatchObject({ title: '', redGif: 'https://www.redgifs.com/ifr/othergif' })
  })

  it.each<[string, object, string]>([
    ['a link that can’t be read', { redGif: 'https://example.com/x' }, 'red_gif_unreadable'],
    ['no link', { redGif: '' }, 'red_gif_unreadable'],
    ['selling without a title', { showInStore: true }, 'must_include_title'],
  ])('refuses %s and stays as it is', async (_, change, code) => {
    const { _id: mediaId } = await addGif(creator)
    const before = await stored(mediaId)
    await expect(edit(creator, { mediaId, ...change })).rejects.toMatchObject({ status: 400, code })
    expect(await stored(mediaId)).toEqual(before)
  })

  it('is never made of a file', async () => {
    const mediaId = await buildMedia(harness, creator)
    const before = await stored(mediaId)
    await expect(edit(creator, { mediaId, redGif: 'bravetinyfox' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_input',
      body: { details: { redGif: expect.any(String) } },
    })
    expect(await edit(creator, { mediaId, redGif: '' })).toMatchObject({ redGif: '' })
    expect(await stored(mediaId)).toEqual(before)
  })

  it('is added locked and shown nowhere, by creators only, with an id that can be read and tags that exist', async () => {
    const api = harness.api.as(creator)
    const gif = await api.call(routes.addRedGif, {
      body: { redGif: ' redgifs.com/watch/BraveTinyFox ', duration: 12.9, tagIds: tagIds.slice(0, 2) },
    })
    expect(gif).toMatchObject({
      creatorId: creator.id,
      type: 'video',
      url: null,
      redGif: 'https://www.redgifs.com/ifr/bravetinyfox',
      title: '',
      price: '$4',
      duration: 12,
      tagIds: tagIds.slice(0, 2),
      mustUnlock: true,
      showInSearch: false,
      owned: true,
    })
    expect((await addGif(creator)).duration).toBeNull()
    await expect(
      harness.api.visitor().call(routes.media, { params: { mediaId: gif._id } }),
    ).rejects.toMatchObject({ code: 'media_not_found' })
    await expect(addGif(creator, 'no id here')).rejects.toMatchObject({ code: 'red_gif_unreadable' })
    const untagged = api.call(routes.addRedGif, { body: { redGif: 'fox', tagIds: [ABSENT] } })
    await expect(untagged).rejects.toMatchObject({ code: 'tag_not_found' })
    await expect(addGif(await buildFan(harness))).rejects.toMatchObject({ code: 'creators_only' })
    const { items } = await api.call(routes.manageMedia, { query: { type: 'embed' } })
    expect(items).toHaveLength(2)
  })
})

describe('the operator', () => {
  it('alone corrects type and duration, which is recorded', async () => {
    const mediaId = await buildMedia(harness, creator, { type: 'video' })
    const before = await stored(mediaId)
    for (const change of [{ type: 'image' as const }, { duration: 5 }]) {
      await expect(edit(creator, { mediaId, ...change })).rejects.toMatchObject({
        status: 403,
        code: 'permission_required',
      })
    }
    expect(await stored(mediaId)).toEqual(before)
    expect(await edit(operator, { mediaId, duration: 7.9, reason: REASON })).toMatchObject({
      type: 'video',
      duration: 7,
    })
    expect(await edit(operator, { mediaId, type: 'image', reason: REASON })).toMatchObject({
      type: 'image',
      duration: null,
    })
    const expected = { actor_id: operator.id, action: 'media.edited', reason: REASON }
    expect(await audited(mediaId)).toEqual([
      { ...expected, detail: { creatorId: creator.id, fields: ['duration'] } },
      { ...expected, detail: { creatorId: creator.id, fields: ['type'] } },
    ])
  })

  it('is recorded for others’ items, and nobody for their own', async () => {
    const [theirs, own] = [await buildMedia(harness, creator), await buildMedia(harness, operator)]
    await edit(creator, { mediaId: theirs, title: 'Mine' })
    await edit(operator, { mediaId: own, title: 'Mine' })
    for (const reason of [undefined, '', ' '])
      await expect(edit(operator, { mediaId: theirs, title: 'Ours', reason })).rejects.toMatchObject({
        status: 400,
      })
    await expect(
      harness.api.as(operator).call(routes.deleteMedia, { body: { mediaId: theirs } }),
    ).rejects.toMatchObject({ code: 'reason_required' })
    expect(await stored(theirs)).toMatchObject({ title: 'Mine', deleted_at: null })
    expect([...(await audited(theirs)), ...(await audited(own))]).toEqual([])
    await harness.api.as(operator).call(routes.deleteMedia, { body: { mediaId: theirs, reason: REASON } })
    await harness.api.as(operator).call(routes.deleteMedia, { body: { mediaId: own } })
    expect(await audited(theirs)).toMatchObject([
      { actor_id: operator.id, action: 'media.deleted', reason: REASON },
    ])
    expect(await audited(own)).toEqual([])
  })

  it('sees everybody’s uploaded items by type, newest first, external gifs left out', async () => {
    const video = await buildMedia(harness, creator, { type: 'video', directOnly: true })
    const image = await buildMedia(harness, await buildFan(harness))
    const { _id: gif } = await addGif(creator)
    const list = async (query: { type?: 'image' | 'video'; limit?: number; cursor?: string }) => {
      const { items } = await harness.api.as(operator).call(routes.mediaMetadata, { query })
      return items.map(({ _id }) => _id)
    }
    expect((await list({ limit: 2 })).slice(0, 2)).toEqual([image, video])
    expect((await list({ type: 'video', limit: 60 }))[0]).toBe(video)
    expect(await list({ type: 'image', limit: 60 })).not.toContain(video)
    expect(await list({ limit: 60 })).not.toContain(gif)
  })
})

describe('editing several', () => {
  it('puts tags on and off, sets price and flags of all, in the order asked for', async () => {
    const mediaIds = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const [first = '', second = ''] = mediaIds
    const [one = '', two = '', three = ''] = tagIds
    await edit(creator, { mediaId: first, tagIds: [one, two] })
    await edit(creator, { mediaId: second, redditPromotion: true })
    const { items } = await bulk(creator, {
      mediaIds: [second, first, second],
      addTagIds: [three],
      removeTagIds: [one],
      price: '$9.50',
      showInStore: true,
    })
    const onSale = { price: '$9.50', showInStore: true, mustUnlock: true, redditPromotion: false }
    expect(items).toMatchObject([
      { _id: second, tagIds: [three], ...onSale },
      { _id: first, tagIds: [two, three], ...onSale },
    ])
    expect(await indexed(first)).toEqual([two, three].sort())
  })

  it.each<[string, (foreign: string) => Partial<Parameters<typeof bulk>[1]>, number, string]>([
    ['another’s item', () => ({}), 404, 'media_not_found'],
    ['a tag that is none', () => ({ mediaIds: [], addTagIds: [ABSENT] }), 404, 'tag_not_found'],
    [
      'selling for nothing',
      () => ({ mediaIds: [], showInStore: true, price: '$0' }),
      400,
      'must_include_price',
    ],
  ])('refuses %s and changes none', async (_, change, status, code) => {
    const own = [await buildMedia(harness, creator), await buildMedia(harness, creator)]
    const foreign = await buildMedia(harness, await buildCreator(harness))
    const before = await Promise.all([...own, foreign].map(stored))
    const { mediaIds = [foreign], ...rest } = change(foreign)
    const refused = bulk(creator, { mediaIds: [...own, ...mediaIds], price: '$7', ...rest })
    await expect(refused).rejects.toMatchObject({ status, code })
    expect(await Promise.all([...own, foreign].map(stored))).toEqual(before)
  })

  it('is of own items, also for the operator', async () => {
    const mediaIds = [await buildMedia(harness, creator)]
    await expect(bulk(operator, { mediaIds, price: '$7' })).rejects.toMatchObject({ code: 'media_not_found' })
    expect(await stored(mediaIds[0] ?? '')).toMatchObject({ price_cents: 400 })
  })

  it('refuses what one item alone would be refused: too many tags, no title, closed publishing', async () => {
    const full = await buildMedia(harness, creator)
    const mediaIds = [await buildMedia(harness, creator), full]
    await edit(creator, { mediaId: full, tagIds: tagIds.slice(0, 20) })
    await harness.context.db.updateTable('media').set({ title: '' }).where('id', '=', full).execute()
    const before = await Promise.all(mediaIds.map(stored))
    const refused = async (change: object, code: string) => {
      await expect(bulk(creator, { mediaIds, ...change })).rejects.toMatchObject({ code })
      expect(await Promise.all(mediaIds.map(stored))).toEqual(before)
    }
    await refused({ addTagIds: tagIds.slice(20, 21) }, 'too_many_tags')
    await refused({ showInStore: true }, 'must_include_title')
    harness.context.publishingOpen = false
    try {
      await refused({ showInSearch: true }, 'publishing_closed')
    } finally {
      harness.context.publishingOpen = true
    }
    const swapped = { addTagIds: tagIds.slice(20, 21), removeTagIds: tagIds.slice(0, 1) }
    expect((await bulk(creator, { mediaIds, ...swapped })).items[1]?.tagIds).toHaveLength(20)
  })

  it('in parallel, in whatever order, loses nothing', async () => {
    const mediaIds: string[] = []
    for (let n = 0; n < 8; n++) mediaIds.push(await buildMedia(harness, creator))
    const parallel = tagIds.slice(0, 12)
    await Promise.all(
      parallel.map((tagId, n) =>
        bulk(creator, { mediaIds: n % 2 ? mediaIds : mediaIds.toReversed(), addTagIds: [tagId] }),
      ),
    )
    for (const mediaId of mediaIds) {
      expect((await stored(mediaId)).tag_ids.toSorted()).toEqual(parallel.toSorted())
      expect(await indexed(mediaId)).toEqual(parallel.toSorted())
    }
  })
})
