import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { streamOf } from '../../../../contract/media-links.ts'
import { type FeedMedia, renewMedia } from '../api.ts'
import { freshLink } from './fresh-link.ts'
import type { Quality, StreamHandle } from './stream.ts'

const AUTO = -1

/** A stream's available qualities, and the present one. */
export type Qualities = {
  offered: readonly Quality[]
  /** The chosen level; -1 leaves it to the network. */
  chosen: number
  /** The level that is shown; null before it is known. */
  shown: number | null
  choose: (level: number) => void
}

type UseStream = {
  media: FeedMedia
  video: RefObject<HTMLVideoElement | null>
  /** False where the whole file is played instead. */
  wanted: boolean
  /** Seconds. */
  startAt: () => number
  /** The stream can't be played: the browser can't play it, or it was interrupted. */
  onFailed: () => void
}

/** Whether the browser may play streams; whether it does is known once their code is loaded. */
export const mayStream = () => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis

/** Feeds the element from the item's stream, in several qualities, with links that stay good however long it plays. */
export function useStream({ media, video, wanted, startAt, onFailed }: UseStream): Qualities {
  const client = useQueryClient()
  const { _id: mediaId } = media
  const handle = useRef<StreamHandle | null>(null)
  const [offered, setOffered] = useState<Quality[]>([])
  const [chosen, setChosen] = useState(AUTO)
  const [shown, setShown] = useState<number | null>(null)

  const begin = useEffectEvent(({ openStream }: typeof import('./stream.ts')) => {
    const first = streamOf(media)
    if (!video.current || first === null) return
    const renew = async () => {
      const stream = streamOf(await renewMedia(client, media))
      if (stream === null) throw new Error('the stream is gone')
      return stream
    }
    handle.current = openStream({
      video: video.current,
      link: freshLink(first, renew, Date.now()),
      startAt: startAt(),
      onQualities: setOffered,
      onPlaying: setShown,
      onFailed,
    })
    if (!handle.current) onFailed()
  })
  const fail = useEffectEvent(onFailed)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another item is another stream.
  useEffect(() => {
    if (!wanted) return
    let left = false
    import('./stream.ts').then(
      (module) => {
        if (!left) begin(module)
      },
      () => {
        if (!left) fail()
      },
    )
    return () => {
      left = true
      handle.current?.destroy()
      handle.current = null
      setOffered([])
      setChosen(AUTO)
      setShown(null)
    }
  }, [mediaId, wanted])

  return {
    offered,
    chosen,
    shown,
    choose: (level) => {
      setChosen(level)
      handle.current?.choose(level)
    },
  }
}
