import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { Context } from '../context.ts'
import type { StoredVariant } from '../db/tables/media.ts'
import { makeImage } from '../ports/video/libav/image.ts'
import type { Processed } from '../ports/video/port.ts'
import { drawScene, type Scene } from './artwork.ts'

const FRAMES = 36
const FRAME_MS = 83

export type MadeMedia = Omit<Processed, 'variants'> & { variants: StoredVariant[] }

/** Draws one picture and stores it as the item's variants. Sizes are pixels. */
export async function makePicture(
  context: Context,
  id: string,
  drawing: { scene: Scene; seed: number; width: number; height: number },
): Promise<MadeMedia> {
  return inTemporaryFolder(async (folder) => {
    const path = join(folder, 'drawing.png')
    await draw(drawing).png({ compressionLevel: 1 }).toFile(path)
    const outDir = await emptyFolder(folder)
    return store(context, id, await makeImage({ path, outDir, maxPixels: 50e6, onProgress: () => {} }))
  })
}

/** Stores a video of a scene as the item's variants. */
export async function makeVideoFile(
  context: Context,
  id: string,
  drawing: { scene: Scene; seed: number },
): Promise<MadeMedia> {
  return inTemporaryFolder(async (folder) => store(context, id, await renderVideo(context, drawing, folder)))
}

/** Stores a video under this key for the how-to page. */
export async function makeHowToVideo(context: Context, key: string): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const { variants } = await renderVideo(context, { scene: 'sea', seed: 7 }, folder)
    const video = variants.find(({ name }) => name === 'video.mp4')
    if (video) await context.storage.putFile(key, video.path)
  })
}

/** Draws a wide picture and lets a camera glide over it for three seconds. */
async function renderVideo(
  context: Context,
  drawing: { scene: Scene; seed: number },
  folder: string,
): Promise<Processed> {
  const base = await draw({ ...drawing, width: 1440, height: 720 })
    .png()
    .toBuffer()
  const frames: Buffer[] = []
  for (let frame = 0; frame < FRAMES; frame++) {
    const glide = (1 - Math.cos((Math.PI * frame) / (FRAMES - 1))) / 2
    const left = Math.round(glide * 320)
    frames.push(
      await sharp(base)
        .extract({ left, top: 40, width: 1120, height: 630 })
        .resize(960, 540)
        .png({ compressionLevel: 1 })
        .toBuffer(),
    )
  }
  const path = join(folder, 'video.webp')
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 90, effort: 0, delay: frames.map(() => FRAME_MS) })
    .toFile(path)
  const outcome = await context.processor.process({
    path,
    outDir: await emptyFolder(folder),
    onProgress: () => {},
  })
  if (!outcome.ok) throw new Error(`a sample video could not be made: ${outcome.refusal}`)
  return outcome.media
}

/** Stores a profile picture or hero of that size and returns its file name. */
export async function makeProfileImage(
  context: Context,
  userId: string,
  drawing: { name: string; scene: Scene; seed: number; width: number; height: number },
): Promise<string> {
  return inTemporaryFolder(async (folder) => {
    const name = `${drawing.name}-${drawing.seed}.webp`
    const path = join(folder, name)
    await draw(drawing).webp({ quality: 82 }).toFile(path)
    await context.storage.putFile(`profile/${userId}/${name}`, path)
    return name
  })
}

function draw({
  scene,
  seed,
  width,
  height,
}: {
  scene: Scene
  seed: number
  width: number
  height: number
}): Sharp {
  return sharp(Buffer.from(drawScene(scene, seed, width, height)))
}

async function store(context: Context, id: string, media: Processed): Promise<MadeMedia> {
  const variants: StoredVariant[] = []
  for (const { path, ...variant } of media.variants) {
    await context.storage.putFile(`media/${id}/${variant.name}`, path)
    variants.push(variant)
  }
  return { ...media, variants }
}

async function emptyFolder(folder: string): Promise<string> {
  const outDir = join(folder, 'out')
  await mkdir(outDir)
  return outDir
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fanfare-sample-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
