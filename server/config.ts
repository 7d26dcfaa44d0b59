import { statSync } from 'node:fs'
import { z } from 'zod'
import { COMMISSION_READINGS } from '../contract/commissions.ts'
import { MAX_FILE_BYTES, MAX_LIBRARY_BYTES } from '../contract/constants.ts'
import { StartError } from './errors.ts'
import { trustedProxies } from './http/trusted-proxies.ts'
import { listenHost, planServices, SERVICES, type Service, type Services } from './start/services.ts'

const Flag = z.enum(['on', 'off'])
const Url = z.url()
const blankIsUnset = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsUnset, schema.optional())
/** Separated by commas; empty when it is not set. */
const list = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    const words = String(value ?? '').split(',')
    return words.map((word) => word.trim()).filter(Boolean)
  }, z.array(schema))

/** Every setting there is, read once from the environment (docs/product.md, Calls). `docs/operating.md` explains each. */
const Environment = z.object({
  PORT: z.preprocess(blankIsUnset, z.coerce.number().int().min(0).max(65535).default(4000)),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(Url),
  DATA_DIR: z.preprocess(blankIsUnset, z.string().default('.data')),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  DATABASE_OWNER_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })),
  REDIS_URL: optional(z.string()),
  ROLE: z.preprocess(blankIsUnset, z.enum(['all', 'web', 'worker']).default('all')),
  SAMPLE_DATA: optional(Flag),
  SECRET_KEY: optional(z.string().min(32)),
  SECRET_KEY_PREVIOUS: list(z.string().min(32)),
  SANDBOX: list(z.enum(SERVICES)),
  SANDBOX_TOKEN: optional(z.string().min(16)),
  LOG_LEVEL: z.preprocess(blankIsUnset, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
  LOG_FORMAT: optional(z.enum(['json', 'pretty'])),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  VAPID_SUBJECT: optional(z.url({ protocol: /^(mailto|https)$/ })),
  PUSH_SERVICES: list(z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/)),
  MAIL_FROM: optional(z.string().max(200)),
  AUTHORIZENET_API_LOGIN_ID: optional(z.string().max(25)),
  AUTHORIZENET_TRANSACTION_KEY: optional(z.string().max(16)),
  AUTHORIZENET_CLIENT_KEY: optional(z.string().max(200)),
  AUTHORIZENET_SIGNATURE_KEY: optional(z.string().regex(/^[\da-f]{128}$/i, 'it has 128 hexadecimal digits')),
  AUTHORIZENET_API_URL: optional(Url),
  AUTHORIZENET_SCRIPT_URL: optional(Url),
  REDDIT_CLIENT_ID: optional(z.string().regex(/^[\w-]{5,60}$/)),
  REDDIT_CLIENT_SECRET: optional(z.string().max(200)),
  REDDIT_USER_AGENT: optional(z.string().min(7).max(200)),
  TRUST_PROXY: optional(z.string().max(500)),
  AGE_CHECK_URL: optional(Url),
  AGE_CHECK_SECRET: optional(z.string().min(32)),
  GEO_REGION_HEADER: optional(z.string().max(60)),
  GEO_COUNTRY_HEADER: optional(z.string().max(60)),
  SUPERADMIN_SECOND_FACTOR: optional(Flag),
  METRICS_TOKEN: optional(z.string().min(16)),
  PLATFORM_FEE_PERCENT: z.preprocess(
    blankIsUnset,
    z.coerce.number().min(0).max(100).multipleOf(0.01).default(20),
  ),
  REFERRAL_COMMISSION: z.preprocess(blankIsUnset, z.enum(COMMISSION_READINGS).default('affiliate')),
  MIN_PRICE_CENTS: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).max(10_000).default(100)),
  STORAGE: z.preprocess(blankIsUnset, z.enum(['disk', 's3']).default('disk')),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/ })),
  S3_REGION: optional(z.string().max(60)),
  S3_BUCKET: optional(z.string().max(63)),
  S3_ACCESS_KEY_ID: optional(z.string().max(200)),
  S3_SECRET_ACCESS_KEY: optional(z.string().max(200)),
  S3_FORCE_PATH_STYLE: z.preprocess(blankIsUnset, Flag.default('off')),
  MAX_FILE_BYTES: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).default(MAX_FILE_BYTES)),
  EXPORTS_A_DAY: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).default(2)),
  MAX_EXPORT_BYTES: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).default(100_000_000_000)),
  MAX_UNFINISHED_BYTES: optional(z.coerce.number().int().min(1)),
  MAX_LIBRARY_BYTES: z.preprocess(blankIsUnset, z.coerce.number().int().min(1).default(MAX_LIBRARY_BYTES)),
  BRAND_NAME: z.preprocess(blankIsUnset, z.string().max(40).default('Fanfare')),
  OPERATOR_NAME: z.preprocess(blankIsUnset, z.string().max(120).default('Fanfare')),
  OPERATOR_EMAIL: z.preprocess(blankIsUnset, z.email().default('hello@fanfare.example')),
  OPERATOR_ADDRESS: optional(z.string().max(300)),
  OPERATOR_SOCIAL_URL: optional(z.url({ protocol: /^https$/ })),
  HOW_TO_VIDEO: optional(z.string().max(500)),
  FORUM_ACCOUNT: z.preprocess(blankIsUnset, z.string().max(40).default('fanfare')),
})

