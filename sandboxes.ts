import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyPluginAsync } from 'fastify'
import { authorizenetSandbox } from './sandbox/authorizenet/plugin.ts'
import { mailSandbox } from './sandbox/mail/plugin.ts'

/** Credentials that every installation's sandbox gateway accepts; they open nothing but the sandbox. */
export const SANDBOX_CREDENTIALS = {
  apiLoginID: 'sandboxLogin',
  transactionKey: 'sandboxKey000001',
  clientKey: 'sandbox-client-key',
}

/** Starts the stand-ins for the outside services that no account is configured for; their state lies below `dataDir`. */
export async function startSandboxes(options: {
  dataDir: string
  now: () => Date
  payments: boolean
  mail: boolean
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
            }),
          }
        : {}),
      ...(mail ? { mail: mail.plugin } : {}),
    },
    smtpUrl: mail?.smtpUrl ?? null,
    close: async () => mail?.close(),
  }
}
