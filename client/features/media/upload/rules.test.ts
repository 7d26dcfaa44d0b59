import { describe, expect, test } from 'vitest'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import {
  isPreparing,
  isTravelling,
  nextToStart,
  type Preparation,
  reduce,
  refusal,
  type Upload,
  type UploadEvent,
} from './rules.ts'
import { texts } from './texts.ts'
import { summaryOf, totalPercent, view } from './view.ts'

const MAX_BYTES = 1000

function uploadsAfter(...events: UploadEvent[]): readonly Upload[] {
  return events.reduce<readonly Upload[]>((uploads, event) => reduce(uploads, event), [])
}

function chosen(...keys: string[]): UploadEvent {
  return {
    type: 'chosen',
    mode: 'signed',
    maxBytes: MAX_BYTES,
    files: keys.map((key) => ({ key, name: `${key}.jpg`, size: 200 })),
  }
}

function only(uploads: readonly Upload[]): Upload {
  const [upload] = uploads
  if (!upload) throw new Error('There is no upload.')
  return upload
}

const sending: UploadEvent[] = [
  chosen('a'),
  { type: 'started', key: 'a' },
  { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: 0 },
]
const confirming: UploadEvent[] = [...sending, { type: 'arrived', key: 'a' }]
const sent: UploadEvent[] = [...confirming, { type: 'confirmed', key: 'a' }]

describe('refusal', () => {
  test.each([
    ['notes.pdf', 10, 'media_type_unsupported'],
    ['noextension', 10, 'media_type_unsupported'],
    ['empty.png', 0, 'media_empty'],
    ['big.mov', MAX_BYTES + 1, 'media_too_large'],
    ['exact.mov', MAX_BYTES, null],
    ['PHOTO.JPEG', 10, null],
    ['clip.a.MP4', 10, null],
    ['photo.webp', 10, null],
  ])('%s of %i bytes: %s', (name, size, code) => {
    expect(refusal({ name, size }, MAX_BYTES)).toBe(code)
  })
})

describe('the way of one file', () => {
  test('goes through every phase with its fixed texts', () => {
    const seen = [sending.slice(0, 2), sending, confirming, sent].map(
      (events) => view(only(uploadsAfter(...events))).status,
    )
    expect(seen).toEqual(['Processing...', 'Uploading...', 'Almost done...', 'Almost done...'])
  })

  test('shows percent with two decimals', () => {
    const upload = only(uploadsAfter(...sending, { type: 'progressed', key: 'a', sentBytes: 67 }))
    expect(view(upload).percentText).toBe('33.50%')
  })

  test('never shows more than all bytes, though the transport counts its own', () => {
    const upload = only(uploadsAfter(...sending, { type: 'progressed', key: 'a', sentBytes: 250 }))
    expect(view(upload).percent).toBe(100)
  })

  test('a refused file fails at once with its sentence, is never started and can’t be retried', () => {
    const files = [{ key: 'a', name: 'a.svg', size: 5 }]
    const uploads = uploadsAfter({ type: 'chosen', mode: 'signed', maxBytes: MAX_BYTES, files })
    expect(nextToStart(uploads)).toEqual([])
    expect(view(only(uploads))).toMatchObject({
      tone: 'failed',
      status: mediaErrors.media_type_unsupported.text,
      canRetry: false,
    })
    expect(reduce(uploads, { type: 'retried', key: 'a' })).toEqual(uploads)
  })

  test('an answer that comes after a cancel changes nothing', () => {
    const canceled = uploadsAfter(...sending, { type: 'canceled', key: 'a' })
    for (const late of [
      { type: 'progressed', key: 'a', sentBytes: 100 },
      { type: 'arrived', key: 'a' },
      { type: 'confirmed', key: 'a' },
      { type: 'failed', key: 'a', error: 'Network error', retryable: true },
    ] satisfies UploadEvent[]) {
      expect(reduce(canceled, late)).toEqual(canceled)
    }
  })

  test('a canceled file can be sent again from its beginning', () => {
    const again = only(
      uploadsAfter(
        ...sending,
        { type: 'progressed', key: 'a', sentBytes: 100 },
        { type: 'canceled', key: 'a' },
        { type: 'retried', key: 'a' },
      ),
    )
    expect(again).toMatchObject({ phase: 'waiting', sentBytes: 0, uploadId: null })
  })
})

