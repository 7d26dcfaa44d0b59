import { addressOfChunk } from './chunks.ts'
import type { Window } from './window.ts'

/** From now on the answers name a newer client than the one that runs. All of them are held back until `once` resolves. */
export async function updates({ page }: Window, once: Promise<void> = Promise.resolve()): Promise<void> {
  await page.route('**/api/**', async (route) => {
    try {
      await once
      const response = await route.fetch()
      const headers = { ...response.headers(), 'x-client-build': '/assets/index-next.js' }
      await route.fulfill({ response, headers })
    } catch {
      // Without a network; the page itself may be gone as well.
      await route.abort().catch(() => undefined)
    }
  })
}

/** The code of this name is gone, until the page is loaded again. */
export async function removesCode({ page }: Window, name: string): Promise<void> {
  let isGone = true
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isGone = false
  })
  await page.route(addressOfChunk(name), (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  )
}

/** The pages don’t connect five seconds after they came: what they ask for then would tell of the newer client. */
export const staysUnconnected = ({ context }: Window) =>
  context.addInitScript(() => {
    const later = globalThis.setTimeout
    const unlessLive = (run: () => void, delay = 0) => (delay === 5000 ? 0 : later(run, delay))
    Object.assign(globalThis, { setTimeout: unlessLive })
  })

/** Waits until the page has heard of the newer client, and offers it. */
export const detectsUpdate = ({ page }: Window) =>
  page.getByRole('status').filter({ hasText: 'A new version is ready.' }).waitFor()

export const marksDocument = ({ page }: Window) =>
  page.evaluate(() => void Object.assign(globalThis, { before: true }))
/** Whether it is still the document that was marked. */
export const isSameDocument = ({ page }: Window) => page.evaluate(() => 'before' in globalThis)

/** Goes back to what may be another document: waiting for the end of this one’s navigation would fail then. */
export const goesBack = ({ page }: Window) => page.evaluate(() => void setTimeout(() => history.back(), 0))
