import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { markedPicture, pngHeader, withJpegSize } from '../pictures.ts'
import { everyFrame, recordSound, recordVideo } from '../videos.ts'
import { find, leaf, parent, parse, serialize } from './boxes.ts'
import { ascii, u16, u32, upTo } from './chunks.ts'
import type { Row } from './row.ts'
import { none, tables, videoIn, videoName, withoutEdits } from './video.ts'

/** Half a second of frames, and one more nearly six hours later: a file of some kilobytes; answers its path. */
export function pauseOfHours(folder: string): Promise<string> {
  const times = [...everyFrame(30, 60), PAUSE_SECONDS]
  return recordVideo(folder, 'pause.mp4', { format: 'mp4', width: 1280, height: 720, times })
}
export const PAUSE_SECONDS = 21_500

/** MP4 files that lie, reach for others, or want more than they are worth; `folder` gets the video they are made of. */
export function videoRows(folder: string): Row[] {
  const { video, patched, edited, framesOf, outside } = videoIn(folder)
  const row = (outcome: Row['outcome'], what: string, make: Row['make']): Row => ({ what, outcome, make })
  return [
    ...[0.05, 0.3, 0.99].map((share) =>
      row('media_unreadable', `a video cut at ${share}`, async () => upTo(await video(), share)),
    ),
    row(
      'media_unreadable',
      'a video without an index',
      edited((boxes) => {
        boxes.splice(
          boxes.findIndex((box) => box.type === 'moov'),
          1,
        )
      }),
    ),
    row(
      'media_unreadable',
      'a video without pictures',
      edited((boxes) => {
        boxes.splice(
          boxes.findIndex((box) => box.type === 'mdat'),
          1,
        )
      }),
    ),
    row('media_no_picture', 'an index alone', () =>
      Buffer.concat([u32(16), ascii('ftypisom'), none, u32(8), ascii('moov')]),
    ),
    row('media_unreadable', 'an index of 4 GB', () =>
      Buffer.concat([u32(16), ascii('ftypisom'), none, u32(0xffffffff), ascii('moov')]),
    ),
    row('media_unreadable', 'a box of minus one byte', () =>
      Buffer.concat([u32(16), ascii('ftypisom'), none, u32(1), ascii('moov'), Buffer.alloc(8, 0xff)]),
    ),
    row('media_unreadable', '200,000 empty boxes', async () =>
      Buffer.concat([
        await video(),
        ...Array.from({ length: 200_000 }, () => Buffer.concat([u32(8), ascii('free')])),
      ]),
    ),
    row('media_unreadable', 'boxes in boxes, 20,000 deep', () => {
      const depth = 20_000
      const nested = Array.from({ length: depth }, (_, level) =>
        Buffer.concat([u32(8 * (depth - level)), ascii(level % 2 ? 'trak' : 'moov')]),
      )
      return Buffer.concat([u32(16), ascii('ftypisom'), none, ...nested])
    }),
    row(
      'media_unreadable',
      '5,000 tracks',
      edited((boxes) => {
        const moov = find(boxes, 'moov')
        const trak = find(boxes, 'moov/trak')
        moov.children = [...(moov.children ?? []), ...Array.from({ length: 5000 }, () => trak)]
      }),
    ),
    row('media_no_picture', 'a packed index that unpacks to gigabytes', async () => {
      const packed = deflateSync(Buffer.alloc(50_000_000))
      const cmov = parent(
        'moov',
        leaf('cmov', serialize([leaf('dcom', ascii('zlib')), leaf('cmvd', u32(0x7ffffff0), packed)])),
      )
      return serialize([...parse(await video()).filter((box) => box.type !== 'moov'), cmov])
    }),
    row(
      'media_unreadable',
      'pictures in a file beside it',
      outside('url ', () => ascii(`${videoName}\0`)),
    ),
    row(
      'media_unreadable',
      'pictures in a file by its path',
      outside('url ', () => ascii(`file://${folder}/${videoName}\0`)),
    ),
    row(
      'media_unreadable',
      'pictures at an address',
      outside('url ', ({ url }) => ascii(`${url}\0`)),
    ),
    row(
      'media_unreadable',
      'pictures in a file by a QuickTime alias',
      outside('alis', () => {
        const name = Buffer.alloc(64)
        name[0] = 15
        name.write(videoName, 1)
        const path = ascii(`${folder}/${videoName}`)
        return Buffer.concat([
          Buffer.alloc(4),
          u16(150),
          u16(2),
          Buffer.alloc(2),
          Buffer.alloc(28),
          Buffer.alloc(12),
          name,
          Buffer.alloc(16),
          u16(1),
          u16(1),
          Buffer.alloc(16),
          u16(18),
          u16(path.length),
          path,
          u16(0xffff),
          u16(0),
        ])
      }),
    ),
    row('media_no_picture', 'a reference movie', ({ url }) =>
      serialize([
        leaf('ftyp', ascii('qt  '), none),
        parent(
          'moov',
          leaf(
            'rmra',
            serialize([
              leaf(
                'rmda',
                serialize([leaf('rdrf', none, ascii('url '), u32(url.length + 1), ascii(`${url}\0`))]),
              ),
            ]),
          ),
        ),
      ]),
    ),
    row(
      'media_no_picture',
      'no track',
      edited((boxes) => {
        const moov = find(boxes, 'moov')
        moov.children = (moov.children ?? []).filter((box) => box.type !== 'trak')
      }),
    ),
    row(
      'media_unreadable',
      'a track of no samples',
      edited((boxes) => {
        for (const name of ['stts', 'stsc', 'stco', 'stss'])
          find(boxes, `${tables}/${name}`).body = Buffer.alloc(8)
        find(boxes, `${tables}/stsz`).body = Buffer.alloc(12)
      }),
    ),
    row('media_no_picture', 'sound alone', async () =>
      readFile(await recordSound(folder, 'sound-source.mp4')),
    ),
    row('media_unreadable', '4 billion samples', patched(`${tables}/stsz`, { 4: 1, 8: 0xffffffff })),
    row('media_unreadable', 'a list of 4 billion sizes', patched(`${tables}/stsz`, { 8: 0xffffffff })),
    row('media_unreadable', 'samples of 2 GB', patched(`${tables}/stsz`, { 12: 0x7fffffff })),
    row('media_unreadable', 'samples of one byte', patched(`${tables}/stsz`, { 4: 1 })),
    row('media_unreadable', 'samples beyond the end', patched(`${tables}/stco`, { 8: 0xfffffff0 })),
    row('clean', 'a chunk of 4 billion samples', patched(`${tables}/stsc`, { 12: 0xffffffff })),
    row('media_unreadable', 'a list of 4 billion chunks', patched(`${tables}/stsc`, { 4: 0xffffffff })),
    row('media_unreadable', 'a list of 4 billion times', patched(`${tables}/stts`, { 4: 0xffffffff })),
    row(
      'media_too_long_to_process',
      'a pause of seven hours',
      edited((boxes) => {
        withoutEdits(boxes)
        find(boxes, `${tables}/stts`).body = Buffer.concat([
          none,
          u32(2),
          u32(6),
          u32(1024),
          u32(6),
          u32(0x0fffffff),
        ])
      }),
    ),
    row('clean', 'frames without duration', patched(`${tables}/stts`, { 12: 0 })),
    row('clean', '4 billion ticks a second', patched('moov/trak/mdia/mdhd', { 12: 0xffffffff })),
    row('clean', 'no ticks a second', patched('moov/trak/mdia/mdhd', { 12: 0 })),
    row(
      'media_too_long_to_process',
      'one tick a second, of ten thousand a frame',
      edited((boxes) => {
        withoutEdits(boxes)
        u32(1).copy(find(boxes, 'moov/trak/mdia/mdhd').body, 12)
        find(boxes, `${tables}/stts`).body = Buffer.concat([none, u32(1), u32(12), u32(10_240)])
      }),
    ),
    row('clean', 'a video that says it lasts for centuries', patched('moov/mvhd', { 16: 0xffffffff })),
    row('clean', 'a video of no time scale', patched('moov/mvhd', { 12: 0 })),
    row(
      'media_unreadable',
      'an edit from before the beginning',
      edited((boxes) => {
        const trak = find(boxes, 'moov/trak')
        trak.children = [
          ...(trak.children ?? []).filter((box) => box.type !== 'edts'),
          parent('edts', leaf('elst', none, u32(1), u32(1000), u32(0x80000001), u32(0x10000))),
        ]
      }),
    ),
    row(
      'clean',
      '2,000 edits of one frame',
      edited((boxes) => {
        const trak = find(boxes, 'moov/trak')
        trak.children = [
          ...(trak.children ?? []).filter((box) => box.type !== 'edts'),
          parent(
            'edts',
            leaf(
              'elst',
              none,
              u32(2000),
              ...Array.from({ length: 2000 }, () => Buffer.concat([u32(1), none, u32(0x10000)])),
            ),
          ),
        ]
      }),
    ),
    row(
      'clean',
      'frames that are said to be 65,535 by 65,535',
      patched(`${tables}/stsd`, { 40: 0xffffffff }),
    ),
    row(
      'media_unreadable',
      'frames of 400 megapixels as PNG',
      framesOf('png ', () => pngHeader(20_000, 20_000)),
    ),
    row(
      'media_unreadable',
      'frames of 400 megapixels as JPEG',
      framesOf('jpeg', async () =>
        withJpegSize(await markedPicture(160, 120).jpeg().toBuffer(), 20_000, 20_000),
      ),
    ),
    row(
      'media_type_unsupported',
      'a codec that few players know',
      edited((boxes) => {
        ascii('SVQ3').copy(find(boxes, `${tables}/stsd`).body, 12)
      }),
    ),
    row(
      'media_type_unsupported',
      'an encrypted video',
      edited((boxes) => {
        ascii('encv').copy(find(boxes, `${tables}/stsd`).body, 12)
      }),
    ),
    row(
      'media_unreadable',
      'a codec without its settings',
      edited((boxes) => {
        const { body } = find(boxes, `${tables}/stsd`)
        body.fill(0xff, body.indexOf('avcC') + 4, body.indexOf('avcC') + 30)
      }),
    ),
    row(
      'clean',
      'a place, a device and a name in every corner',
      edited((boxes) => {
        const canary = (type: string) => leaf(type, u16(6), u16(0), ascii('CANARY'))
        const moov = find(boxes, 'moov')
        moov.children = [
          ...(moov.children ?? []),
          parent('udta', canary('\xa9xyz'), canary('\xa9mak'), leaf('meta', none, ascii('CANARY'))),
        ]
        boxes.push(
          leaf('uuid', Buffer.alloc(16), ascii('<x:xmpmeta>CANARY</x:xmpmeta>')),
          leaf('free', ascii('CANARY')),
        )
      }),
    ),
    row('media_type_unsupported', 'a page behind the video', async () =>
      Buffer.concat([await video(), u32(40), ascii('free<html><body onload=alert(1)>  ')]),
    ),
    row('clean', 'a tail of the camera maker', async () =>
      Buffer.concat([await video(), Buffer.alloc(3000, 0), ascii('CANARY')]),
    ),
  ]
}
