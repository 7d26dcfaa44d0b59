import { describe, expect, test } from 'vitest'
import {
  isPreparing,
  isTravelling,
  nextToStart,
  type Preparation,
  reduce,
  resumeRefusal,
  sentName,
  type Upload,
  type UploadEvent,
} from './rules.ts'
import { arrivedPercent, chunkPercent, statusLine, view } from './view.ts'

function uploadsAfter(...events: UploadEvent[]): readonly Upload[] {
  return events.reduce<readonly Upload[]>((uploads, event) => reduce(uploads, event), [])
}

function chosen(...keys: string[]): UploadEvent {
  const files = keys.map((key) => ({ key, name: `${key}.jpg`, size: 200 }))
  return { type: 'chosen', mode: 'signed', maxBytes: 1000, files }
}

function only(uploads: readonly Upload[]): Upload {
  const [upload] = uploads
  if (!upload) throw new Error('There is no upload.')
  return upload
}

const preparation: Preparation = {
  uploadId: 'u1',
  status: 'processing',
  progress: 0,
  error: null,
  code: null,
  mediaId: null,
  duplicateOf: null,
}

const sent: UploadEvent[] = [
  chosen('a'),
  { type: 'started', key: 'a' },
  { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: 0 },
  { type: 'arrived', key: 'a' },
  { type: 'confirmed', key: 'a' },
]

describe('in chunks', () => {
  const MIB = 1_048_576
  const chunked = (...files: [string, number][]): UploadEvent[] => [
    {
      type: 'chosen',
      mode: 'chunked',
      maxBytes: 100 * MIB,
      files: files.map(([key, size]) => ({ key, name: `${key}.mp4`, size })),
    },
  ]
  const halfway: UploadEvent[] = [
    ...chunked(['a', 2.5 * MIB]),
    { type: 'started', key: 'a' },
    { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: MIB },
    { type: 'progressed', key: 'a', sentBytes: 2 * MIB },
  ]
  const failed: UploadEvent = { type: 'failed', key: 'a', error: 'Network error', retryable: true }

  test('files go one at a time, and neither beside whole ones nor before their turn', () => {
    const two = uploadsAfter(...chunked(['a', MIB], ['b', MIB]), chosen('c', 'd'))
    expect(nextToStart(two)).toEqual(['a'])
    const busy = reduce(two, { type: 'started', key: 'a' })
    expect(nextToStart(busy)).toEqual([])
    const whole = uploadsAfter(chosen('c', 'd'), ...chunked(['a', MIB]))
    expect(nextToStart(whole)).toEqual(['c', 'd'])
    expect(nextToStart(reduce(whole, { type: 'started', key: 'c' }))).toEqual(['d'])
  })

  test('an interrupted upload resumes where it was', () => {
    const again = only(
      uploadsAfter(...halfway, failed, { type: 'retried', key: 'a' }, { type: 'started', key: 'a' }),
    )
    expect(again).toMatchObject({ phase: 'starting', uploadId: 'u1', sentBytes: 2 * MIB, error: null })
  })

  test('a refusal that will not pass keeps nothing', () => {
    const refused = only(uploadsAfter(...halfway, { ...failed, retryable: false }))
    expect(refused).toMatchObject({ phase: 'failed', uploadId: null, sentBytes: 0 })
  })

  test.each([
    [0, 0],
    [MIB, 33],
    [2 * MIB, 66],
    [2.5 * MIB, 100],
  ])('%i bytes of three chunks are %i%%', (sentBytes, percent) => {
    expect(chunkPercent({ ...only(uploadsAfter(...halfway)), sentBytes })).toBe(percent)
  })

  test.each([
    [0, 'none', 'Upload has not started'],
    [1, 'some', 'Upload Progress: 1%'],
    [99, 'some', 'Upload Progress: 99%'],
    [100, 'all', 'Upload Complete'],
  ])('with %i of a hundred chunks the line is %s: %s', (chunks, tone, text) => {
    const upload = { ...only(uploadsAfter(...halfway)), bytes: 100 * MIB, sentBytes: chunks * MIB }
    expect(statusLine(upload)).toEqual({ tone, text })
  })

  test('the line of none has not started, and of one that was refused failed', () => {
    const refused = { ...preparation, status: 'failed', code: 'media_unreadable' } as const
    const arrived = uploadsAfter(...halfway, { type: 'arrived', key: 'a' }, { type: 'confirmed', key: 'a' })
    const heard = (preparations: Preparation[]) => only(reduce(arrived, { type: 'prepared', preparations }))
    expect(statusLine(undefined).text).toBe('Upload has not started')
    expect(statusLine(heard([preparation]))).toEqual({ tone: 'all', text: 'Upload Complete' })
    expect(statusLine(heard([refused]))).toEqual({ tone: 'failed', text: 'Upload Failed' })
    expect(statusLine(only(uploadsAfter(...halfway, { ...failed, retryable: false }))).tone).toBe('failed')
    expect(statusLine(only(uploadsAfter(...halfway, failed))).text).toBe('Upload Progress: 66%')
  })

  test('only the interrupted file resumes', () => {
    const started = { fileName: 'a.mp4', totalChunks: 3, totalBytes: null }
    const file = { name: 'a.mp4', size: 2.5 * MIB, lastModified: 5 }
    expect(resumeRefusal(started, file, { size: 2.5 * MIB, lastModified: 5 })).toBeNull()
    expect(resumeRefusal(started, file, undefined)).toBeNull()
    expect(resumeRefusal(started, { ...file, name: 'b.mp4' }, undefined)).toBe(
      'This is a different file. Choose a.mp4.',
    )
    for (const other of [
      resumeRefusal(started, { ...file, size: MIB }, undefined),
      resumeRefusal(started, { ...file, size: 2.4 * MIB }, { size: 2.5 * MIB, lastModified: 5 }),
      resumeRefusal(started, file, { size: 2.5 * MIB, lastModified: 6 }),
    ])
      expect(other).toContain('has changed since')
  })

  test.each([
    ' a.mp4',
    'a.mp4 ',
    'a\n.mp4',
    `${'b'.repeat(300)}.mp4`,
    `${'b'.repeat(300)} ${'a'.repeat(250)}.mp4`,
  ])('a name is compared as it was sent: %j', (name) => {
    const started = { fileName: sentName(name), totalChunks: 3, totalBytes: null }
    expect(resumeRefusal(started, { name, size: 2.5 * MIB, lastModified: 5 }, undefined)).toBeNull()
    expect(sentName(started.fileName)).toBe(started.fileName)
  })

  test('so does a file for a signed address, which has its exact size once a part of it arrived', () => {
    const started = { fileName: 'a.mp4', totalChunks: null, totalBytes: 5 }
    const file = { name: 'a.mp4', size: 5, lastModified: 5 }
    expect(resumeRefusal(started, file, undefined)).toBeNull()
    expect(resumeRefusal(started, { ...file, size: 6 }, undefined)).toContain('has changed since')
    expect(resumeRefusal({ ...started, totalBytes: null }, { ...file, size: 6 }, undefined)).toBeNull()
  })

  test.each([
    [{ totalChunks: 4, arrivedChunks: 1, totalBytes: null, arrivedBytes: 9 }, 25],
    [{ totalChunks: null, arrivedChunks: 0, totalBytes: 8, arrivedBytes: 6 }, 75],
    [{ totalChunks: null, arrivedChunks: 0, totalBytes: null, arrivedBytes: 0 }, null],
  ])('of %j %s percent arrived', (started, percent) => {
    expect(arrivedPercent(started)).toBe(percent)
  })
})

