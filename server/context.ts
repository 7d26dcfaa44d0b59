import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { createKeyring } from './crypto/keyring.ts'
import { type LastingHash, lastingKey, lastingSigner, recoveryCodeHash } from './crypto/lasting-keys.ts'
import { createSigner, type Signer } from './crypto/signer.ts'
import { createVault, type Vault } from './crypto/vault.ts'
import type { Db } from './db/client.ts'
import { hostedAgeChecks } from './ports/age/hosted/adapter.ts'
import { type AgeChecks, SANDBOX_PROVIDER } from './ports/age/port.ts'
import type { Forum } from './ports/forum/port.ts'
import { reddit } from './ports/forum/reddit/adapter.ts'
import { createBudget } from './ports/forum/reddit/budget.ts'
import { localGeo } from './ports/geo/local/adapter.ts'
import type { Geo } from './ports/geo/port.ts'
import type { Mail } from './ports/mail/port.ts'
import { smtpMail } from './ports/mail/smtp/adapter.ts'
import { authorizenet } from './ports/payments/authorizenet/adapter.ts'
import type { Payments } from './ports/payments/port.ts'
import type { Push } from './ports/push/port.ts'
import { generateVapidKeys, PUSH_SERVICES, webPush } from './ports/push/webpush/adapter.ts'
import { diskStorage } from './ports/storage/disk/adapter.ts'
import type { Storage } from './ports/storage/port.ts'
import { mediaProcessor } from './ports/video/libav/adapter.ts'
import type { MediaProcessor } from './ports/video/port.ts'
import { type ByteCache, createByteCache } from './streams/byte-cache.ts'

/** The parts of the running server; made once at the start and passed to everything that needs them. */
export type Context = {
  config: Config
  /** Origin that people see, without a slash at its end. */
  publicUrl: string
  db: Db
  clock: Clock
  log: Logger
  payments: Payments
  storage: Storage
  mail: Mail
  /** Null where there is no push service that we may speak to. */
  push: Push | null
  geo: Geo
  /** Null when there is no provider: then only the operator approves an age. */
  ageChecks: AgeChecks | null
  /** Null where no forum is set up. */
  forum: Forum | null
  processor: MediaProcessor
  /** Pictures that carry a viewer's name, by viewer. */
  watermarked: ByteCache
  /** Derives keys for signing; one secret, one purpose each. */
  signer: Signer
  /** Signs what must hold after every rotation of the secret: links in mails, cookies of known devices. */
  lastingSigner: Signer
  /** Encrypts what is stored but must not be read there. */
  vault: Vault
  /** Hashes recovery codes, the same way after every rotation of the secret. */
  recoveryHash: LastingHash
  /** Whether operators can do nothing before they have a second factor (docs/product.md, Access). */
  secondFactorRequired: boolean
  /** Whether creators may publish and sell: closed with a real payment account until identity and review exist (docs/product.md, Records and moderation). */
  publishingOpen: boolean
  /** Whether this process is making the sample data of a first start right now. */
  makingSampleData: boolean
  /** A named moment at which a test ends the process, or lets something else happen; does nothing otherwise. */
  checkpoint: (name: Checkpoint) => Promise<void>
}

export type Checkpoint =
  | 'purchase.before-intent'
  | 'purchase.intent-committed'
  | 'purchase.submitting-committed'
  | 'purchase.gateway-answered'
  | 'purchase.before-capture-commit'
  | 'purchase.capture-committed'
  | 'card.intent-committed'
  | 'card.gateway-answered'
  | 'renewal.claimed'
  | 'renewal.gateway-answered'
  | 'refund.intent-committed'
  | 'refund.submitting-committed'
  | 'refund.gateway-answered'
  | 'refund.before-record-commit'
  | 'refund.recorded'
  | 'settlement.before-commit'
  | 'settlement.committed'
  | 'call.before-commit'
  | 'call.committed'
  | 'post.claimed'
  | 'post.answered'
  | 'comment.answered'
  | 'reply.claimed'
  | 'reply.answered'

/** Where the sandboxes answer, for the services that no account is configured for. */
export type SandboxAddresses = {
  authorizenet: {
    apiUrl: string
    scriptUrl: string
    apiLoginID: string
    transactionKey: string
    clientKey: string
    signatureKey: string
  } | null
  age: { url: string; secret: string } | null
  /** Where the forum's sandbox answers browsers, and us. */
  reddit: { url: string; internalUrl: string; clientId: string; clientSecret: string } | null
  smtpUrl: string | null
  /** Below which the sandbox of push services answers. */
  pushUrl?: string | null
}

/** Where the store holds the how-to page's video of the sample data. */
export const HOW_TO_VIDEO_KEY = 'how-to/video.mp4'