describe('retrying', () => {
  const failed: UploadEvent = { type: 'failed', key: 'a', error: 'Network error', retryable: true }

  test('interrupted bytes resume where they were, even when all were sent', () => {
    for (const sentBytes of [150, 200]) {
      const events: UploadEvent[] = [...sending, { type: 'progressed', key: 'a', sentBytes }, failed]
      const again = only(
        uploadsAfter(...events, { type: 'retried', key: 'a' }, { type: 'started', key: 'a' }),
      )
      expect(again).toMatchObject({ phase: 'starting', uploadId: 'u1', sentBytes, error: null })
    }
  })

  test('a refusal that will not pass keeps nothing', () => {
    const refused = only(uploadsAfter(...sending, { ...failed, retryable: false }))
    expect(refused).toMatchObject({ phase: 'failed', uploadId: null, sentBytes: 0 })
  })

  test('the server’s own count replaces what left this device', () => {
    const events: UploadEvent[] = [
      ...sending,
      { type: 'progressed', key: 'a', sentBytes: 150 },
      { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: 100 },
    ]
    expect(only(uploadsAfter(...events))).toMatchObject({ phase: 'sending', uploadId: 'u1', sentBytes: 100 })
  })

  test('bytes that arrived are not sent again, only confirmed', () => {
    const again = only(
      uploadsAfter(...confirming, failed, { type: 'retried', key: 'a' }, { type: 'started', key: 'a' }),
    )
    expect(again).toMatchObject({ phase: 'confirming', uploadId: 'u1', sentBytes: 200 })
  })

  test('an automatic retry says so until it resumes', () => {
    const interrupted: UploadEvent[] = [...sending, { type: 'interrupted', key: 'a' }]
    const status = (events: UploadEvent[], offline: boolean) =>
      view(only(uploadsAfter(...events)), offline).status
    expect(status(interrupted, false)).toBe(texts.interrupted)
    expect(status(interrupted, true)).toBe(texts.offline)
    expect(status(sending, true)).toBe(texts.offline)
    for (const onward of [
      { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: 0 },
      { type: 'progressed', key: 'a', sentBytes: 100 },
    ] satisfies UploadEvent[])
      expect(status([...interrupted, onward], false)).toBe('Uploading...')
    expect(status([...interrupted, { type: 'arrived', key: 'a' }], false)).toBe('Almost done...')
    expect(status([...interrupted, failed], true)).toBe('Network error')
    expect(only(uploadsAfter(...interrupted, failed, { type: 'retried', key: 'a' })).interrupted).toBe(false)
    expect(status([...sent], true)).toBe('Almost done...')
  })

  test('a failure that can’t be mended offers no retry', () => {
    const upload = only(uploadsAfter(...sending, { ...failed, retryable: false }))
    expect(view(upload)).toMatchObject({ status: 'Network error', canRetry: false, canCancel: false })
  })
})

describe('several files', () => {
  test('start because they were chosen, and one that is chosen later takes its turn behind them', () => {
    const uploads = uploadsAfter(chosen('b'), chosen('a'))
    expect(uploads.map((upload) => upload.phase)).toEqual(['waiting', 'waiting'])
    expect(nextToStart(uploads)).toEqual(['b', 'a'])
  })

  test('three start, the next one when a place is free, in the order they were chosen', () => {
    const four = uploadsAfter(chosen('a', 'b', 'c', 'd', 'e'))
    expect(nextToStart(four)).toEqual(['a', 'b', 'c'])
    const busy = ['a', 'b', 'c'].reduce((uploads, key) => reduce(uploads, { type: 'started', key }), four)
    expect(nextToStart(busy)).toEqual([])
    expect(nextToStart(reduce(busy, { type: 'failed', key: 'b', error: 'x', retryable: true }))).toEqual([
      'd',
    ])
  })

  test('one that failed takes nothing from the others', () => {
    const uploads = uploadsAfter(
      chosen('a', 'b'),
      { type: 'started', key: 'a' },
      { type: 'failed', key: 'a', error: 'x', retryable: true },
    )
    expect(uploads.map((upload) => upload.phase)).toEqual(['failed', 'waiting'])
  })

  test('the whole counts what is still wanted', () => {
    const uploads = uploadsAfter(
      chosen('a', 'b', 'c'),
      { type: 'started', key: 'a' },
      { type: 'addressed', key: 'a', uploadId: 'u1', sentBytes: 0 },
      { type: 'progressed', key: 'a', sentBytes: 100 },
      { type: 'canceled', key: 'c' },
    )
    expect(totalPercent(uploads)).toBe(25)
    expect(totalPercent([])).toBe(0)
  })

  test('only what is not on its way can be taken off the list', () => {
    const uploads = uploadsAfter(...sending, chosen('b'), { type: 'canceled', key: 'b' })
    expect(reduce(uploads, { type: 'removed', key: 'a' })).toEqual(uploads)
    expect(reduce(uploads, { type: 'removed', key: 'b' }).map((upload) => upload.key)).toEqual(['a'])
  })

  test('leaving loses what still travels, not what arrived', () => {
    expect(isTravelling(only(uploadsAfter(...confirming)))).toBe(true)
    expect(isTravelling(only(uploadsAfter(...sent)))).toBe(false)
  })
})

