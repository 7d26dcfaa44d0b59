import { addressOf } from '../../contract/address.ts'
import type { Output, Route } from '../../contract/route.ts'
import type { ClientRoute } from './routes.ts'
import { readToken } from './token.ts'

/** Links to media live five minutes, so what isn't used soon is requested again. */
const USED_WITHIN_MS = 60_000

const answers = read()

function read(): Record<string, unknown> {
  try {
    const template = document.querySelector<HTMLTemplateElement>('template#initial-data')
    return JSON.parse(template?.content.textContent ?? '{}')
  } catch {
    return {}
  }
}

/** What the server already answered to this `GET` along with the document, once; undefined when it has to be asked. */
export function takeFirstAnswer(address: string): unknown {
  if (performance.now() > USED_WITHIN_MS) return undefined
  const answer = answers[address]
  delete answers[address]
  return answer
}

/**
 * The same for a query that is needed before anything can be drawn, without a turn of waiting. What came with the
 * document was answered to a visitor, so nothing while somebody is logged in here.
 */
export function answeredAtOnce<R extends Route>(route: ClientRoute<R>): Output<R> | undefined {
  if (readToken() !== null) return undefined
  return takeFirstAnswer(addressOf(route.path, {})) as Output<R> | undefined
}
