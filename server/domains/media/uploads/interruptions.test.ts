import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../../contract/index.ts'
import { type MediaProcessor, ProcessingStopped, StorageFailed } from '../../../ports/video/port.ts'
import { buildSession } from '../../../testing/builders.ts'
import type { Harness } from '../../../testing/harness.ts'
import { movingPicture, NOTHING, PICTURES, uploads } from '../../../testing/uploads.ts'
import { PROCESSED_WITHIN_SECONDS } from './rules.ts'

const { scene, api, upload, stateOf, remains, run, mediaRows, withProcessor } = uploads()
let harness: Harness
let picture: Buffer

beforeAll(() => {
  ;({ harness, picture } = scene)
})

describe('while the disk is full or the store is down', () => {
  const MINUTE_MS = 60_000
  const PAUSE_MS = 10 * MINUTE_MS
  const attemptsOf = async (uploadId: string) =>
    (
      await harness.context.db
        .selectFrom('uploads')
        .select('attempts')
        .where('id', '=', uploadId)
        .executeTakeFirst()
    )?.attempts
  /** Runs with a store that has no room for what is prepared. */
  async function withFullStore<T>(action: () => Promise<T>): Promise<T> {
    const { storage } = harness.context
    const putFile = async () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    harness.context.storage = { ...storage, putFile }
    try {
      return await action()
    } finally {
      harness.context.storage = storage
    }
  }
  const full: MediaProcessor['process'] = async () => {
    throw new StorageFailed('ENOSPC: no space left on device, write')
  }

  it('a file waits with all of its bytes, however long that takes, and becomes an item afterwards', async () => {
    const uploadId = await upload(picture)
    const { source } = await remains(uploadId)
    const failing = [() => withFullStore(() => run(uploadId)), () => withProcessor(full, () => run(uploadId))]
    const waitsTwice = async (pauseMs: number) => {
      for (const fail of failing) {
        await fail()
        expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', code: null, place: 1 })
        expect(await remains(uploadId)).toMatchObject({ source, workspace: [] })
        // Not before the pause is over.
        harness.clock.advance(pauseMs - MINUTE_MS)
        await run(uploadId)
        expect(await attemptsOf(uploadId)).toBe(0)
        harness.clock.advance(MINUTE_MS)
      }
    }
    for (let times = 0; times < 2; times++) await waitsTwice(PAUSE_MS)
    harness.clock.advance(20 * MINUTE_MS)
    await waitsTwice(60 * MINUTE_MS)
    harness.clock.advance(24 * 60 * MINUTE_MS)
    await waitsTwice(360 * MINUTE_MS)
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
  })

  it('its own failures count as ever, and the end of the days that it may wait is told', async () => {
    const uploadId = await upload(picture)
    const broken = async () => {
      throw new Error('out of memory')
    }
    await withProcessor(broken, () => run(uploadId))
    harness.clock.advance(PAUSE_MS)
    await withFullStore(() => run(uploadId))
    expect(await attemptsOf(uploadId)).toBe(1)
    harness.clock.advance((PROCESSED_WITHIN_SECONDS - 1200) * 1000)
    scene.creator = { ...scene.creator, token: await buildSession(harness, scene.creator.id) }
    await withFullStore(() => run(uploadId))
    expect(await stateOf(uploadId)).toMatchObject({ status: 'failed', code: 'media_not_prepared' })
    expect(await remains(uploadId)).toEqual(NOTHING)
  })
})

const HOUR_MS = 3_600_000

it('what the queue brings before its time by this process’s clock is tried all the same', async () => {
  const uploadId = await upload(picture)
  const broken = async () => {
    throw new Error('out of memory')
  }
  await withProcessor(broken, () => run(uploadId))
  harness.clock.advance(10_000)
  const { clock } = harness.context
  harness.context.clock = { ...clock, now: () => new Date(clock.now().getTime() - HOUR_MS) }
  try {
    await harness.runJobs()
    expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', place: 1 })
  } finally {
    harness.context.clock = clock
  }
  harness.clock.advance(HOUR_MS)
  await harness.runJobs()
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
})