/** Room for unfinished uploads, in files of the largest size, unless the setting says otherwise. */
const UNFINISHED_FILES = 4

export type Config = z.output<typeof Environment> & {
  HOST: string
  MAX_UNFINISHED_BYTES: number
  /** Which of the outside services are real, by the settings. */
  services: Services
}

/** Parses the environment; a wrong setting stops the start with one sentence that names it. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartError(
      `The setting ${issue?.path.join('.')} is wrong: ${issue?.message}. Correct it in the environment and start again.`,
    )
  }
  const settings = parsed.data
  const services = planServices(configuredServices(settings), settings.SANDBOX)
  const config = {
    ...settings,
    services,
    HOST: listenHost(settings, services),
    MAX_UNFINISHED_BYTES: settings.MAX_UNFINISHED_BYTES ?? UNFINISHED_FILES * settings.MAX_FILE_BYTES,
  }
  const gateway = [
    config.AUTHORIZENET_API_LOGIN_ID,
    config.AUTHORIZENET_TRANSACTION_KEY,
    config.AUTHORIZENET_CLIENT_KEY,
  ]
  if (gateway.some(Boolean) && !gateway.every(Boolean)) {
    throw new StartError(
      'AUTHORIZENET_API_LOGIN_ID, AUTHORIZENET_TRANSACTION_KEY and AUTHORIZENET_CLIENT_KEY belong together: set all three, or none to use the sandbox.',
    )
  }
  if (config.REDIS_URL !== undefined) {
    throw new StartError(
      'REDIS_URL is not used: processes tell each other what happens through the database that DATABASE_URL names. Leave it out, and give every process the same DATABASE_URL.',
    )
  }
  if (config.AUTHORIZENET_SIGNATURE_KEY && !gateway.every(Boolean)) {
    throw new StartError(
      'AUTHORIZENET_SIGNATURE_KEY belongs to the other AUTHORIZENET_* settings: set those too, or leave it out to use the sandbox.',
    )
  }
  if ((config.AGE_CHECK_URL === undefined) !== (config.AGE_CHECK_SECRET === undefined)) {
    throw new StartError(
      'AGE_CHECK_URL and AGE_CHECK_SECRET belong together: set both, or none for no provider of age checks.',
    )
  }
  const forum = [config.REDDIT_CLIENT_ID, config.REDDIT_CLIENT_SECRET, config.REDDIT_USER_AGENT]
  if (forum.some(Boolean) && !forum.every(Boolean)) {
    throw new StartError(
      'REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and REDDIT_USER_AGENT belong together: set all three, or none for no forum.',
    )
  }
  const bucketSettings = ['S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missing = bucketSettings.filter((name) => config[name] === undefined)
  if (config.STORAGE === 's3' && missing.length > 0) {
    throw new StartError(
      `STORAGE=s3 also needs ${missing.join(', ')}: set what is missing, or STORAGE=disk to keep files below DATA_DIR.`,
    )
  }
  if (config.MAX_UNFINISHED_BYTES < config.MAX_FILE_BYTES) {
    throw new StartError(
      'MAX_UNFINISHED_BYTES is less than MAX_FILE_BYTES, so that the largest file could never be sent: raise it, or leave it out.',
    )
  }
  const video = config.HOW_TO_VIDEO
  if (video && !video.startsWith('https://') && !statSync(video, { throwIfNoEntry: false })?.isFile()) {
    throw new StartError(
      `HOW_TO_VIDEO names the file ${video}, which is not there: set it to the path of an MP4 file or an https:// address, or leave it out.`,
    )
  }
  trustedProxies(config.TRUST_PROXY)
  if (services.payments === 'real' && config.SAMPLE_DATA === 'on') {
    throw new StartError(
      'SAMPLE_DATA=on makes accounts with known passwords and invented sales, which is not for a real payment account: leave it out.',
    )
  }
  if (config.DATABASE_OWNER_URL && !config.DATABASE_URL) {
    throw new StartError(
      'DATABASE_OWNER_URL belongs to DATABASE_URL: set both to a database of your own, or neither to use the embedded one.',
    )
  }
  if (config.DATABASE_URL && !config.SECRET_KEY) {
    throw new StartError(
      'SECRET_KEY is required together with DATABASE_URL: set it to at least 32 random characters.',
    )
  }
  return config
}

/** The services that an account is configured for. */
function configuredServices(settings: z.output<typeof Environment>): Service[] {
  const account = {
    payments: settings.AUTHORIZENET_API_LOGIN_ID,
    mail: settings.SMTP_URL,
    age: settings.AGE_CHECK_URL,
    forum: settings.REDDIT_CLIENT_ID,
  }
  return SERVICES.filter((service) => account[service] !== undefined)
}
