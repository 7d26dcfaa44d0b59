import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { StartError } from './errors.ts'

const bucket = {
  STORAGE: 's3',
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'media',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}

describe('storage', () => {
  it('is the disk unless said otherwise', () => {
    expect(readConfig({}).STORAGE).toBe('disk')
    expect(readConfig({ STORAGE: '' }).STORAGE).toBe('disk')
  })

  it('in a bucket takes Amazon’s own address, or another one', () => {
    expect(readConfig(bucket)).toMatchObject({ ...bucket, S3_FORCE_PATH_STYLE: 'off' })
    const own = { ...bucket, S3_ENDPOINT: 'http://localhost:9000', S3_FORCE_PATH_STYLE: 'on' }
    expect(readConfig(own)).toMatchObject(own)
  })

  it.each([
    ...['S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].flatMap((name) => [
      [name, { [name]: '' }],
      [name, { [name]: undefined }],
    ]),
    ['S3_ENDPOINT', { S3_ENDPOINT: 'not an address' }],
    ['S3_ENDPOINT', { S3_ENDPOINT: 'file:///etc' }],
    ['S3_FORCE_PATH_STYLE', { S3_FORCE_PATH_STYLE: 'perhaps' }],
    ['STORAGE', { STORAGE: 'tape' }],
  ] as [string, NodeJS.ProcessEnv][])('does not start with a wrong %s: %j', (name, changes) => {
    const start = () => readConfig({ ...bucket, ...changes })
    expect(start).toThrow(StartError)
    expect(start).toThrow(name)
  })
})

describe('Redis', () => {
  it('is refused with what to set in its place, as it would do nothing', () => {
    expect(() => readConfig({ REDIS_URL: 'redis://localhost:6379' })).toThrow(/REDIS_URL.*DATABASE_URL/)
    expect(() => readConfig({ REDIS_URL: '' })).not.toThrow()
  })
})

describe('the how-to video', () => {
  it('is a file that is there, an address, or nothing', () => {
    for (const HOW_TO_VIDEO of [import.meta.filename, 'https://videos.example/a.mp4'])
      expect(readConfig({ HOW_TO_VIDEO }).HOW_TO_VIDEO).toBe(HOW_TO_VIDEO)
    expect(readConfig({ HOW_TO_VIDEO: '' }).HOW_TO_VIDEO).toBeUndefined()
  })

  it.each(['/nowhere/video.mp4', import.meta.dirname, 'http://videos.example/a.mp4'])(
    'does not start with %s',
    (HOW_TO_VIDEO) => {
      const start = () => readConfig({ HOW_TO_VIDEO })
      expect(start).toThrow(StartError)
      expect(start).toThrow(`HOW_TO_VIDEO names the file ${HOW_TO_VIDEO}, which is not there`)
    },
  )
})

describe('room for unfinished uploads', () => {
  it('is four of the largest files unless said otherwise', () => {
    expect(readConfig({ MAX_FILE_BYTES: '1000' }).MAX_UNFINISHED_BYTES).toBe(4000)
    expect(readConfig({ MAX_FILE_BYTES: '1000', MAX_UNFINISHED_BYTES: '1000' }).MAX_UNFINISHED_BYTES).toBe(
      1000,
    )
  })

  it('does not start with less than the largest file takes', () => {
    const start = () => readConfig({ MAX_FILE_BYTES: '1000', MAX_UNFINISHED_BYTES: '999' })
    expect(start).toThrow(StartError)
    expect(start).toThrow('MAX_UNFINISHED_BYTES')
  })
})

describe('settings that belong to others', () => {
  const account = {
    ...{
      AUTHORIZENET_API_LOGIN_ID: 'login',
      AUTHORIZENET_TRANSACTION_KEY: 'key',
      AUTHORIZENET_CLIENT_KEY: 'client',
    },
    SANDBOX: 'mail,forum',
  }
  const database = { DATABASE_URL: 'postgres://app@db/fanfare', SECRET_KEY: 'x'.repeat(32) }

  it('are taken beside them', () => {
    expect(readConfig({ ...account, AUTHORIZENET_SIGNATURE_KEY: 'aB'.repeat(64) })).toMatchObject({
      AUTHORIZENET_SIGNATURE_KEY: 'aB'.repeat(64),
    })
    const DATABASE_OWNER_URL = 'postgres://owner@db/fanfare'
    expect(readConfig({ ...database, DATABASE_OWNER_URL })).toMatchObject({ DATABASE_OWNER_URL })
  })

  it.each<[string, NodeJS.ProcessEnv]>([
    ['AUTHORIZENET_SIGNATURE_KEY', { AUTHORIZENET_SIGNATURE_KEY: 'AB'.repeat(64) }],
    ['AUTHORIZENET_SIGNATURE_KEY', { ...account, AUTHORIZENET_SIGNATURE_KEY: 'AB'.repeat(63) }],
    ['DATABASE_OWNER_URL', { DATABASE_OWNER_URL: 'postgres://owner@db/fanfare' }],
    ['DATABASE_OWNER_URL', { ...database, DATABASE_OWNER_URL: 'http://db/fanfare' }],
  ])('do not start without them, or wrong: %s %j', (name, settings) => {
    const start = () => readConfig(settings)
    expect(start).toThrow(StartError)
    expect(start).toThrow(name)
  })
})
