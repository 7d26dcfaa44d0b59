import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import fastify, { type FastifyPluginAsync } from 'fastify'
import { ageSandbox } from './sandbox/age/plugin.ts'
import { authorizenetSandbox } from './sandbox/authorizenet/plugin.ts'
import { mailSandbox } from './sandbox/mail/plugin.ts'
import { pushSandbox } from './sandbox/push/plugin.ts'
import { redditSandbox } from './sandbox/reddit/plugin.ts'

/** Credentials that every installation's sandbox gateway accepts; they open nothing but the sandbox. */
export const SANDBOX_CREDENTIALS = {
  apiLoginID: 'sandboxLogin',
  transactionKey: 'sandboxKey000001',
  clientKey: 'sandbox-client-key',
  signatureKey: '5A'.repeat(64),
}

/** The client that every installation's sandbox forum knows. */
export const SANDBOX_FORUM_CLIENT = { clientId: 'sandboxClient', clientSecret: 'sandboxClientSecret' }

/**
 * Serves sandboxes to this machine alone, on a port of their own, below this path. What is asked there names no token, so the
 * product takes a path that nobody guesses.
 */
export async function listenPrivately(
  plugins: Record<string, FastifyPluginAsync>,
  path: `/${string}` | '',
): Promise<{ origin: string; close(): Promise<void> }> {
  // Who asks has stopped before; a connection on which nothing was asked yet would hold the stop up for a minute.
  const server = fastify({ forceCloseConnections: true })
  for (const [name, plugin] of Object.entries(plugins))
    await server.register(plugin, { prefix: `${path}/sandbox/${name}` })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { origin: `${address}${path}`, close: () => server.close() }
}

/** Starts the stand-ins for the outside services that no account is configured for; their state lies below `dataDir`. */
export async function startSandboxes(options: {
  dataDir: string
  now: () => Date
  payments: boolean
  /** Where the gateway sends its webhooks, asked when it does; null for a gateway that only keeps them. */
  webhooks?: (() => string) | null
  mail: boolean
  push: boolean
  /** Where the age check delivers its results, asked when it does, and what it signs with; null for no such check. */
  age: { results: () => string; secret: string } | null
  /** Where the forum's consent page may lead back to; null for no forum. */
  forum: { redirectUri: string } | null
}): Promise<{
  plugins: Record<string, FastifyPluginAsync>
  smtpUrl: string | null
  close(): Promise<void>
}> {
  const folder = join(options.dataDir, 'sandbox')
  await mkdir(folder, { recursive: true })
  const mail = options.mail
    ? await mailSandbox({ store: join(folder, 'mail.sqlite'), now: options.now })
    : null
  return {
    plugins: {
      ...(options.payments
        ? {
            authorizenet: authorizenetSandbox({
              store: join(folder, 'authorizenet.sqlite'),
              now: options.now,
              credentials: SANDBOX_CREDENTIALS,
              webhookUrl: options.webhooks ?? null,
            }),
          }
        : {}),
      ...(options.age
        ? {
            age: ageSandbox({
              secret: options.age.secret,
              webhookUrl: options.age.results,
              now: options.now,
            }),
          }
        : {}),
      ...(mail ? { mail: mail.plugin } : {}),
      ...(options.push ? { push: pushSandbox() } : {}),
      ...(options.forum
        ? {
            reddit: redditSandbox({
              store: join(folder, 'reddit.sqlite'),
              now: options.now,
              client: {
                id: SANDBOX_FORUM_CLIENT.clientId,
                secret: SANDBOX_FORUM_CLIENT.clientSecret,
                redirectUris: [options.forum.redirectUri],
              },
            }),
          }
        : {}),
    },
    smtpUrl: mail?.smtpUrl ?? null,
    close: async () => mail?.close(),
  }
}