describe('preparing on the server', () => {
  const preparation: Preparation = {
    uploadId: 'u1',
    status: 'processing',
    progress: 40,
    error: null,
    code: null,
    mediaId: null,
    duplicateOf: null,
  }
  const hearing = (...preparations: Preparation[]) =>
    only(uploadsAfter(...sent, { type: 'prepared', preparations }))

  test('is asked for until it is ready or failed', () => {
    expect(isPreparing(only(uploadsAfter(...sent)))).toBe(true)
    expect(isPreparing(hearing(preparation))).toBe(true)
    expect(isPreparing(hearing({ ...preparation, status: 'ready' }))).toBe(false)
    expect(isPreparing(hearing({ ...preparation, status: 'failed' }))).toBe(false)
    expect(isPreparing(only(uploadsAfter(...confirming)))).toBe(false)
  })

  test.each([
    [1, 20, '1st in line · about 1 min'],
    [3, 130, '3rd in line · about 2 min'],
    [12, 5500, '12th in line · about 2 hr'],
    [102, 600, '102nd in line · about 10 min'],
  ])('in place %i shows that and the time to wait', (place, waitSeconds, status) => {
    const shown = view(hearing({ ...preparation, progress: 0, place, waitSeconds }))
    expect(shown).toMatchObject({ status, canCancel: true, tone: 'idle' })
  })

  test('whose file was damaged says so beside the finished item', () => {
    const ready = { ...preparation, status: 'ready', mediaId: 'm1', damaged: true } as const
    expect(view(hearing(ready)).status).toContain('slightly damaged')
    expect(view(hearing({ ...ready, damaged: false })).status).toBe('Done')
  })

  test('shows how far it is, then the finished item', () => {
    expect(view(hearing(preparation))).toMatchObject({
      tone: 'busy',
      percentText: '40.00%',
      mediaId: null,
      canCancel: true,
    })
    expect(view(hearing({ ...preparation, status: 'ready', mediaId: 'm1' }))).toMatchObject({
      tone: 'done',
      status: 'Done',
      mediaId: 'm1',
      canCancel: false,
    })
  })

  test.each([
    ['still unasked', uploadsAfter(...sent)],
    ['at its beginning', [hearing({ ...preparation, progress: 0 })]],
    ['in line', [hearing({ ...preparation, progress: 0, place: 1, waitSeconds: 20 })]],
  ])('%s, no share of it is named', (_, uploads) => {
    expect(view(only(uploads))).toMatchObject({ percent: null, percentText: undefined })
  })

  test.each([
    ['media_unreadable', false],
    ['media_too_long_to_process', false],
    ['internal', true],
  ])('refused with %s: retry %s', (code, canRetry) => {
    const refused = view(hearing({ ...preparation, status: 'failed', error: 'No.', code }))
    expect(refused).toMatchObject({ tone: 'failed', status: 'No.', canRetry, canCancel: false })
  })

  test('one that failed on the server is sent again from its beginning', () => {
    const refused = [hearing({ ...preparation, status: 'failed', code: 'internal' })]
    expect(only(reduce(refused, { type: 'retried', key: 'a' }))).toMatchObject({
      phase: 'waiting',
      uploadId: null,
      sentBytes: 0,
      preparation: null,
    })
  })

  test('one that is ready is neither sent again nor canceled', () => {
    const ready = [hearing({ ...preparation, status: 'ready', mediaId: 'm1' })]
    expect(reduce(ready, { type: 'retried', key: 'a' })).toEqual(ready)
    expect(reduce(ready, { type: 'canceled', key: 'a' })).toEqual(ready)
  })

  test('word of another file changes nothing', () => {
    expect(hearing({ ...preparation, uploadId: 'u2', status: 'ready' }).preparation).toBeNull()
  })
})

describe('summaryOf', () => {
  test('a file that is turned down before anything was sent is no failed upload', () => {
    const uploads = uploadsAfter({
      type: 'chosen',
      mode: 'signed',
      maxBytes: MAX_BYTES,
      files: [{ key: 'a', name: 'notes.txt', size: 200 }],
    })
    expect(summaryOf(uploads)).toBe('1 can’t be uploaded')
  })
})
