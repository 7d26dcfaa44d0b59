import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { sampleLogIns } from '../sample/people.ts'

/** `password`: of the sample accounts, null where there are none. */
type Ready = Pick<Config, 'BRAND_NAME' | 'PUBLIC_URL' | 'PORT'> & { password: string | null }

const readyAt = ({ BRAND_NAME, PUBLIC_URL, PORT }: Ready) =>
  `${BRAND_NAME} is ready at ${PUBLIC_URL ?? `http://localhost:${PORT}`}`

/** What a person in a terminal reads once it is ready. */
export function greeting(ready: Ready): string {
  const { password } = ready
  const logIns = password
    ? ['Log in as:', ...sampleLogIns.map(({ role, email }) => `  ${role.padEnd(11)} ${email}  ${password}`)]
    : []
  return `${[readyAt(ready), ...logIns].join('\n')}\n`
}

/** The same as lines of the log. */
export function announce(log: Logger, ready: Ready): void {
  const { password } = ready
  if (password)
    for (const { role, email } of sampleLogIns) log.info({ role, email, password }, 'Sample account')
  log.info(readyAt(ready))
}
