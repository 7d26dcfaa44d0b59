import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { moveClock } from '../start/sandbox-clock.ts'
import { createJourneys } from '../start/sandbox-journey.ts'
import { clockPage, type Happening, JUMPS } from './sandbox-clock-page.ts'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MS = 10 * 365 * DAY_MS
const Move = z.object({
  advanceSeconds: z
    .number()
    .int()
    .min(1)
    .max(LONGEST_MS / 1000),
})
const Wish = z.union([
  z.object({ by: z.enum(Object.keys(JUMPS) as (keyof typeof JUMPS)[]) }),
  z.object({ to: z.iso.date() }),
])
const PAGE = '/sandbox/clock/'
const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** The effects of the jobs between two moments. */
export type Happened = (range: { from: Date; until: Date }) => Promise<Happening[]>

/**
 * `GET` and `POST /sandbox/clock` read the clock and move it forward; the page `/sandbox/clock/` moves it day by day and
 * shows what happened. Only if no service is real: a real forum or mailbox keeps real time.
 */
export async function mountSandboxClock(
  app: FastifyInstance,
  context: Context,
  happened: Happened,
): Promise<void> {
  const { clock } = context
  const reading = () => ({ now: clock.now().toISOString(), aheadSeconds: Math.round(clock.offset() / 1000) })
  app.get('/clock', async () => reading())
  app.post('/clock', async (request) => {
    const { advanceSeconds } = Move.parse(request.body)
    await moveClock(context, advanceSeconds * 1000)
    return reading()
  })

  const journeys = createJourneys(context)
  app.addHook('onClose', () => journeys.stop())
  const show = async (reply: FastifyReply, error: string | null = null) => {
    const [now, journey] = [clock.now(), journeys.current()]
    const page = clockPage({
      ...{ now, journey, error, aheadMs: clock.offset() },
      happened: journey ? await happened({ from: journey.from, until: now }) : [],
    })
    return reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page)
  }
  app.get('/clock/', (_, reply) => show(reply))
  app.get('/clock/clock.css', async (_, reply) => {
    const style = await readFile(new URL('./sandbox-clock.css', import.meta.url))
    return reply.type('text/css; charset=utf-8').send(style)
  })
  await app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    forms.post('/clock/move', (request, reply) => {
      const wish = Wish.safeParse(request.body)
      const to = wish.success ? arrivalOf(wish.data, clock.now()) : null
      if (!to) return show(reply.code(400), 'Choose a date after today, at most 10 years ahead.')
      if (!journeys.start(to))
        return show(reply.code(409), 'The clock is already moving. Wait, or stop it first.')
      return reply.redirect(PAGE, 303)
    })
    forms.post('/clock/stop', async (_request, reply) => {
      await journeys.stop()
      return reply.redirect(PAGE, 303)
    })
  })
}

/** A request's target time; null if it is in the past or too far ahead. */
function arrivalOf(wish: z.output<typeof Wish>, now: Date): Date | null {
  if ('by' in wish) return jump(now, wish.by)
  const to = new Date(`${wish.to}T00:00:00Z`)
  return to > now && to.getTime() - now.getTime() <= LONGEST_MS ? to : null
}

/** A month from the 31st ends on the last day of a shorter month. */
function jump(now: Date, by: keyof typeof JUMPS): Date {
  if (by === 'hour') return new Date(now.getTime() + HOUR_MS)
  if (by === 'day') return new Date(now.getTime() + DAY_MS)
  const to = new Date(now)
  to.setUTCMonth(now.getUTCMonth() + (by === 'month' ? 1 : 12))
  if (to.getUTCDate() !== now.getUTCDate()) to.setUTCDate(0)
  return to
}