describe('duplicate content', () => {
  const duplicate = { mediaId: 'm1', title: 'Morning light' }
  const asking: UploadEvent[] = [
    chosen('a', 'b', 'c', 'd'),
    { type: 'started', key: 'a' },
    { type: 'doubted', key: 'a', duplicate },
  ]

  test('waits for the person and holds up nobody else', () => {
    const uploads = uploadsAfter(...asking)
    expect(uploads[0]).toMatchObject({ phase: 'asking' })
    expect(uploads[0] && view(uploads[0])).toMatchObject({ tone: 'idle', duplicate, canRetry: false })
    expect(nextToStart(uploads)).toEqual(['b', 'c', 'd'])
    expect(uploads.map(isTravelling)[0]).toBe(false)
  })

  test('is sent when it is wanted all the same, and asked about only once', () => {
    const [upload] = uploadsAfter(...asking, { type: 'insisted', key: 'a' })
    expect(upload).toMatchObject({ phase: 'waiting', insisted: true, duplicate: null })
  })

  test('is left out when it is not wanted', () => {
    expect(uploadsAfter(...asking, { type: 'removed', key: 'a' }).map(({ key }) => key)).toEqual([
      'b',
      'c',
      'd',
    ])
  })

  test('of a large file is found by the server once it arrived', () => {
    const found: UploadEvent = {
      type: 'prepared',
      preparations: [{ ...preparation, duplicateOf: 'm1' }],
    }
    expect(view(only(uploadsAfter(...sent, found))).duplicate).toEqual({ mediaId: 'm1', title: '' })
    const kept = uploadsAfter(...sent, found, { type: 'insisted', key: 'a' })
    expect(view(only(kept)).duplicate).toBeNull()
    expect(only(kept).phase).toBe('sent')
  })
})

describe('what an earlier visit sent', () => {
  const adopted = (status: Preparation['status']): UploadEvent => ({
    type: 'adopted',
    key: 'a',
    fileName: 'a.jpg',
    preparation: {
      uploadId: 'u1',
      status,
      progress: 7,
      error: status === 'failed' ? 'No.' : null,
      code: status === 'failed' ? 'internal' : null,
      mediaId: null,
      duplicateOf: null,
    },
  })

  test('is shown as far as the server is with it', () => {
    expect(isPreparing(only(uploadsAfter(adopted('processing'))))).toBe(true)
    expect(view(only(uploadsAfter(adopted('processing'))))).toMatchObject({ percentText: '7.00%' })
  })

  test('is confirmed when only that was missing', () => {
    const uploads = uploadsAfter(adopted('received'))
    expect(nextToStart(uploads)).toEqual(['a'])
    expect(only(reduce(uploads, { type: 'started', key: 'a' }))).toMatchObject({
      phase: 'confirming',
      uploadId: 'u1',
    })
  })

  test('and failed can’t be sent again without its file', () => {
    expect(view(only(uploadsAfter(adopted('failed'))))).toMatchObject({ status: 'No.', canRetry: false })
  })
})
