import { parseArgs } from 'node:util'
import fastify from 'fastify'
import { authorizenetSandbox } from './plugin.ts'

/**
 * The sandbox gateway as a process of its own: `node standalone.ts --port 0 --store file`. Prints one line of JSON,
 * `{"origin", "apiUrl", "scriptUrl", "adminUrl"}`, once it listens; SIGTERM and SIGINT stop it.
 * Its clock is the system's, moved forward by `POST /clock {"advanceSeconds": 300}`.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    store: { type: 'string', default: ':memory:' },
    'api-login-id': { type: 'string', default: 'sandboxLogin' },
    'transaction-key': { type: 'string', default: 'sandboxKey000001' },
    'client-key': { type: 'string', default: 'sandbox-client-key' },
    'signature-key': { type: 'string', default: '5A'.repeat(64) },
    'webhook-url': { type: 'string' },
  },
})

const webhookUrl = values['webhook-url']
let offsetMs = 0
const app = fastify({ forceCloseConnections: true })
app.post<{ Body: { advanceSeconds: number } }>('/clock', async ({ body }) => {
  offsetMs += body.advanceSeconds * 1000
  return { offsetMs }
})
await app.register(
  authorizenetSandbox({
    store: values.store,
    now: () => new Date(Date.now() + offsetMs),
    credentials: {
      apiLoginID: values['api-login-id'],
      transactionKey: values['transaction-key'],
      clientKey: values['client-key'],
      signatureKey: values['signature-key'],
    },
    webhookUrl: webhookUrl === undefined ? null : () => webhookUrl,
  }),
  { prefix: '/sandbox/authorizenet' },
)
const origin = await app.listen({ port: Number(values.port), host: '127.0.0.1' })
const gateway = `${origin}/sandbox/authorizenet`
const addresses = {
  origin,
  apiUrl: `${gateway}/xml/v1/request.api`,
  scriptUrl: `${gateway}/v1/Accept.js`,
  adminUrl: `${gateway}/admin`,
}
process.stdout.write(`${JSON.stringify(addresses)}\n`)

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void app.close())
