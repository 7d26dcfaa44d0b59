import { afterAll, beforeAll } from 'vitest'
import { routes } from '../../contract/index.ts'
import { buildCreator, type Person } from './builders.ts'
import { type Harness, startHarness } from './harness.ts'
import { buildFlair, buildPost, buildSubreddits, connectForum } from './promotion.ts'

export const SUBREDDITS = Array.from({ length: 12 }, (_, index) => `CozyKnits${index}`)
/** Takes titles that end with “[handmade]”. */
export const STRICT = 'GardenPortraits'
/** Asks for a flair. */
export const FLAIRED = 'GardenWeekends'

/** A creator with a connected forum account of their own. */
export type Planner = { person: Person; api: ReturnType<Harness['api']['as']> }

type Row = { postId: string; subreddit: string; title?: string }

/** Creators who plan batches in these subreddits, for the file of tests that calls this. */
export function planners() {
  let harness: Harness
  let accounts = 0
  const scene = { harness: undefined as unknown as Harness }
  beforeAll(async () => {
    harness = await startHarness()
    scene.harness = harness
    await buildSubreddits(harness, [...SUBREDDITS, STRICT, FLAIRED])
    const { db, clock } = harness.context
    const requirements = JSON.stringify({
      title_text_min_length: null,
      title_text_max_length: null,
      title_blacklisted_strings: [],
      title_required_strings: ['[handmade]'],
      is_flair_required: false,
      link_restriction_policy: 'none',
      domain_whitelist: [],
      domain_blacklist: [],
    })
    const offered = [
      { id: 'weekend', text: 'Weekend', editable: false },
      { id: 'own', text: 'Your words', editable: true },
    ]
    await buildFlair(harness, FLAIRED, offered)
    const flair = JSON.stringify(offered)
    await db
      .updateTable('subreddit_readings')
      .set({ state: 'read', requirements, flair, read_at: clock.now() })
      .where('subreddit_id', 'in', db.selectFrom('subreddits').select('id').where('name', '=', STRICT))
      .execute()
  })
  afterAll(() => harness?.stop())

  const buildPlanner = async (): Promise<Planner> => {
    const person = await buildCreator(harness)
    await connectForum(harness, person, `Weaver${accounts++}`)
    return { person, api: harness.api.as(person) }
  }
  const post = ({ person }: Planner, subreddits = SUBREDDITS.slice(0, 3), titles = ['A quiet lake']) =>
    buildPost(harness, person, { subreddits, titles })
  const timeline = async ({ api }: Planner) =>
    (await api.call(routes.timeline, { query: { limit: 60 } })).items
  const preview = ({ api }: Planner, rows: Row[]) => api.call(routes.previewPlan, { body: { rows } })
  const schedule = ({ api }: Planner, rows: Row[]) => api.call(routes.schedulePlan, { body: { rows } })
  const read = ({ api }: Planner, text: string) => api.call(routes.readPlanFile, { body: { text } })

  return Object.assign(scene, { buildPlanner, post, timeline, preview, schedule, read })
}
