/** Links to media live five minutes, so what nobody asked for soon is asked anew. */
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
