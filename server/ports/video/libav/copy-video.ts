import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chdir } from 'node:process'
import sharp from 'sharp'
import { type Label, labelFor } from './label.ts'
import { maxVideoSeconds } from './limits.ts'
import { type Picture, pictureOf } from './picture.ts'
import { qualitiesOf } from './quality.ts'
import { Refused } from './refused.ts'
import { openSource } from './source.ts'
import { transcode } from './transcode.ts'

const LABEL = 'label.png'

/**
 * Writes a video with `text` in the lower right corner of every frame as MP4 to `outDir/name`, and nothing of its
 * metadata. Changes the folder that the process works in.
 */
export async function copyVideo(input: {
  path: string
  outDir: string
  maxPixels: number
  name: string
  text: string
  onLength: (seconds: number) => void
}): Promise<void> {
  const { outDir, maxPixels } = input
  const source = await openSource(input.path, 'mov')
  await using demuxer = source.demuxer
  const picture = pictureOf(source.video, maxPixels)
  const label = labelFor(input.text, picture)
  if (label) await writeLabel(label, outDir)
  input.onLength(Math.min(Math.max(0, demuxer.duration), maxVideoSeconds))
  const [own] = qualitiesOf(picture)
  const { frames } = await transcode({
    source,
    picture: label ? withLabel(picture, label) : picture,
    qualities: [own],
    transparent: false,
    target: join(outDir, input.name),
    stream: null,
    maxPixels,
    maxSeconds: maxVideoSeconds,
    strict: true,
    onTime: () => {},
  })
  if (frames === 0) throw new Refused('media_unreadable')
}

/** A filter names its file within a text of its own syntax, in which a plain name means nothing but itself. */
async function writeLabel({ data, width, height }: Label, outDir: string): Promise<void> {
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
  await writeFile(join(outDir, LABEL), png)
  chdir(outDir)
}

function withLabel(picture: Picture, { left, top }: Label): Picture {
  const filter = `${picture.filter}[video];movie=filename=${LABEL}[label];[video][label]overlay=x=${left}:y=${top}:format=auto,format=yuv420p`
  return { ...picture, filter }
}
