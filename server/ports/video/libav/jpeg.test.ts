import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { workbench } from './testing/workbench.ts'

const bench = workbench()
const size = { width: 640, height: 800 }

/** A picture in which every row costs about as many bytes. */
function texture(progressive: boolean): Promise<Buffer> {
  const pixels = Buffer.alloc(size.width * size.height * 3)
  for (const index of pixels.keys())
    pixels[index] = 128 + 60 * Math.sin(index / 999) + (((index * 2654435761) >>> 24) % 40)
  return sharp(pixels, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 85, progressive })
    .toBuffer()
}

const cut = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share))
const stray = Buffer.from('0102030405060708', 'hex')

describe.each([
  ['baseline', false],
  ['progressive', true],
])('a %s JPEG', (_, progressive) => {
  const bytes = texture(progressive)

  test.each<[string, (bytes: Buffer) => Buffer, number]>([
    ['without its end mark', (whole) => whole.subarray(0, -2), 800],
    [
      'with stray bytes between its parts',
      (whole) => {
        const tables = whole.indexOf(Buffer.from([0xff, 0xc4]))
        return Buffer.concat([whole.subarray(0, tables), stray, whole.subarray(tables)])
      },
      800,
    ],
    ['cut in its last rows', cut(0.98), 776],
  ])('%s is shown as far as it is there, and its owner is told', async (what, damage, rows) => {
    const path = await bench.upload(`${what}.jpg`, damage(await bytes))
    const { outcome, files } = await bench.process(path)
    if (!outcome.ok) throw new Error(outcome.refusal)
    expect(outcome.media).toMatchObject({ damaged: true, width: 640 })
    expect(outcome.media.height).toBeGreaterThanOrEqual(rows - 8)
    expect(files).toEqual(outcome.media.variants.map(({ name }) => name).sort())
    // No gray filling of what is missing: the last row is as lively as others.
    const { data } = await sharp(outcome.media.variants.findLast(({ mime }) => mime === 'image/webp')?.path)
      .extract({ left: 0, top: outcome.media.height - 4, width: 640, height: 4 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(Math.max(...data) - Math.min(...data)).toBeGreaterThan(10)
  })

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['more than a twentieth of its rows', cut(0.45)],
    ['most of it', cut(0.3)],
  ])('that lacks %s is refused', async (what, damage) => {
    const whole = await bytes
    const path = await bench.upload(`${what}.jpg`, damage(whole))
    const { outcome, files } = await bench.process(path)
    expect([outcome, files]).toEqual([{ ok: false, refusal: 'media_unreadable' }, []])
  })

  test('that is whole is not called damaged', async () => {
    const { outcome } = await bench.process(await bench.upload('whole.jpg', await bytes))
    expect(outcome).toMatchObject({ ok: true, media: { damaged: false } })
  })
})
