import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { drawScene, type Scene } from '../../server/sample/artwork.ts'
import { recordVideo } from './videos.ts'

/** What must become of a file: it arrives, is there already, or is refused with a sentence like this. */
export type DayFile = { path: string; name: string; fate: 'arrives' | 'duplicate' | RegExp }

const OTHER_KIND = /file type isn’t supported/
const EMPTY = /This file is empty/
const DAMAGED = /This file is damaged/
const ANY_REFUSAL = new RegExp(
  [OTHER_KIND, EMPTY, DAMAGED, /larger than 50 megapixels/, /has no image/, /took too long/]
    .map(({ source }) => source)
    .join('|'),
)
const SCENES: readonly Scene[] = ['mountains', 'sea', 'dunes', 'night', 'garden', 'pottery']

/** Makes the hundred files of a creator's day below that folder: shot, edited, exported, copied twice, and some broken. */
export async function makeDayFiles(folder: string): Promise<DayFile[]> {
  const shoot = join(folder, 'shoot')
  const parts = { 'day one': pictures(), 'day two': await others(), videos: videos() }
  const made: DayFile[] = []
  for (const [part, recipes] of Object.entries(parts)) {
    await mkdir(join(shoot, part), { recursive: true })
    for (const { name, fate, make } of recipes) {
      const path = join(shoot, part, name)
      const bytes = await make(path)
      if (bytes) await writeFile(path, bytes)
      made.push({ path, name, fate })
    }
  }
  return [...made, ...(await doublesOf(made, join(shoot, 'copies')))]
}

/** Takes over all files below another folder. Those below a folder called `hostile` must be refused. */
export async function takeFiles(from: string): Promise<DayFile[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(png|jpe?g|webp|mp4|mov)$/i.test(entry.name))
    .map(({ parentPath, name }) => ({
      path: join(parentPath, name),
      name,
      fate: basename(parentPath) === 'hostile' ? ANY_REFUSAL : 'arrives',
    }))
}

type Recipe = {
  name: string
  fate: DayFile['fate']
  /** Answers the bytes, or writes the file itself. */
  make: (path: string) => Promise<Buffer | null>
}

/** A quiet landscape or still life of that many pixels; another `seed` is another one. */
export function drawn(seed: number, width: number, height: number): Sharp {
  const scene = SCENES[seed % SCENES.length] ?? 'sea'
  // Drawn small and enlarged: a drawing of twelve megapixels takes long.
  const scale = Math.min(1, 1400 / Math.max(width, height))
  const svg = drawScene(scene, seed, Math.round(width * scale), Math.round(height * scale))
  return sharp(Buffer.from(svg)).resize(width, height, { fit: 'fill' }).flatten()
}

const GPS = {
  IFD0: { Make: 'Walkthrough', Model: 'Camera' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '48/1 51/1 30/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '2/1 17/1 40/1',
  },
}

const SIZES = [
  [900, 1200],
  [1200, 900],
  [1000, 1000],
  [3200, 640],
  [500, 2000],
  [320, 240],
] as const

function pictures(): Recipe[] {
  const good = (name: string, make: () => Promise<Buffer>): Recipe => ({ name, fate: 'arrives', make })
  const size = (index: number): readonly [number, number] => SIZES[index % SIZES.length] ?? SIZES[0]
  return [
    ...Array.from({ length: 18 }, (_, at) =>
      good(`IMG_${2000 + at}.${at % 3 === 0 ? 'JPG' : 'jpg'}`, () =>
        drawn(at, ...size(at))
          .jpeg({ quality: 82, progressive: at % 2 === 0 })
          .toBuffer(),
      ),
    ),
    ...Array.from({ length: 8 }, (_, at) =>
      good(`camera held ${at + 1} of 8.jpeg`, () =>
        drawn(30 + at, 800, 600)
          .withMetadata({ orientation: at + 1 })
          .withExifMerge(GPS)
          .jpeg()
          .toBuffer(),
      ),
    ),
    ...[4000, 3000].map((width, at) =>
      good(`twelve megapixels ${at + 1}.jpg`, () =>
        drawn(40 + at, width, 12e6 / width)
          .withExif(GPS)
          .jpeg({ quality: 90 })
          .toBuffer(),
      ),
    ),
    ...Array.from({ length: 9 }, (_, at) =>
      good(`edited ${at + 1}.png`, () =>
        drawn(50 + at, ...size(at))
          .png({ palette: at % 3 === 0 })
          .toBuffer(),
      ),
    ),
    good('see-through.png', () => drawn(60, 600, 800).ensureAlpha(0.6).png().toBuffer()),
    good('sixteen bits.png', () => drawn(61, 600, 800).toColourspace('rgb16').png().toBuffer()),
    good('grey.png', () => drawn(62, 600, 800).greyscale().png().toBuffer()),
    ...Array.from({ length: 8 }, (_, at) =>
      good(`export ${at + 1}.webp`, () =>
        drawn(70 + at, ...size(at))
          .webp({ lossless: at === 7 })
          .toBuffer(),
      ),
    ),
    good('été à la mer – フィルム 🌊.jpg', () => drawn(80, 900, 1200).jpeg().toBuffer()),
    good(`${'a very long name that somebody’s phone gave it '.repeat(4)}.jpg`, () =>
      drawn(81, 900, 1200).jpeg().toBuffer(),
    ),
    good('moving.webp', () => animation(82).then((moving) => moving.webp({ delay: 150 }).toBuffer())),
    good('a PNG by its bytes.jpg', () => drawn(83, 640, 480).png().toBuffer()),
    good('a JPEG by its bytes.webp', () => drawn(84, 640, 480).jpeg().toBuffer()),
  ]
}