/** Chooses the adapters: the only place that does. Each speaks to the configured service, else to its sandbox. */
export async function createContext(options: {
  config: Config
  publicUrl: string
  secretKey: string
  /** Older secrets that are still read. */
  previousKeys?: readonly string[]
  db: Db
  clock: Clock
  log: Logger
  sandboxes: SandboxAddresses
  checkpoint?: Context['checkpoint']
}): Promise<Context> {
  const { config, sandboxes } = options
  const account = sandboxes.authorizenet ?? {
    apiUrl: config.AUTHORIZENET_API_URL ?? 'https://api.authorize.net/xml/v1/request.api',
    scriptUrl: config.AUTHORIZENET_SCRIPT_URL ?? 'https://js.authorize.net/v1/Accept.js',
    apiLoginID: config.AUTHORIZENET_API_LOGIN_ID ?? '',
    transactionKey: config.AUTHORIZENET_TRANSACTION_KEY ?? '',
    clientKey: config.AUTHORIZENET_CLIENT_KEY ?? '',
    signatureKey: config.AUTHORIZENET_SIGNATURE_KEY,
  }
  const sandbox = sandboxes.authorizenet !== null
  const keyring = createKeyring(options.secretKey, options.previousKeys)
  const vault = createVault(keyring)
  return {
    config,
    publicUrl: options.publicUrl,
    db: options.db,
    clock: options.clock,
    log: options.log,
    payments: authorizenet({ ...account, sandbox }),
    storage: await storageOf(config),
    mail: smtpMail({
      url: sandboxes.smtpUrl ?? config.SMTP_URL ?? '',
      from: config.MAIL_FROM ?? `"${config.BRAND_NAME.replace(/["\\]/g, '')}" <${config.OPERATOR_EMAIL}>`,
    }),
    push: await createPush(config, sandboxes, { db: options.db, vault }),
    geo: localGeo({
      ...(config.GEO_REGION_HEADER ? { regionHeader: config.GEO_REGION_HEADER } : {}),
      ...(config.GEO_COUNTRY_HEADER ? { countryHeader: config.GEO_COUNTRY_HEADER } : {}),
    }),
    ageChecks: ageChecks(config, sandboxes),
    forum: createForum(options),
    processor: mediaProcessor({}),
    watermarked: createByteCache({ maxBytes: 64 * 1024 * 1024, keptMs: 5 * 60 * 1000 }),
    signer: createSigner(keyring),
    lastingSigner: await lastingSigner(options.db, vault, keyring),
    vault,
    recoveryHash: await recoveryCodeHash(options.db, vault, keyring),
    secondFactorRequired: secondFactorRequired(config),
    publishingOpen: sandbox,
    makingSampleData: false,
    checkpoint: options.checkpoint ?? (async () => {}),
  }
}

/** Below `DATA_DIR`, or in the configured bucket; the bucket's client is loaded only where it is used. */
async function storageOf(config: Config): Promise<Storage> {
  if (config.STORAGE === 'disk') return diskStorage({ root: join(config.DATA_DIR, 'media') })
  const { s3Storage } = await import('./ports/storage/s3/adapter.ts')
  return s3Storage({
    endpoint: config.S3_ENDPOINT ?? null,
    region: config.S3_REGION ?? '',
    bucket: config.S3_BUCKET ?? '',
    accessKeyId: config.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: config.S3_FORCE_PATH_STYLE === 'on',
    folder: join(config.DATA_DIR, 'lent'),
  })
}

/** To the services of the setting, else to all as soon as any service is real: a trial speaks to nobody outside. */
async function createPush(
  config: Config,
  { pushUrl = null }: SandboxAddresses,
  { db, vault }: { db: Db; vault: Vault },
): Promise<Push | null> {
  const services = config.PUSH_SERVICES.length > 0 || isTrial(config) ? config.PUSH_SERVICES : PUSH_SERVICES
  if (services.length === 0 && pushUrl === null) return null
  const first = JSON.stringify(generateVapidKeys())
  const keys = JSON.parse(await lastingKey(db, vault, { name: 'vapid', first })) as ReturnType<
    typeof generateVapidKeys
  >
  const subject = config.VAPID_SUBJECT ?? `mailto:${config.OPERATOR_EMAIL}`
  return webPush({ ...keys, subject, services, sandbox: pushUrl })
}

/** How long one call to the forum may take, and the waits before what failed is tried again, in milliseconds. */
export const FORUM_TIMEOUT_MS = 8_000
const FORUM_RETRY_WAITS_MS = [250, 1_000]

function createForum(options: Parameters<typeof createContext>[0]): Forum | null {
  const { config, sandboxes, db, clock, log, publicUrl } = options
  const { REDDIT_CLIENT_ID: clientId, REDDIT_CLIENT_SECRET: clientSecret } = config
  const real =
    clientId && clientSecret
      ? {
          clientId,
          clientSecret,
          consentUrl: 'https://www.reddit.com',
          wwwUrl: 'https://www.reddit.com',
          apiUrl: 'https://oauth.reddit.com',
        }
      : null
  const { reddit: sandbox } = sandboxes
  const account = sandbox
    ? { ...sandbox, consentUrl: sandbox.url, wwwUrl: sandbox.internalUrl, apiUrl: sandbox.internalUrl }
    : real
  if (!account) return null
  return reddit({
    ...account,
    redirectUri: `${publicUrl}/tokenconfirmation`,
    userAgent: config.REDDIT_USER_AGENT ?? 'web:fanfare.sandbox:1.0.0 (by /u/fanfare)',
    timeoutMs: FORUM_TIMEOUT_MS,
    retryWaitsMs: FORUM_RETRY_WAITS_MS,
    budget: createBudget(db, account.clientId),
    now: clock.now,
    log: log.child({ part: 'forum' }),
  })
}

/** By the setting, else as soon as a real service is configured. */
function secondFactorRequired(config: Config): boolean {
  if (config.SUPERADMIN_SECOND_FACTOR) return config.SUPERADMIN_SECOND_FACTOR === 'on'
  return !isTrial(config)
}

/** Whether no service is real: all that is here is tried out. */
export const isTrial = ({ services }: Config) => !Object.values(services).includes('real')

function ageChecks(config: Config, { age }: SandboxAddresses): AgeChecks | null {
  if (age) return hostedAgeChecks({ ...age, provider: SANDBOX_PROVIDER })
  const { AGE_CHECK_URL: url, AGE_CHECK_SECRET: secret } = config
  return url && secret ? hostedAgeChecks({ url, secret, provider: new URL(url).hostname }) : null
}
