import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Demuxer, Muxer } from 'node-av'
import { routes } from '../contract/index.ts'
import { startProcess } from '../e2e/fanfare.ts'
import { apiOf, joins } from '../e2e/people.ts'
import { waitUntil } from '../e2e/waiting.ts'
import { recordVideo } from '../e2e/walkthroughs/videos.ts'

/**
 * Makes a video in 1080p with sound, sends it to the product as a person does, and tells how long it takes to be prepared
 * and how much memory the server's processes hold at most: docs/decisions/030-turns-of-uploads.md.
 * `VIDEO_MINUTES` is its length, 20 by default; 120 takes about 15 GB of disk. `VIDEO_RATE` is its pictures a second, 25
 * by default: with fewer, what hours of video do is seen sooner.
 */
const MINUTES = Number(process.env.VIDEO_MINUTES ?? 20)
const RATE = Number(process.env.VIDEO_RATE ?? 25)
/** The clip that is recorded, and repeated as often as needed. */
const TAKE_SECONDS = Math.min(60, MINUTES * 60)
const LOOK_EVERY_MS = 1000
/** As long as a video may take by the product's own limit, and room for what a busy machine adds. */
const PATIENCE_MS = (15 * 60 + 10 * MINUTES * 60) * 1000

const folder = await mkdtemp(join(tmpdir(), 'fanfare-video-'))
try {
  const path = await makeVideo()
  const { size } = await stat(path)
  const fanfare = await startProcess({ MAX_FILE_BYTES: String(Math.max(size, 5_000_000_000)) })
  try {
    await prepare(fanfare.origin, fanfare.process.pid ?? 0, path, size)
  } finally {
    await fanfare.dispose()
  }
} finally {
  await rm(folder, { recursive: true })
}

async function prepare(origin: string, pid: number, path: string, size: number): Promise<void> {
  const api = apiOf(origin, await joins(origin, 'creator'))
  const { signedUrls, destFileNames } = await api.call(routes.startUpload, {
    body: { fileNames: ['video.mp4'] },
  })
  const sent = await fetch(new URL(signedUrls[0] ?? '', origin), {
    method: 'PUT',
    body: await openAsBlob(path),
    headers: { 'content-type': 'application/octet-stream' },
  })
  if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
  await api.call(routes.makePublic, { body: { destFileNames } })
  const started = performance.now()
  let [most, mostOfOne] = [0, 0]
  const upload = await waitUntil(
    async () => {
      const held = await memoryBelow(pid)
      most = Math.max(most, held.all)
      mostOfOne = Math.max(mostOfOne, held.child)
      const { items } = await api.call(routes.uploads, { query: { uploadIds: destFileNames } })
      return items[0]?.status === 'processing' ? undefined : items[0]
    },
    { timeout: PATIENCE_MS, interval: LOOK_EVERY_MS },
  )
  if (upload.status !== 'ready' || !upload.mediaId)
    throw new Error(`the video was not taken: ${JSON.stringify(upload)}`)
  const { media } = await api.call(routes.viewMedia, { params: { mediaId: upload.mediaId } })
  if (media.duration !== Math.round(MINUTES * 60))
    throw new Error(`the video lasts ${media.duration} s and not ${Math.round(MINUTES * 60)}`)
  const seconds = (performance.now() - started) / 1000
  process.stdout.write(
    `${MINUTES} minutes in 1080p at ${RATE} pictures a second, ${megabytes(size)} MB: ${seconds.toFixed(0)} s, ${(seconds / (MINUTES * 60)).toFixed(2)} of its length; ` +
      `at most ${megabytes(mostOfOne)} MB in one process that prepares, ${megabytes(most)} MB in all of the server's\n`,
  )
}

/** A minute again and again, without being encoded again. */
async function makeVideo(): Promise<string> {
  const take = join(folder, 'take.mp4')
  const path = join(folder, 'video.mp4')
  await recordVideo(take, {
    format: 'mp4',
    scene: 'mountains',
    seed: 3,
    width: 1920,
    height: 1080,
    seconds: TAKE_SECONDS,
    rate: RATE,
    sound: true,
  })
  await using muxer = await Muxer.open(path, { format: 'mp4' })
  const indexes: number[] = []
  for (let time = 0; time * TAKE_SECONDS < MINUTES * 60; time += 1) {
    await using demuxer = await Demuxer.open(take)
    if (time === 0) for (const stream of demuxer.streams) indexes.push(muxer.addStream(stream))
    for await (const packet of demuxer.packets()) {
      using held = packet
      if (!held) break
      const { timeBase } = demuxer.streams[held.streamIndex] ?? {}
      if (!timeBase) continue
      const shift = BigInt(Math.round((time * TAKE_SECONDS * timeBase.den) / timeBase.num))
      held.pts += shift
      held.dts += shift
      await muxer.writePacket(held, indexes[held.streamIndex] ?? 0)
    }
  }
  return path
}

/** Resident bytes of the server and its children, shared memory counted in each; `child` is the largest that prepares a file. */
async function memoryBelow(root: number): Promise<{ all: number; child: number }> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='])
  const processes = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/gm)].map(
    ([, pid, parent, kilobytes, args = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      bytes: Number(kilobytes) * 1024,
      prepares: args.includes('libav/worker.ts'),
    }),
  )
  const below = new Set([root])
  // Children may come before their parents where ids start again from the lowest.
  for (let before = 0; before < below.size; ) {
    before = below.size
    for (const { pid, parent } of processes) if (below.has(parent)) below.add(pid)
  }
  const own = processes.filter(({ pid }) => below.has(pid))
  return {
    all: own.reduce((sum, { bytes }) => sum + bytes, 0),
    child: Math.max(0, ...own.filter(({ prepares }) => prepares).map(({ bytes }) => bytes)),
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
