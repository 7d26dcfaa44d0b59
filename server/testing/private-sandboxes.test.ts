import { expect, test } from 'vitest'
import { listenPrivately } from '../../sandboxes.ts'

test('sandboxes that a product has for itself answer nobody who doesn’t know their path', async () => {
  const plugin = async (app: { get(path: string, answer: () => string): unknown }) => {
    app.get('/messages', () => 'all mail')
  }
  const sandboxes = await listenPrivately({ mail: plugin as never }, '/of-one-product')
  try {
    const known = await fetch(`${sandboxes.origin}/sandbox/mail/messages`)
    expect([known.status, await known.text()]).toEqual([200, 'all mail'])
    const { origin } = new URL(sandboxes.origin)
    for (const path of ['/sandbox/mail/messages', '/of-another/sandbox/mail/messages', '/'])
      expect((await fetch(origin + path)).status).toBe(404)
  } finally {
    await sandboxes.close()
  }
})
