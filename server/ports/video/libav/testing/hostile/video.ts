import { readFile } from 'node:fs/promises'
import { everyFrame, recordVideo } from '../videos.ts'
import { type Box, edit, find, leaf, parse, patch, serialize } from './boxes.ts'
import { ascii, u32 } from './chunks.ts'
import type { Canary, Row } from './row.ts'

/** The tables that say where the pictures of a video are. */
export const tables = 'moov/trak/mdia/minf/stbl'
export const none = u32(0)
/** The name of the video in its folder. */
export const videoName = 'video-source.mp4'

/** Editors may cut a video by a list beside its pictures; without one it plays as long as they say. */
export function withoutEdits(boxes: Box[]): void {
  const trak = find(boxes, 'moov/trak')
  trak.children = (trak.children ?? []).filter((box) => box.type !== 'edts')
}

/** A short video of 160 by 120 in `folder`, recorded once, and what can be made of it. */
export function videoIn(folder: string) {
  let recorded: Promise<Buffer> | null = null
  const video = () => {
    recorded ??= recordVideo(folder, videoName, {
      format: 'mp4',
      width: 160,
      height: 120,
      times: everyFrame(12, 10),
    }).then((path) => readFile(path))
    return recorded
  }
  return {
    video,
    /** The video with 32-bit numbers written into one box. */
    patched: (path: string, numbers: Record<number, number>) => async () =>
      patch(await video(), path, numbers),
    edited: (change: (boxes: Box[]) => void) => async () => edit(await video(), change),
    /** A video of one frame, which is a picture of that codec. */
    framesOf: (codec: string, make: () => Buffer | Promise<Buffer>) => async () => {
      const picture = await make()
      return edit(await video(), (boxes) => showOne(boxes, codec, picture))
    },
    /** The video without its pictures but with a reference to where they are: the file of the video is there. */
    outside:
      (type: string, reference: (canary: Canary) => Buffer): Row['make'] =>
      async (canary) => {
        const elsewhere = edit(await video(), (boxes) => {
          const dinf = find(boxes, 'moov/trak/mdia/minf/dinf')
          dinf.children = [leaf('dref', none, u32(1), serialize([leaf(type, none, reference(canary))]))]
        })
        return serialize(parse(elsewhere).filter((box) => box.type !== 'mdat'))
      },
  }
}

function showOne(boxes: Box[], codec: string, picture: Buffer): void {
  const mdat = find(boxes, 'mdat')
  const start = boxes.slice(0, boxes.indexOf(mdat)).reduce((sum, box) => sum + 8 + box.body.length, 8)
  mdat.body = picture
  withoutEdits(boxes)
  const entry = find(boxes, `${tables}/stsd`).body.subarray(0, 8 + 86)
  ascii(codec).copy(entry, 12)
  u32(86).copy(entry, 8)
  find(boxes, tables).children = [
    leaf('stsd', entry),
    leaf('stts', none, u32(1), u32(1), u32(1024)),
    leaf('stsc', none, u32(1), u32(1), u32(1), u32(1)),
    leaf('stsz', none, none, u32(1), u32(picture.length)),
    leaf('stco', none, u32(1), u32(start)),
  ]
}