it('the stop of the server in the middle is no failed attempt, and no error', async () => {
  const uploadId = await upload(picture)
  const { context } = harness
  const errors: unknown[] = []
  const { log } = context
  context.log = Object.assign(Object.create(log), { error: (...said: unknown[]) => void errors.push(said) })
  const stopping = async () => {
    throw new ProcessingStopped()
  }
  try {
    // More often than a file may fail.
    for (let stops = 0; stops < 7; stops++) await withProcessor(stopping, () => run(uploadId))
  } finally {
    context.log = log
  }
  expect(errors).toEqual([])
  expect(await stateOf(uploadId)).toMatchObject({ status: 'processing', place: 1 })
  expect((await remains(uploadId)).source).toEqual([`${uploadId}.whole`])
  // Without a pause, by the job that was left in the queue.
  await harness.runJobs()
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready' })
})

it('a small file that lasts long leaves the line of short videos, and is prepared among the long ones, in one attempt', async () => {
  const uploadId = await upload(await movingPicture(), 'still.webp')
  const row = () =>
    harness.context.db
      .selectFrom('uploads')
      .select(['line', 'status', 'attempts'])
      .where('id', '=', uploadId)
      .executeTakeFirst()
  const { processor } = harness.context
  const seen: unknown[] = []
  await withProcessor(
    async (input) => {
      seen.push((await row())?.line)
      input.onLength?.(599)
      expect(input.signal?.aborted).toBe(false)
      input.onLength?.(6 * 3600)
      return processor.process(input)
    },
    () => harness.runJobs(),
  )
  expect(seen).toEqual(['short_video', 'long_video'])
  expect(await row()).toEqual({ line: 'long_video', status: 'ready', attempts: 1 })
})

it('an upload canceled while it is processed becomes nothing', async () => {
  const uploadId = await upload(picture)
  const { processor } = harness.context
  await withProcessor(
    async (input) => {
      await api().call(routes.cancelUpload, { body: { uploadId } })
      return processor.process(input)
    },
    () => harness.runJobs(),
  )
  expect(await stateOf(uploadId)).toBeUndefined()
  expect(await mediaRows(uploadId)).toEqual([])
  expect(await remains(uploadId)).toEqual(NOTHING)
})

it('an item that is ready can’t be canceled away', async () => {
  const uploadId = await upload(picture)
  await harness.runJobs()
  const cancel = api().call(routes.cancelUpload, { body: { uploadId } })
  await expect(cancel).rejects.toMatchObject({ status: 409, code: 'upload_already_used' })
  expect((await remains(uploadId)).variants).toEqual(PICTURES)
})

it('progress is noted at most once a second', async () => {
  const uploadId = await upload(picture)
  const { processor, clock, db } = harness.context
  let now = clock.now()
  const progress = async () => (await stateOf(uploadId))?.progress
  await sql`
    create table noted (id bigint generated always as identity, progress integer);
    create function keep_noted() returns trigger language plpgsql as $$ begin
      insert into noted (progress) values (new.progress); return new; end $$;
    create trigger keep_noted after update of progress on uploads for each row
      when (new.status = 'processing' and new.progress > 0) execute function keep_noted()`.execute(db)
  harness.context.clock = { ...clock, now: () => now }
  try {
    await withProcessor(
      async (input) => {
        const told = (percent: number) => () => {
          input.onProgress(percent)
          return progress()
        }
        await expect.poll(told(20)).toBe(20)
        now = new Date(now.getTime() + 999)
        // More than once: what is told while a note is being written is left out whatever the time.
        for (let times = 0; times < 5; times++) await told(30)()
        now = new Date(now.getTime() + 1)
        await expect.poll(told(60)).toBe(60)
        await told(60)()
        return processor.process({ ...input, onProgress: () => {} })
      },
      () => harness.runJobs(),
    )
    const { rows } = await sql`select progress from noted order by id`.execute(db)
    expect(rows).toEqual([{ progress: 20 }, { progress: 60 }])
  } finally {
    harness.context.clock = clock
    await sql`drop function keep_noted cascade; drop table noted`.execute(db)
  }
  expect(await stateOf(uploadId)).toMatchObject({ status: 'ready', progress: 100 })
})
