import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import { listenError, SERVICES, type Service } from './services.ts'

const payments = {
  AUTHORIZENET_API_LOGIN_ID: 'login',
  AUTHORIZENET_TRANSACTION_KEY: 'key',
  AUTHORIZENET_CLIENT_KEY: 'client',
}
const mail = { SMTP_URL: 'smtp://127.0.0.1:25' }
const age = { AGE_CHECK_URL: 'https://ages.example/', AGE_CHECK_SECRET: 'a secret of thirty-two characters' }
const forum = {
  REDDIT_CLIENT_ID: 'client-of-ours',
  REDDIT_CLIENT_SECRET: 'secret',
  REDDIT_USER_AGENT: 'web:fanfare.test:1.0.0 (by /u/fanfare)',
}
const settings: Record<Service, Record<string, string>> = { payments, mail, age, forum }
/** Each service that may be real, alone and with every choice of the others. */
const everySet = Array.from(
  { length: 2 ** SERVICES.length - 1 },
  (_, index): [what: string, real: Service[]] => {
    const real = SERVICES.filter((_service, bit) => ((index + 1) >> bit) & 1)
    return [real.join(' and '), real]
  },
)
const token = { SANDBOX_TOKEN: 'only the operator knows it' }

function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    expect((error as Error).message).toMatch(/^[^\n]+\.$/)
    return (error as Error).message
  }
  throw new Error('It would have started.')
}

describe('with nothing configured', () => {
  test('everything is a sandbox, for this machine alone', () => {
    const { services, HOST } = readConfig({})
    expect(services).toEqual({ payments: 'sandbox', mail: 'sandbox', age: 'sandbox', forum: 'sandbox' })
    expect(HOST).toBe('127.0.0.1')
  })

  test.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'HOST=%s is this machine',
    (HOST) => {
      expect(readConfig({ HOST }).HOST).toBe(HOST)
    },
  )

  test.each<[string, NodeJS.ProcessEnv]>([
    ['HOST=0.0.0.0', { HOST: '0.0.0.0' }],
    ['HOST=::', { HOST: '::' }],
    ['HOST=192.168.1.5', { HOST: '192.168.1.5' }],
    ['HOST=::ffff:192.168.1.5', { HOST: '::ffff:192.168.1.5' }],
    ['HOST=127.example.com', { HOST: '127.example.com' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'loopback' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://fanfare.example' }],
  ])('%s needs SANDBOX_TOKEN', (setting, environment) => {
    expect(refusal(environment)).toContain(setting)
    expect(refusal(environment)).toContain('set SANDBOX_TOKEN')
    expect(refusal({ ...environment, SANDBOX_TOKEN: 'short' })).toContain('SANDBOX_TOKEN')
    expect(readConfig({ ...environment, ...token }).services.mail).toBe('sandbox')
  })
})

describe('beside a real service no sandbox is left by mistake', () => {
  test.each(everySet)('%s: the start names the others and stops', (_what, real) => {
    const environment = Object.assign({}, ...real.map((service) => settings[service]))
    const isReal = (service: Service) => real.includes(service)
    // The forum can be left out, and with real money so is the age check.
    const left = SERVICES.filter(
      (service) => !isReal(service) && service !== 'forum' && !(service === 'age' && isReal('payments')),
    )
    const named = left.join(',')
    if (left.length > 0) {
      expect(refusal(environment)).toContain(
        `${named.replace(/,(?=[^,]*$)/, ' and ').replace(',', ', ')} would`,
      )
      expect(refusal(environment)).toContain(`SANDBOX=${named}`)
    }
    const { services, HOST } = readConfig({ ...environment, SANDBOX: named })
    for (const service of SERVICES)
      expect(services[service]).toBe(isReal(service) ? 'real' : left.includes(service) ? 'sandbox' : 'none')
    // The named service is still a sandbox, so it is for this machine only.
    expect(HOST).toBe(left.length > 0 ? '127.0.0.1' : '0.0.0.0')
    if (left.length > 0)
      expect(refusal({ ...environment, SANDBOX: named, HOST: '0.0.0.0' })).toContain('SANDBOX_TOKEN')
  })

  test('all of them: it listens everywhere, and there is no sandbox', () => {
    const { services, HOST } = readConfig({ ...payments, ...mail, ...age })
    expect(services).toEqual({ payments: 'real', mail: 'real', age: 'real', forum: 'none' })
    expect(HOST).toBe('0.0.0.0')
  })

  test('the forum is there where it is set or named, and nowhere else', () => {
    const real = { ...payments, ...mail, ...age }
    expect(readConfig({ ...real, ...forum }).services.forum).toBe('real')
    expect(readConfig({ ...real, SANDBOX: 'forum', ...token }).services.forum).toBe('sandbox')
    expect(refusal({ ...real, ...forum, SANDBOX: 'forum' })).toContain('REDDIT_*')
    expect(refusal({ ...real, REDDIT_CLIENT_ID: 'client-of-ours' })).toContain('REDDIT_CLIENT_SECRET')
  })

  test('with real money nobody vouches for their own age', () => {
    expect(readConfig({ ...payments, ...mail }).services.age).toBe('none')
    expect(refusal({ ...payments, ...mail, SANDBOX: 'age' })).toContain('real payment account')
  })

  test('a bucket is no such service', () => {
    const bucket = {
      STORAGE: 's3',
      S3_REGION: 'r',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 's',
    }
    expect(readConfig(bucket).services.payments).toBe('sandbox')
  })

  test('a service that is set and named, an unknown one, and sample data beside real money are refused', () => {
    expect(refusal({ ...mail, SANDBOX: 'mail,payments,age' })).toContain(
      'SANDBOX names mail, but SMTP_URL is set',
    )
    expect(refusal({ SANDBOX: 'storage' })).toContain('SANDBOX')
    expect(refusal({ ...payments, ...mail, SAMPLE_DATA: 'on' })).toContain('SAMPLE_DATA=on')
  })
})

describe('a server that can’t listen', () => {
  const where = { HOST: '10.0.0.9', PORT: 80 }
  const failed = (code: string) => Object.assign(new Error(`listen ${code}`), { code })

  test.each([
    ['EADDRINUSE', 'Port 80 is taken'],
    ['EACCES', 'Port 80 is not allowed'],
    ['EADDRNOTAVAIL', 'HOST 10.0.0.9'],
    ['ENOTFOUND', 'HOST 10.0.0.9'],
  ])('for %s says what to set', (code, says) => {
    const told = listenError(failed(code), where)
    expect(told).toBeInstanceOf(StartError)
    expect(told.message).toContain(says)
  })

  test('for a reason of the machine’s blames no setting', () => {
    const error = failed('EMFILE')
    expect(listenError(error, where)).toBe(error)
  })
})
