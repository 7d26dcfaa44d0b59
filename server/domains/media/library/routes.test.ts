import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'
import { waitingForLocks } from '../../../testing/locks.ts'

let harness: Harness
let creator: Person

beforeAll(async () => {
  harness = await startHarness()
  creator = await buildCreator(harness)
})
afterAll(() => harness?.stop())

const stored = (mediaId: string) =>
  harness.context.db.selectFrom('media').selectAll().where('id', '=', mediaId).executeTakeFirstOrThrow()

type Edit = Omit<Parameters<typeof send>[1], 'mediaId'>
const send = (person: Person, body: (typeof routes.editMedia.body)['_input']) =>
  harness.api.as(person).call(routes.editMedia, { body })

describe('the own library', () => {
  it('has everything that is not deleted, newest first, with links, and nothing of others', async () => {
    const person = await buildFan(harness)
    await buildMedia(harness, creator)
    const [first, second] = [
      await buildMedia(harness, person),
      await buildMedia(harness, person, { directOnly: true }),
    ]
    const gone = await buildMedia(harness, person)
    const api = harness.api.as(person)
    await api.call(routes.deleteMedia, { body: { mediaId: gone } })
    const { items } = await api.call(routes.manageMedia, { query: {} })
    expect(items.map((media) => media._id)).toEqual([second, first])
    expect(items.every((media) => media.owned && !media.locked && media.url)).toBe(true)
  })

  it('for choosing leaves private items out, and shows only the selected when asked', async () => {
    const other = await buildCreator(harness)
    const [one, two] = [await buildMedia(harness, other), await buildMedia(harness, other)]
    await buildMedia(harness, other, { directOnly: true })
    const foreign = await buildMedia(harness, creator)
    for (const picker of [routes.subscriptionMediaPicker, routes.bundleMediaPicker]) {
      const pick = async (query: object) => {
        const { items } = await harness.api
          .as(other)
          .call(picker, { query: { creatorId: other.id, selectedMediaIds: [], ...query } })
        return items.map((media) => media._id)
      }
      expect(await pick({})).toEqual([two, one])
      expect(await pick({ showSelectedOnly: 'true', selectedMediaIds: [one, foreign] })).toEqual([one])
      expect(await pick({ showSelectedOnly: 'true' })).toEqual([])
    }
  })

  it('for choosing is searched and filtered by type, also among the selected', async () => {
    const other = await buildCreator(harness)
    const [photo, video] = [
      await buildMedia(harness, other, { title: 'Morning tide' }),
      await buildMedia(harness, other, { title: 'Evening tide', type: 'video' }),
    ]
    await buildMedia(harness, other, { title: 'Private tide', directOnly: true })
    await buildMedia(harness, creator, { title: 'Tide of another' })
    for (const picker of [routes.subscriptionMediaPicker, routes.bundleMediaPicker]) {
      const pick = async (query: object) => {
        const { items } = await harness.api
          .as(other)
          .call(picker, { query: { creatorId: other.id, selectedMediaIds: [], ...query } })
        return items.map((media) => media._id)
      }
      expect(await pick({ search: 'TIDE' })).toEqual([video, photo])
      expect(await pick({ search: 'tide', type: 'image' })).toEqual([photo])
      expect(await pick({ type: 'embed' })).toEqual([])
      const selected = { showSelectedOnly: 'true', selectedMediaIds: [photo] }
      expect(await pick({ ...selected, search: 'morn' })).toEqual([photo])
      expect(await pick({ ...selected, search: 'evening' })).toEqual([])
    }
  })
})

