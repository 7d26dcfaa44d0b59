import Hls, { type LoadPolicy } from 'hls.js/light'
import { fileBeside } from '../../../../contract/media-links.ts'
import type { FreshLink } from './fresh-link.ts'

/** One size in which a video is streamed; `lines` is its shorter side in pixels, which names it (720p). */
export type Quality = { level: number; lines: number }

type StreamOptions = {
  video: HTMLVideoElement
  link: FreshLink
  /** Seconds. */
  startAt: number
  /** The available qualities, sharpest first. */
  onQualities: (qualities: Quality[]) => void
  /** The present quality. */
  onPlaying: (level: number) => void
  /** It can't be played, or no longer. */
  onFailed: () => void
}

export type StreamHandle = { choose: (level: number) => void; destroy: () => void }

/** Refusals of an outdated link that are answered by a new one, in a row. */
const MAX_RENEWALS = 2
const FORBIDDEN = 403

/** Plays a stream (HLS) through Media Source Extensions; null where the browser has none of it. */
export function openStream(options: StreamOptions): StreamHandle | null {
  if (!Hls.isSupported()) return null
  const { video, link, startAt, onQualities, onPlaying, onFailed } = options
  const renewing = (policy: LoadPolicy): LoadPolicy => {
    const { errorRetry } = policy.default
    if (!errorRetry) return policy
    return {
      default: {
        ...policy.default,
        errorRetry: {
          ...errorRetry,
          shouldRetry: (_config, count, _timeout, response, retry) => {
            if (response?.code !== FORBIDDEN) return retry
            link.refused()
            return count < MAX_RENEWALS
          },
        },
      },
    }
  }
  const { manifestLoadPolicy, playlistLoadPolicy, fragLoadPolicy } = Hls.DefaultConfig
  const hls = new Hls({
    // The segments are MP4 already: there is nothing for a worker to do.
    enableWorker: false,
    capLevelToPlayerSize: true,
    backBufferLength: 60,
    maxMaxBufferLength: 60,
    startPosition: startAt,
    manifestLoadPolicy: renewing(manifestLoadPolicy),
    playlistLoadPolicy: renewing(playlistLoadPolicy),
    fragLoadPolicy: renewing(fragLoadPolicy),
    xhrSetup: async (_request, _address, context) => {
      // Without a new link the old one is tried; its refusal is what is told.
      const newest = await link.get(performance.now()).catch(() => null)
      if (newest) context.url = renewed(context.url, newest)
    },
  })
  hls.on(Hls.Events.MANIFEST_PARSED, (_event, { levels }) => {
    const qualities = levels.map(({ width, height }, level) => ({ level, lines: Math.min(width, height) }))
    onQualities(qualities.toSorted((a, b) => b.lines - a.lines))
  })
  hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => onPlaying(level))
  hls.on(Hls.Events.ERROR, (_event, { fatal }) => {
    if (fatal) onFailed()
  })
  void link.get(performance.now()).then(
    (address) => {
      hls.loadSource(new URL(address, location.origin).href)
      hls.attachMedia(video)
    },
    () => onFailed(),
  )
  return {
    choose: (level) => {
      // A choice is seen at once; what the network decides comes with the next segment.
      if (level < 0) hls.nextLevel = level
      else hls.currentLevel = level
    },
    destroy: () => hls.destroy(),
  }
}

/** The same file under the newest link: what a playlist names lies beside the playlist as it was read. */
function renewed(address: string, link: string): string {
  const name = address.slice(address.lastIndexOf('/') + 1)
  return new URL(fileBeside(link, name), location.origin).href
}
