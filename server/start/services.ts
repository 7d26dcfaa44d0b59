import { StartError } from '../errors.ts'
import { isLoopback } from '../networks.ts'

/** The outside services that have a sandbox. Where media are stored is none of them: a bucket is a disk elsewhere. */
export const SERVICES = ['payments', 'mail', 'age', 'forum'] as const
export type Service = (typeof SERVICES)[number]

/** Whether each service is the real one, its sandbox, or not there at all. */
export type Services = Record<Service, 'real' | 'sandbox' | 'none'>

const SETTINGS: Record<Service, string> = {
  payments: 'AUTHORIZENET_*',
  mail: 'SMTP_URL',
  age: 'AGE_CHECK_URL',
  forum: 'REDDIT_*',
}

/**
 * Decides which services are sandboxes: all as long as none is configured. Beside a real service a sandbox must be
 * named, so that nobody goes live with a mailbox that anybody can read. Throws a `StartError`.
 */
export function planServices(configured: readonly Service[], named: readonly Service[]): Services {
  const twice = named.find((service) => configured.includes(service))
  if (twice) {
    throw new StartError(
      `SANDBOX names ${twice}, but ${SETTINGS[twice]} is set: take one of the two out of the environment.`,
    )
  }
  if (configured.length === 0)
    return { payments: 'sandbox', mail: 'sandbox', age: 'sandbox', forum: 'sandbox' }
  const paid = configured.includes('payments')
  // Where money is real nobody vouches for themselves: without a provider the operator alone approves an age.
  if (paid && named.includes('age')) {
    throw new StartError(
      'SANDBOX names age, which is not for an installation with a real payment account: set AGE_CHECK_URL, or leave it out, and ages are approved by the operator alone.',
    )
  }
  // Promotion can be left out, so that its sandbox stands beside a real service only where it is named.
  const isLeftOut = (service: Service) =>
    (service === 'age' && paid) || (service === 'forum' && !named.includes('forum'))
  const kindOf = (service: Service) =>
    configured.includes(service) ? 'real' : isLeftOut(service) ? 'none' : 'sandbox'
  const services = {
    payments: kindOf('payments'),
    mail: kindOf('mail'),
    age: kindOf('age'),
    forum: kindOf('forum'),
  } as const
  const unnamed = SERVICES.filter((service) => services[service] === 'sandbox' && !named.includes(service))
  if (unnamed.length === 0) return services
  const real = configured.map((service) => SETTINGS[service]).join(' and ')
  const [are, settings] = [listed(unnamed), listed(unnamed.map((service) => SETTINGS[service]))]
  throw new StartError(
    `${real} ${configured.length === 1 ? 'is' : 'are'} set, but ${are} would still be a sandbox: set ${settings} as well, or say SANDBOX=${[...named, ...unnamed].join(',')} if that is what you want.`,
  )
}

/**
 * Where to listen. A sandbox is for this machine: whatever lets others reach it needs `SANDBOX_TOKEN`.
 * Throws a `StartError` that says what to set.
 */
export function listenHost(
  settings: Partial<Record<'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY' | 'SANDBOX_TOKEN', string | undefined>>,
  services: Services,
): string {
  const { HOST, PUBLIC_URL, TRUST_PROXY, SANDBOX_TOKEN } = settings
  const sandboxes = SERVICES.filter((service) => services[service] === 'sandbox')
  if (sandboxes.length === 0) return HOST ?? '0.0.0.0'
  const opens = [
    HOST && !isLoopback(HOST) ? `HOST=${HOST}` : null,
    TRUST_PROXY ? 'TRUST_PROXY' : null,
    PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname) ? 'PUBLIC_URL' : null,
  ].find((setting) => setting !== null)
  if (opens && !SANDBOX_TOKEN) {
    throw new StartError(
      `${opens} lets others reach the sandbox of ${listed(sandboxes)}, where anyone may do anything: set SANDBOX_TOKEN to at least 16 characters that only you know, or configure the real services.`,
    )
  }
  return HOST ?? '127.0.0.1'
}

/**
 * The setting to change when one keeps the server from listening; any other error, such as too many open files, as it
 * is.
 */
export function listenError(
  error: NodeJS.ErrnoException,
  { HOST, PORT }: { HOST: string; PORT: number },
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(`Port ${PORT} is taken by another program: stop it, or set PORT to a free one.`)
    case 'EACCES':
      return new StartError(`Port ${PORT} is not allowed for this user: set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `HOST ${HOST} isn’t an address of this machine: set HOST to 0.0.0.0 or 127.0.0.1.`,
      )
    default:
      return error
  }
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