function videos(): Recipe[] {
  const video = (
    name: string,
    format: 'mp4' | 'mov' | 'webm',
    more: object,
    fate: DayFile['fate'] = 'arrives',
  ) => ({
    name,
    fate,
    make: async (path: string) => {
      const seed = name.length
      const scene = SCENES[seed % SCENES.length] ?? 'sea'
      await recordVideo(path, { format, scene, seed, width: 640, height: 360, seconds: 4, ...more })
      return null
    },
  })
  return [
    video('clip with sound.mp4', 'mp4', { sound: true }),
    video('clip, silent.mp4', 'mp4', { seconds: 3 }),
    video('upright.MP4', 'mp4', { width: 360, height: 640, sound: true }),
    video('square.mp4', 'mp4', { width: 480, height: 480 }),
    video('from a phone.mov', 'mov', { sound: true }),
    video('from a phone, silent.mov', 'mov', { width: 360, height: 640 }),
    video('one second.mp4', 'mp4', { seconds: 1 }),
    video('forty seconds.mp4', 'mp4', { width: 960, height: 540, seconds: 40, sound: true }),
    video('browser recording.webm', 'webm', { sound: true }, OTHER_KIND),
    video('a WebM called.mp4', 'webm', { seconds: 2 }, ANY_REFUSAL),
  ]
}

async function others(): Promise<Recipe[]> {
  const other = (name: string, fate: RegExp, make: () => Promise<Buffer> | Buffer): Recipe => ({
    name,
    fate,
    make: async () => make(),
  })
  const jpeg = await drawn(90, 900, 1200).jpeg().toBuffer()
  const png = await drawn(91, 900, 1200).png().toBuffer()
  const webp = await drawn(92, 900, 1200).webp().toBuffer()
  const gif = async () => (await animation(93)).gif({ delay: 150 }).toBuffer()
  const avif = () => drawn(94, 600, 800).avif({ effort: 0 }).toBuffer()
  return [
    other('animated.gif', OTHER_KIND, gif),
    other('modern.avif', OTHER_KIND, avif),
    other('iPhone.heic', OTHER_KIND, avif),
    other('scan.tiff', OTHER_KIND, () => drawn(95, 300, 300).tiff().toBuffer()),
    other('drawing.svg', OTHER_KIND, () => Buffer.from(drawScene('sea', 1, 300, 300))),
    other('contract.pdf', OTHER_KIND, () => Buffer.from('%PDF-1.7\n%%EOF\n')),
    other('notes.txt', OTHER_KIND, () => Buffer.from('Buy video.\n')),
    other('backup.zip', OTHER_KIND, () => Buffer.from('PK\x05\x06'.padEnd(22, '\0'))),
    other('a GIF called.png', OTHER_KIND, gif),
    other('an AVIF called.jpg', OTHER_KIND, avif),
    other('a text called.jpg', OTHER_KIND, () => Buffer.from('This is no picture at all.\n'.repeat(40))),
    other('an SVG called.png', OTHER_KIND, () => Buffer.from(drawScene('night', 2, 300, 300))),
    other('a page called.jpg', OTHER_KIND, () => Buffer.from('<!doctype html><script>alert(1)</script>')),
    other('a playlist called.mp4', ANY_REFUSAL, () =>
      Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
    ),
    other('nothing.png', EMPTY, () => Buffer.alloc(0)),
    other('nothing.mp4', EMPTY, () => Buffer.alloc(0)),
    other('cut short.jpg', DAMAGED, () => jpeg.subarray(0, jpeg.length / 3)),
    other('cut short.png', DAMAGED, () => png.subarray(0, png.length / 2)),
    other('cut short.webp', DAMAGED, () => webp.subarray(0, webp.length / 2)),
    other('a JPEG called.mp4', /./, () => jpeg.subarray(0, 200)),
    other('noise.jpg', OTHER_KIND, () => deflateSync(png)),
    other('noise after a header.png', ANY_REFUSAL, () =>
      Buffer.concat([png.subarray(0, 60), deflateSync(jpeg)]),
    ),
    other('page inside.jpg', OTHER_KIND, () =>
      Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]),
    ),
    other('archive inside.png', OTHER_KIND, () =>
      Buffer.concat([png, Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1')]),
    ),
    other('60,000 by 60,000.png', /larger than 50 megapixels/, () => hugePng(60_000)),
    other('one pixel.png', /has no image/, () => drawn(96, 1, 1).png().toBuffer()),
  ]
}

async function animation(seed: number): Promise<Sharp> {
  const frames = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      drawn(seed, 400 + at * 20, 300)
        .extract({ left: at * 20, top: 0, width: 400, height: 300 })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
}

/** A PNG of a few kilobytes whose header asks for that many pixels a side. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(data, crc32(head.subarray(4))))
    return Buffer.concat([head, data, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Copies some good files under other names, so that all together are a hundred. */
async function doublesOf(made: readonly DayFile[], folder: string): Promise<DayFile[]> {
  await mkdir(folder)
  const originals = made.filter(({ fate }) => fate === 'arrives').filter((_, at) => at % 5 === 2)
  const duplicates: DayFile[] = []
  for (const original of originals.slice(0, 100 - made.length)) {
    const name = `Copy of ${original.name.slice(-40)}`
    const path = join(folder, name)
    await copyFile(original.path, path)
    duplicates.push({ path, name, fate: 'duplicate' })
  }
  return duplicates
}

/** The bytes of all these files together. */
export async function sizeOf(files: readonly DayFile[]): Promise<number> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await readFile(path)).length))
  return sizes.reduce((sum, size) => sum + size, 0)
}
