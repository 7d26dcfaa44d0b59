import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { definitions, type JobName } from '../jobs/catalogue.ts'
import { wakeWorkers } from '../jobs/enqueue.ts'
import { moveClock } from './sandbox-clock.ts'

type Shared = Pick<Context, 'db' | 'clock' | 'log'>

/** The clock on its way to a later moment. */
export type Journey = { from: Date; to: Date; state: 'traveling' | 'arrived' | 'stopped' | 'failed' }

const HOUR_MS = 3600 * 1000
/** Renewals are tried again after a day at the earliest, so no step is longer. */
const STEP_MS = 24 * HOUR_MS
/** Jobs that go by days; a week's difference doesn't matter to the others. */
const DAILY: JobName[] = [
  'renewals.remind',
  'renewals.charge',
  'purchases.recover',
  'subscriptions.expire',
  'custom-requests.refund',
  'ledger.release',
  // Looks back five days.
  'payments.compare',
]
/** How long one step may take to be worked off, in milliseconds; the rest is worked off during the next. */
const STEP_PATIENCE_MS = 10_000
const LOOK_AGAIN_MS = 20
/** Reading the forum again takes longer than everything else together: only on the last day, and nothing on the page waits for it. */
const OF_THE_FORUM: string[] = definitions.flatMap(([name, { lane }]) => (lane === 'forum' ? [name] : []))

/**
 * Moves the clock day by day, and each time waits until what is due then is done: moved by a year at once, a subscription
 * would have missed all its renewals. One journey at a time.
 */
export function createJourneys(context: Shared) {
  let journey: Journey | null = null
  let underWay = Promise.resolve()

  async function travel(one: Journey): Promise<void> {
    const { clock } = context
    for (let step = 0; ; step++) {
      const left = one.to.getTime() - clock.now().getTime()
      if (one.state === 'stopped') return
      if (left <= 0) break
      // Everything on the last day, and all but the forum once a week, so that a year is over in a minute.
      const isLast = left <= STEP_MS
      const isDue = (name: JobName) =>
        isLast || DAILY.includes(name) || (step % 7 === 6 && !OF_THE_FORUM.includes(name))
      await moveClock(context, Math.min(left, STEP_MS), isDue)
      await workedOff(context, one)
    }
    one.state = 'arrived'
  }

  return {
    /** The journey that is under way, else the last one; null before the first. */
    current: (): Journey | null => journey,
    /** Sets out; false while another one is under way. */
    start(to: Date): boolean {
      if (journey?.state === 'traveling') return false
      const one: Journey = { from: context.clock.now(), to, state: 'traveling' }
      journey = one
      underWay = travel(one).catch((error: unknown) => {
        one.state = 'failed'
        context.log.error({ err: error }, 'the sandbox clock could not be moved')
      })
      return true
    },
    /** Stays where the clock is after the step of now. */
    async stop(): Promise<void> {
      if (journey?.state === 'traveling') journey.state = 'stopped'
      await underWay
    },
  }
}

/** Waits until the queue has nothing left that is due, but for the forum's; it goes by the system's clock. */
async function workedOff({ db, clock }: Shared, journey: Journey): Promise<void> {
  const until = performance.now() + STEP_PATIENCE_MS
  while (performance.now() < until && journey.state === 'traveling') {
    const now = new Date(clock.now().getTime() - clock.offset())
    const { rows } = await sql<{ waits: boolean }>`
      select locked_at is null as waits from graphile_worker.jobs
      where run_at <= ${now} and attempts < max_attempts and task_identifier <> all(${OF_THE_FORUM})
      group by 1`.execute(db)
    if (rows.length === 0) return
    // Lanes that look at the same moment pass over one another's lines, and would look again after seconds.
    if (rows.some(({ waits }) => waits)) await wakeWorkers(db)
    await wait(LOOK_AGAIN_MS)
  }
}
