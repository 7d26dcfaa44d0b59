import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { moveClock } from '../start/sandbox-clock.ts'

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600
const Move = z.object({ advanceSeconds: z.number().int().min(1).max(TEN_YEARS_SECONDS) })

/** `GET` and `POST /sandbox/clock`: reads the clock and moves it forward, to try what takes weeks. Only where no real account is. */
export function mountSandboxClock(app: FastifyInstance, context: Context): void {
  const { clock } = context
  const reading = () => ({ now: clock.now().toISOString(), aheadSeconds: Math.round(clock.offset() / 1000) })
  app.get('/clock', async () => reading())
  app.post('/clock', async (request) => {
    const { advanceSeconds } = Move.parse(request.body)
    await moveClock(context, advanceSeconds * 1000)
    return reading()
  })
}
