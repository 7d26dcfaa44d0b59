import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { buildCreator, buildFan, buildMedia, buildUser, type Person } from '../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../testing/harness.ts'

let harness: Harness
let creator: Person
let operator: Person
let mediaId: string
beforeAll(async () => {
  harness = await startHarness()
  operator = await buildUser(harness, { role: 'superadmin' })
})
afterAll(() => harness?.stop())
beforeEach(async () => {
  creator = await buildCreator(harness)
  mediaId = await buildMedia(harness, creator, { title: 'A lake' })
})

const as = (person: Person) => harness.api.as(person)
const found = () => as(operator).call(routes.takedown, { query: { mediaId } })
const takeDown = (more: object = {}, id = mediaId) =>
  as(operator).call(routes.quarantineMedia, { body: { mediaId: id, reason: 'Reported', ...more } })

/** Gives items the same file. */
async function sameFile(ids: string[], sha256 = crypto.randomUUID().replaceAll('-', '').repeat(2)) {
  await harness.context.db.updateTable('media').set({ sha256 }).where('id', 'in', ids).execute()
}

test('a takedown that is repeated leaves what it doesn’t say as it is, and its creator is told of nothing', async () => {
  await sameFile([mediaId])
  const note = 'Please send us the release form.'
  await takeDown({ ground: 'consent', note })
  const decided = { ground: 'consent', note, blockFile: true }
  expect((await found()).takedown).toEqual(decided)
  harness.clock.advance(1000)
  await takeDown()
  expect((await found()).takedown).toEqual(decided)
  await takeDown({ blockFile: false })
  expect((await found()).takedown).toEqual({ ...decided, blockFile: false })
  await takeDown()
  expect((await found()).takedown).toEqual({ ...decided, blockFile: false })
  await takeDown({ note: '' })
  expect((await found()).takedown).toEqual({ ground: 'consent', note: '', blockFile: false })
  const { items } = await as(creator).call(routes.notifications, { query: {} })
  // Of the takedown, and of the note.
  expect(items).toHaveLength(2)
})

test('who was shown an item that another operator has taken down since is told so, and its file stays blocked', async () => {
  await sameFile([mediaId])
  await takeDown({ ground: 'illegal', shown: null })
  const changed = { status: 409, code: 'takedown_changed' }
  for (const shown of [null, 'review'])
    await expect(takeDown({ ground: 'copyright', blockFile: false, shown })).rejects.toMatchObject(changed)
  expect((await found()).takedown).toMatchObject({ ground: 'illegal', blockFile: true })
  await takeDown({ ground: 'copyright', shown: 'illegal' })
  expect((await found()).takedown).toMatchObject({ ground: 'copyright', blockFile: false })
})

test('who takes an item down sees which others have its file, whose, and what became of them', async () => {
  const other = await buildCreator(harness)
  const fan = await buildFan(harness)
  const build = (person: Person, title: string) => buildMedia(harness, person, { title })
  const [down, up, deleted, sent] = [
    await build(other, 'Down'),
    await build(other, 'Up'),
    await build(creator, 'Deleted'),
    await build(fan, ''),
  ]
  const stranger = await build(other, 'Another file')
  await sameFile([mediaId, down, up, deleted, sent])
  await sameFile([stranger])
  await takeDown({}, down)
  await as(creator).call(routes.deleteMedia, { body: { mediaId: deleted } })
  const copy = { isDown: false, isDeleted: false }
  expect((await found()).copies).toEqual({
    count: 4,
    items: [
      { ...copy, _id: up, title: 'Up', username: other.username },
      { ...copy, _id: deleted, title: 'Deleted', username: creator.username, isDeleted: true },
      { ...copy, _id: sent, title: '', username: fan.username },
      { ...copy, _id: down, title: 'Down', username: other.username, isDown: true },
    ],
  })
  mediaId = stranger
  expect((await found()).copies).toEqual({ count: 0, items: [] })
})

test('a copy that another file took the place of is one for as long as somebody has it', async () => {
  const other = await buildMedia(harness, await buildCreator(harness), { title: 'Replaced' })
  await sameFile([mediaId, other])
  const version = { version_id: crypto.randomUUID(), sha256: 'f'.repeat(64) }
  await harness.context.db.updateTable('media').set(version).where('id', '=', other).execute()
  expect((await found()).copies.items).toMatchObject([{ _id: other, title: 'Replaced' }])
  const kept = harness.context.db.updateTable('media_versions').where('media_id', '=', other)
  await kept.set({ purged_at: harness.clock.now() }).where('id', '<>', version.version_id).execute()
  expect((await found()).copies.count).toBe(0)
})

test('who takes an external gif down sees which others have it, as they do of a file', async () => {
  const other = await buildCreator(harness)
  const add = async (redGif: string, person: Person) =>
    (await as(person).call(routes.addRedGif, { body: { redGif } }))._id
  mediaId = await add('samefox', creator)
  const copy = await add('https://www.redgifs.com/watch/SameFox', other)
  const exchanged = await add('samefox', other)
  await as(other).call(routes.editMedia, { body: { mediaId: exchanged, redGif: 'anotherfox' } })
  const stranger = await add('strangefox', other)
  const shown = async () => (await found()).copies.items.map(({ _id }) => _id)
  expect(await shown()).toEqual([copy, exchanged])
  await takeDown({}, copy)
  expect((await found()).copies.items.map(({ isDown }) => isDown)).toEqual([false, true])
  mediaId = stranger
  expect((await found()).copies).toEqual({ count: 0, items: [] })
})

test('the page of an item that was deleted after its takedown says so to its creator', async () => {
  const view = (person: Person) => as(person).call(routes.viewMedia, { params: { mediaId } })
  const gone = { status: 404, code: 'media_not_found' }
  await takeDown({ ground: 'terms', note: 'See our guide.' })
  await as(creator).call(routes.deleteMedia, { body: { mediaId } })
  const told = expect.stringMatching(/breaks our Terms of Service\. See our guide\.$/)
  await expect(view(creator)).rejects.toMatchObject({
    ...{ status: 404, code: 'media_not_found', body: { details: { takedown: told } } },
  })
  await expect(view(await buildFan(harness))).rejects.toMatchObject(gone)
  // Who may release it sees it as any other that is down.
  expect(await view(operator)).toMatchObject({ media: { takenDownReason: told } })
  await as(operator).call(routes.releaseMedia, { body: { mediaId, reason: 'A mistake' } })
  await expect(view(creator)).rejects.toMatchObject(gone)
})
