import type { BrowserContext } from 'playwright-core'
import type { Window } from '../../window.ts'
import { type Answer, type Pieces, type Recording, unwrapped } from './recording.ts'

/** What was found in a recording that must not be there, and how much was looked at. */
export async function check(
  recording: Pick<Recording, 'answers'>,
  pieces: Pieces,
  locked: readonly string[],
): Promise<{ answers: number; bytes: number; hits: string[]; addresses: number }> {
  const answers = await recording.answers()
  const isLocked = (url: string) =>
    locked.some((id) => url.includes(`/files/media/${id}`) || url.includes(`/files/preview/${id}`))
  const hits = answers.flatMap((answer) => hitsOf(answer, pieces))
  const open = answers.filter(({ url, status }) => isLocked(url) && status < 400)
  return {
    answers: answers.length,
    bytes: answers.reduce((sum, { body }) => sum + body.length, 0),
    hits: [...hits, ...open.map(({ url, status }) => `${status} for ${url}`)],
    addresses: answers.filter(
      ({ body, type }) => /json|html/.test(type) && locked.some((id) => body.includes(`/files/media/${id}`)),
    ).length,
  }
}

function hitsOf({ url, body, type }: Answer, pieces: Pieces): string[] {
  const bodies = /json|html|text|javascript/.test(type) ? [body, ...unwrapped(body)] : [body]
  return bodies.flatMap((one) => {
    const name = pieces.find(one)
    return name ? [`a piece of ${name} in ${url}`] : []
  })
}

/** Goes to every page that the other one saw, to the end of each, and opens what can be opened. */
export async function visitsAll(window: Window, paths: readonly string[]): Promise<string> {
  const { page } = window
  for (const path of paths) {
    await window.open(path)
    const inside = page.getByRole('button', { name: 'See what’s inside' })
    for (let at = 0; at < (await inside.count()); at++) await inside.nth(at).click()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await window.settled()
  }
  return `${paths.length} pages`
}

/** Asks as programs do that make previews of links: for the pages, and for the pictures that these name. */
export async function asksForPreviews(context: BrowserContext, paths: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = []
  const ask = async (url: string) => {
    const response = await context.request.get(url, {
      headers: { 'user-agent': 'facebookexternalhit/1.1', accept: '*/*' },
      failOnStatusCode: false,
    })
    const type = response.headers()['content-type'] ?? ''
    const answer = { url: response.url(), status: response.status(), type, body: await response.body() }
    answers.push(answer)
    return answer
  }
  for (const path of paths) {
    const { body, type } = await ask(path)
    if (!type.includes('html')) continue
    const named = [...body.toString().matchAll(/(?:og:image|twitter:image)" content="([^"]+)"/g)]
    for (const [, image = ''] of named) await ask(new URL(image, answers.at(-1)?.url).href)
  }
  return answers
}

/** Tries addresses as they are and by range; answers how often each status came. */
export async function tries(context: BrowserContext, urls: readonly string[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (const url of urls) {
    for (const headers of [{}, { range: 'bytes=0-99' }]) {
      const response = await context.request.get(url, { headers, failOnStatusCode: false })
      statuses.set(response.status(), (statuses.get(response.status()) ?? 0) + 1)
    }
  }
  return statuses
}
