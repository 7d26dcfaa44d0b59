import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../../../contract/index.ts'
import { buildCreator, buildMedia, type Person } from '../../../../testing/builders.ts'
import { type Harness, startHarness } from '../../../../testing/harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ rateLimits: true })
})
afterAll(() => harness?.stop())

/** Asks for a frame of a new video of this person. */
async function ask(person: Person): Promise<string> {
  const mediaId = await buildMedia(harness, person, { type: 'video' })
  await harness.api.as(person).call(routes.posterFrame, { body: { mediaId, seconds: 1 } })
  return mediaId
}

test('a frame that somebody asks for behind sixty of another person is taken next but one, and a 61st waits for ten minutes', async () => {
  const [many, one] = [await buildCreator(harness), await buildCreator(harness)]
  const sixty: string[] = []
  for (let count = 0; count < 60; count++) sixty.push(await ask(many))
  await expect(ask(many)).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
  const single = await ask(one)
  const taken: string[] = []
  harness.context.processor.poster = async ({ outDir }) => {
    taken.push(sixty.concat(single).find((id) => outDir.includes(id)) ?? '')
    return { ok: false, refusal: 'media_unreadable' }
  }
  await harness.runJobs()
  expect(taken).toEqual([sixty[0], single, ...sixty.slice(1)])
})
