import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import fastify from 'fastify'
import sharp, { type Sharp } from 'sharp'
import { mediaProcessor } from '../server/ports/video/libav/adapter.ts'
import { drawScene } from '../server/sample/artwork.ts'

/**
 * How long a 12-megapixel photo takes to be ready, from the upload to the last variant, against sharp alone for the
 * same variants inside this process, in turns; and how much slower small reads are while photos are prepared.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const WIDTHS = [320, 640, 1080, 1920]

const folder = await mkdtemp(join(tmpdir(), 'fanfare-bench-'))
const photo = await takePhoto()
const processor = mediaProcessor()
let runs = 0

const times = {
  'the port': [] as number[],
  'sharp, decoding for each': [] as number[],
  'sharp, decoding once': [] as number[],
}
for (let round = 0; round <= ROUNDS; round += 1) {
  const measured = {
    'the port': await duration(viaPort),
    'sharp, decoding for each': await duration(() => viaSharp(sharp(photo).autoOrient())),
    'sharp, decoding once': await duration(async () => {
      const { data, info } = await sharp(photo)
        .autoOrient()
        .resize(WIDTHS.at(-1) ?? 0)
        .raw()
        .toBuffer({ resolveWithObject: true })
      await viaSharp(sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } }))
    }),
  }
  // The first round warms everything up.
  if (round > 0) for (const name of names(times)) times[name].push(measured[name])
}
for (const name of names(times)) print(name, `${median(times[name]).toFixed(0)} ms`)
const best = Math.min(median(times['sharp, decoding for each']), median(times['sharp, decoding once']))
print('the port : sharp alone', (median(times['the port']) / best).toFixed(2))

const server = fastify()
const page = Buffer.alloc(20_000, 'x')
server.get('/', (_, reply) => reply.send(page))
const address = await server.listen({ port: 0, host: '127.0.0.1' })
const alone = await rate()
let busy = true
const working = (async () => {
  while (busy) await viaPort()
})()
const beside = await rate()
busy = false
await working
print('reads alone', `${alone.toFixed(0)} requests/s`)
print('reads beside photos', `${beside.toFixed(0)} requests/s`)
print('beside : alone', (beside / alone).toFixed(2))

await server.close()
await processor.close()
await rm(folder, { recursive: true, force: true })

/** A landscape with the grain of a sensor, 4,000 by 3,000. */
async function takePhoto(): Promise<string> {
  const path = join(folder, 'photo.jpg')
  const grain = sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 14 },
    },
  })
  await sharp(Buffer.from(drawScene('mountains', 7, 4000, 3000)))
    .composite([{ input: await grain.png({ compressionLevel: 1 }).toBuffer(), blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toFile(path)
  return path
}

async function viaPort(): Promise<void> {
  runs += 1
  const outDir = join(folder, `out-${runs}`)
  await mkdir(outDir)
  const outcome = await processor.process({ path: photo, outDir, onProgress: () => {} })
  if (!outcome.ok) throw new Error(outcome.refusal)
  if ((await readdir(outDir)).length !== 2 * WIDTHS.length) throw new Error('not every variant was made')
  await rm(outDir, { recursive: true })
}

/** The same widths, formats and settings, all started together as sharp's manual has it. */
async function viaSharp(source: Sharp): Promise<void> {
  const written = WIDTHS.flatMap((width) => [
    source
      .clone()
      .resize(width)
      .webp({ quality: 78, effort: 4 })
      .toFile(join(folder, `alone-${width}.webp`)),
    source
      .clone()
      .resize(width)
      .avif({ quality: 56, effort: 2, chromaSubsampling: '4:2:0' })
      .toFile(join(folder, `alone-${width}.avif`)),
  ])
  await Promise.all(written)
}

async function rate(): Promise<number> {
  const options = { url: address, connections: 16, workers: 1 }
  await autocannon({ ...options, duration: 2 })
  return (await autocannon({ ...options, duration: SECONDS })).requests.average
}

async function duration(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function names<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[]
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(26)} ${value}\n`)
}
