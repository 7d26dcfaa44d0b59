import { AV_PKT_DATA_DISPLAYMATRIX, AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_SMPTE2084, type Stream } from 'node-av'
import { checkDimensions } from './inspect.ts'
import { maxCopies, maxCopiesOfFrame, maxVideoSide, minSide } from './limits.ts'
import { Refused } from './refused.ts'
import { turnOf } from './rotation.ts'

export type Picture = {
  width: number
  height: number
  frameRate: { num: number; den: number }
  filter: string
}

const maxFrameRate = 60
const usualFrameRate = 30

/**
 * The filter that brings a video upright, square-pixelled, even-sided, within the longest side, at a constant frame
 * rate, in 8-bit standard-range color and without side data; with the sizes (pixels) that come out of it.
 */
export function pictureOf(stream: Stream, maxPixels: number): Picture {
  const parameters = stream.codecpar
  checkDimensions(parameters.width, parameters.height, maxPixels)
  const aspect = stream.sampleAspectRatio
  const stretch = aspect.num > 0 && aspect.den > 0 ? aspect.num / aspect.den : 1
  const shrink = Math.min(1, maxVideoSide / Math.max(parameters.width * stretch, parameters.height))
  const width = even(parameters.width * stretch * shrink)
  const height = even(parameters.height * shrink)
  if (width < minSide || height < minSide) throw new Refused('media_no_picture')
  const turn = turnOf(parameters.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX))
  const frameRate = affordable(constantFrameRate(stream), stream)
  const highDynamicRange = [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].some(
    (curve) => curve === parameters.colorTrc,
  )
  const filters = [
    // Only frames that say they are interlaced; a camcorder's fields would stay as combs.
    'bwdif=mode=send_frame:deint=interlaced',
    `fps=fps=${frameRate.num}/${frameRate.den}:start_time=0`,
    `scale=w=${width}:h=${height}:out_range=tv:flags=bicubic`,
    ...(highDynamicRange
      ? ['tonemapx=tonemap=bt2390:desat=0:p=bt709:t=bt709:m=bt709:r=tv:format=yuv420p']
      : []),
    ...turn.filters,
    'format=yuv420p',
    'setsar=1',
    'sidedata=mode=delete',
  ]
  return {
    width: turn.swapsSides ? height : width,
    height: turn.swapsSides ? width : height,
    frameRate,
    filter: filters.join(','),
  }
}

/** Transparent pixels carry arbitrary colors: they are shown on white. Prepend to a filter. */
export const onWhite =
  'format=rgba,split[top][copy];[copy]drawbox=color=white:thickness=fill:replace=1[white];[white][top]overlay=format=auto,'

function even(pixels: number): number {
  return Math.max(2, Math.round(pixels / 2) * 2)
}

/** A variable rate reports a tick far above what is played: it becomes a constant one that loses no movement. */
function constantFrameRate(stream: Stream): { num: number; den: number } {
  const { num, den } = stream.rFrameRate
  if (num > 0 && den > 0 && num / den <= maxFrameRate) return { num, den }
  const average = stream.avgFrameRate
  const isFast = average.den > 0 && average.num / average.den > usualFrameRate
  return { num: isFast ? maxFrameRate : usualFrameRate, den: 1 }
}

/** A rate at which few frames that last for hours don't become a million copies. */
function affordable(rate: Picture['frameRate'], stream: Stream): Picture['frameRate'] {
  const { avgFrameRate: average, duration, timeBase } = stream
  const seconds = (Number(duration) * timeBase.num) / timeBase.den
  if (!(seconds > 0 && average.num > 0 && average.den > 0)) return rate
  const most = Math.max((maxCopiesOfFrame * average.num) / average.den, maxCopies / seconds)
  return rate.num / rate.den <= most ? rate : { num: Math.ceil(most), den: 1 }
}
