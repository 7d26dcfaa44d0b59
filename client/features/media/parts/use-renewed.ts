import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type FeedMedia, type Media, renewMedia } from '../api.ts'

/** Tries in a row after which a picture or video counts as broken rather than its link as expired. */
const MAX_TRIES = 2

/** An item whose links work: they live 300 s at most, and are asked for again when one of them failed. */
export type Renewed<Given extends FeedMedia> = {
  media: Given | Media
  /** Counts the renewals: what failed must be loaded again even when its link stayed the same. */
  version: number
  /** The links failed although they were new. */
  broken: boolean
  /** To be called when a link failed. */
  renew: () => void
  /** To be called when a link worked. */
  worked: () => void
  /** Tries again after `broken`, because a person asked. */
  retry: () => void
}

/** Follows the given item, and replaces its links by new ones on `renew`; broken ones once there is a connection again, too. */
export function useRenewed<Given extends FeedMedia>(given: Given): Renewed<Given> {
  const client = useQueryClient()
  const [state, setState] = useState({ given, media: given as Given | Media, version: 0, broken: false })
  if (state.given !== given) setState({ ...state, given, media: given, broken: false })
  const tries = useRef(0)

  const ask = async () => {
    try {
      const media = await renewMedia(client, given)
      setState((before) => ({ ...before, media, version: before.version + 1, broken: false }))
    } catch {
      setState((before) => ({ ...before, broken: true }))
    }
  }
  const retry = () => {
    tries.current = 0
    void ask()
  }
  const { broken } = state
  const onOnline = useEffectEvent(retry)
  useEffect(() => {
    if (!broken) return
    const listener = () => onOnline()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [broken])
  return {
    media: state.media,
    version: state.version,
    broken,
    renew: () => {
      tries.current += 1
      if (tries.current > MAX_TRIES) setState((before) => ({ ...before, broken: true }))
      else void ask()
    },
    worked: () => {
      tries.current = 0
    },
    retry,
  }
}
