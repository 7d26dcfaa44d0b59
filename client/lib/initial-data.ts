import { addressOf } from '../../contract/address.ts'
import type { Output, Route } from '../../contract/route.ts'
import type { ClientRoute } from './routes.ts'
import { readToken } from './token.ts'

/** Media links live five minutes, so data that isn't used soon is requested again. */
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

/** The server's answer to this `GET` that came with the document, once; undefined if it has to be requested. */
export function takeFirstAnswer(address: string): unknown {
  if (performance.now() > USED_WITHIN_MS) return undefined
  const answer = answers[address]
  delete answers[address]
  return answer
}

/**
 * The same, synchronously, for a query that is needed before anything can be drawn. Initial data was made for a visitor,
 * so there is none while somebody is logged in.
 */
export function answeredAtOnce<R extends Route>(route: ClientRoute<R>): Output<R> | undefined {
  if (readToken() !== null) return undefined
  return takeFirstAnswer(addressOf(route.path, {})) as Output<R> | undefined
}