describe('editing', () => {
  it('changes only what is sent', async () => {
    const mediaId = await buildMedia(harness, creator, { title: 'Before', priceCents: 700 })
    const changed = await send(creator, { mediaId, description: 'Two\nlines', price: '$1,234.50' })
    expect(changed).toMatchObject({
      title: 'Before',
      description: 'Two\nlines',
      price: '$1,234.50',
      mustUnlock: true,
    })
    const untouched = await stored(mediaId)
    await send(creator, { mediaId })
    expect(await stored(mediaId)).toEqual(untouched)
  })

  it('moves the flags as docs/product.md, Media says, with those that were not sent', async () => {
    const mediaId = await buildMedia(harness, creator)
    const flags = {
      showInSearch: false,
      redditPromotion: false,
      mustUnlock: false,
      showInStore: false,
      directOnly: false,
    }
    const steps: [Edit, object][] = [
      [{ showInStore: true }, { mustUnlock: true, showInStore: true }],
      [{ showInSearch: true }, { mustUnlock: true, showInStore: true, showInSearch: true }],
      [{ redditPromotion: true }, { redditPromotion: true, showInSearch: true }],
      [{ directOnly: true }, { directOnly: true }],
      [
        { mustUnlock: true, showInStore: true },
        { mustUnlock: true, showInStore: true },
      ],
      [{ mustUnlock: false }, {}],
    ]
    for (const [edit, expected] of steps) {
      expect(await send(creator, { mediaId, ...edit })).toMatchObject({ ...flags, ...expected })
    }
  })

  it.each<[string, Edit, string]>([
    ['an empty title', { title: ' ' }, 'must_include_title'],
    ['selling for nothing', { showInStore: true, price: '$0' }, 'must_include_price'],
    ['selling for less than $1', { showInStore: true, price: '$0.99' }, 'price_too_low'],
    ['an amount that is none', { price: '-4' }, 'invalid_input'],
    ['control characters in a title', { title: 'a\u0000b' }, 'invalid_input'],
  ])('refuses %s and changes nothing', async (_, edit, code) => {
    const mediaId = await buildMedia(harness, creator)
    const before = await stored(mediaId)
    await expect(send(creator, { mediaId, ...edit })).rejects.toMatchObject({ status: 400, code })
    expect(await stored(mediaId)).toEqual(before)
  })

  it('ignores whatever is not a field of the form', async () => {
    const mediaId = await buildMedia(harness, creator)
    const before = await stored(mediaId)
    const extra = {
      creator_id: crypto.randomUUID(),
      variants: [],
      deletedAt: null,
      owned: true,
      price_cents: 0,
    }
    await harness.api.as(creator).send('POST', '/media/edit', { body: { mediaId, ...extra } })
    expect(await stored(mediaId)).toEqual(before)
  })

  it('of somebody else’s item is told that there is none, and so is deleting it', async () => {
    const mediaId = await buildMedia(harness, creator, { mustUnlock: false })
    const before = await stored(mediaId)
    const stranger = await buildCreator(harness)
    const refusal = { status: 404, code: 'media_not_found' }
    await expect(send(stranger, { mediaId, title: 'Mine now' })).rejects.toMatchObject(refusal)
    const remove = harness.api.as(stranger).call(routes.deleteMedia, { body: { mediaId } })
    await expect(remove).rejects.toMatchObject(refusal)
    expect(await stored(mediaId)).toEqual(before)
  })

  it('is also the superadmin’s', async () => {
    const mediaId = await buildMedia(harness, creator)
    const operator = await buildUser(harness, { role: 'superadmin' })
    expect(await send(operator, { mediaId, title: 'Corrected', reason: 'A slip' })).toMatchObject({
      title: 'Corrected',
      owned: false,
    })
  })

  it('lets a fan lock and keep private, but neither show nor sell nor open an item', async () => {
    const fan = await buildFan(harness)
    const mediaId = await buildMedia(harness, fan)
    const before = await stored(mediaId)
    for (const edit of [
      { showInSearch: true },
      { redditPromotion: true },
      { showInStore: true },
      { mustUnlock: false },
    ]) {
      await expect(send(fan, { mediaId, ...edit })).rejects.toMatchObject({
        status: 403,
        code: 'creators_only',
      })
    }
    expect(await stored(mediaId)).toEqual(before)
    expect(await send(fan, { mediaId, directOnly: true })).toMatchObject({
      directOnly: true,
      mustUnlock: false,
    })
  })

  it('publishes nothing while publishing is closed', async () => {
    const mediaId = await buildMedia(harness, creator)
    const before = await stored(mediaId)
    harness.context.publishingOpen = false
    try {
      for (const edit of [
        { showInSearch: true },
        { redditPromotion: true },
        { showInStore: true },
        { mustUnlock: false },
      ]) {
        await expect(send(creator, { mediaId, ...edit })).rejects.toMatchObject({
          status: 403,
          code: 'publishing_closed',
        })
      }
      expect(await stored(mediaId)).toEqual(before)
      expect(await send(creator, { mediaId, title: 'Still mine' })).toMatchObject({ title: 'Still mine' })
    } finally {
      harness.context.publishingOpen = true
    }
  })

  it('waits for another change of the same item and keeps it', async () => {
    const { db } = harness.context
    const mediaId = await buildMedia(harness, creator, { title: 'Before' })
    let edit: Promise<unknown> | undefined
    await db.transaction().execute(async (transaction) => {
      await transaction.updateTable('media').set({ title: 'Meanwhile' }).where('id', '=', mediaId).execute()
      edit = send(creator, { mediaId, showInStore: true })
      await expect.poll(() => waitingForLocks(db)).toBe(1)
    })
    await edit
    expect(await stored(mediaId)).toMatchObject({ title: 'Meanwhile', show_in_store: true })
  })
})

it('a deleted item can be neither edited nor deleted again', async () => {
  const mediaId = await buildMedia(harness, creator)
  const api = harness.api.as(creator)
  await api.call(routes.deleteMedia, { body: { mediaId } })
  const refusal = { status: 404, code: 'media_not_found' }
  await expect(api.call(routes.deleteMedia, { body: { mediaId } })).rejects.toMatchObject(refusal)
  await expect(send(creator, { mediaId, title: 'Back' })).rejects.toMatchObject(refusal)
  await expect(api.call(routes.media, { params: { mediaId } })).rejects.toMatchObject(refusal)
})
