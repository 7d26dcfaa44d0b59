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
