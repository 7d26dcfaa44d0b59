import {
  AVCOL_RANGE_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
  Decoder,
  Demuxer,
  FilterAPI,
  type Frame,
} from 'node-av'
import { checkDimensions } from '../inspect.ts'
import { Refused } from '../refused.ts'
import { writeTiff } from '../tiff.ts'
import { type Heif, type Nclx, readHeif } from './heif.ts'

/** Turns a HEIC picture into an uncompressed one at `target`, with its color profile and its orientation. */
export async function decodeHeif(input: { path: string; target: string; maxPixels: number }): Promise<void> {
  const { path, target, maxPixels } = input
  const heif = await readHeif(path, (width, height) => checkDimensions(width, height, maxPixels))
  await writeTiff(target, heif, bandsOf(heif, maxPixels))
}

/** The picture's rows, as many at a time as a tile is high. */
async function* bandsOf(heif: Heif, maxPixels: number): AsyncGenerator<Buffer> {
  const { width, height, columns, rows, tile } = heif
  const frames = tilesOf(heif, maxPixels)
  for (let row = 0; row < rows; row += 1) {
    const lines = Math.min(tile.height, height - row * tile.height)
    if (lines <= 0) return
    const band = Buffer.alloc(lines * width * 3)
    for (let column = 0; column < columns; column += 1) {
      const { value: pixels, done } = await frames.next()
      if (done) throw new Refused('media_unreadable')
      const left = column * tile.width
      const taken = Math.min(tile.width, width - left)
      for (let line = 0; line < lines && taken > 0; line += 1) {
        const from = line * tile.width * 3
        pixels.copy(band, (line * width + left) * 3, from, from + taken * 3)
      }
    }
    yield band
  }
}

/** The pixels of each tile, packed RGB of exactly its size. */
async function* tilesOf(
  { stream, tile, nclx, profile }: Heif,
  maxPixels: number,
): AsyncGenerator<Buffer, undefined> {
  await using demuxer = await Demuxer.open(stream, {
    format: 'hevc',
    options: { format_whitelist: 'hevc', codec_whitelist: 'hevc', protocol_whitelist: 'file' },
  })
  const video = demuxer.video()
  if (!video) throw new Refused('media_unreadable')
  using decoder = await Decoder.create(video, {
    exitOnError: true,
    context: { threadCount: 2 },
    options: { max_pixels: maxPixels },
  })
  let filter: FilterAPI | null = null
  try {
    for await (const frame of decoder.frames(demuxer.packets(video.index))) {
      using held = frame
      if (!held) break
      if (held.width < tile.width || held.height < tile.height) throw new Refused('media_unreadable')
      filter ??= FilterAPI.create(
        `${toRgb(held, nclx, profile !== null)},crop=${tile.width}:${tile.height}:0:0`,
      )
      for await (const shown of filter.frames(held)) {
        using pixels = shown
        if (pixels) yield pixels.toBuffer()
      }
    }
    for await (const shown of filter ? filter.frames(null) : []) {
      using pixels = shown
      if (pixels) yield pixels.toBuffer()
    }
  } finally {
    filter?.close()
  }
  return undefined
}

/** Primaries of Rec. 2020 and Display P3, in the numbers of ISO/IEC 23091-2. */
const widePrimaries = [9, 12]

/** The file's own color information comes first; a picture without any uses the full range and BT.601. */
function toRgb(frame: Frame, nclx: Nclx | null, hasProfile: boolean): string {
  const transfer = nclx?.transfer ?? frame.colorTrc
  const range = nclx
    ? nclx.fullRange
      ? 'pc'
      : 'tv'
    : frame.colorRange === AVCOL_RANGE_UNSPECIFIED
      ? 'pc'
      : 'auto'
  const said = nclx
    ? `setparams=range=${range}:colorspace=${nclx.matrix}:color_primaries=${nclx.primaries}:color_trc=${nclx.transfer}`
    : `setparams=range=${range}`
  if (!hasProfile && [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].some((curve) => curve === transfer))
    return `${said},tonemapx=tonemap=bt2390:desat=0:p=bt709:t=bt709:m=bt709:r=tv:format=yuv420p,format=rgb24`
  if (!hasProfile && nclx && widePrimaries.includes(nclx.primaries))
    return `${said},zscale=p=bt709:t=iec61966-2-1:m=gbr:r=pc,format=rgb24`
  return `${said},format=rgb24`
}
